# ---
# jupyter:
#   myst:
#     html_meta:
#       description: Run an experiment once, on a laptop or a cluster, bit for bit the same, and lose nothing when
#         the lid closes.
# ---

# %% [markdown]
# # Run it at scale
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** A figure needs a thousand runs, a paper a hundred thousand. How do you compute them once, on
#   whatever there is, and lose nothing when the lid closes?
# * **What you will see.** One call that makes a table; the same call on two processors and on a cluster, bit for
#   bit; a run that fails half way and goes on from there; what ten, a hundred and a thousand workers would give.
# * **How long.** About ten minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 2016         # all randomness comes from here
n_patients = 10_000

# %% tags=["hide-input"]
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from distributed import Client, LocalCluster
from IPython.display import Markdown as md

from privrl_core.policy_evaluation import (
    dp_sufficient_statistics, first_visit_statistics, tabular_features)
from privrl_core.world import recovery_chain, sample_episodes
from privrl_core.experiments import Unfinished, grid, run
from privrl_core.pages import use_theme

use_theme()
temporary = tempfile.TemporaryDirectory()
folder = Path(temporary.name)

# %% [markdown]
# ## One call
#
# An experiment is a function of its settings and a random generator `rng`. It returns a number, or several with names.
# Here is one from {doc}`02_policy_evaluation/04_release_sums`: how far are the released values of the stages from the true ones?

# %%
chain = recovery_chain()
treatment = np.ones((40, 1))
values = chain.policy_values(treatment)

def release_error(*, rng, epsilon, patients):
    rng, noise_rng = rng.spawn(2)         # the world's and the mechanism's
    episodes = sample_episodes(chain, treatment, patients, rng)
    data = first_visit_statistics(episodes, 40, chain.discount, return_bound=1)
    release = dp_sufficient_statistics(
        data, tabular_features(40), np.ones(40), return_bound=1,
        epsilon=epsilon, delta=1e-5, noise_rng=noise_rng)
    return {"error": np.sqrt(np.mean((release.parameters - values) ** 2))}

# %% [markdown]
# `grid` lists every combination of settings, `run` makes one row for each of them and each seed.

# %%
settings = grid(epsilon=[0.1, 0.3, 1.0, 3.0], patients=[n_patients // 10, n_patients])
seeds = range(seed, seed + max(3, round(5 * effort)))
table = run(release_error, settings, seeds)
(table.drop(columns="versions").head(3)
 .style.hide().format({"error": "{:.4f}", "seconds": "{:.3f}"}))

# %% mystnb={"image": {"alt": "Error of the released values against epsilon, logarithmic, for two numbers of patients: errors fall as epsilon grows, and ten times the patients have a several times smaller error."}} tags=["hide-input"]
fig, ax = plt.subplots(figsize=(7.5, 3.4))
sns.lineplot(table, x="epsilon", y="error", hue="patients", style="patients", markers=True, errorbar=("se", 2), palette="deep", ax=ax)
ax.set(xscale="log", yscale="log", xlabel="ε", ylabel="root-mean-square error",
       title="Each point: the mean of its seeds ± two standard errors");

# %% [markdown]
# The table also says which code and which libraries made it, in the column `versions`:

# %% tags=["remove-input"]
md(f"> {table.versions.iloc[0]}")

# %% [markdown]
# ## The same bits everywhere
#
# The generator of a row is made from its setting and its seed, and from nothing else: not from its place in the table, nor
# from the process or the machine. So the same table comes from two processes, and from a cluster. The only difference
# is one argument, `workers`: a number, or the `Client` of a [Dask](https://www.dask.org) cluster.

# %%
cluster = LocalCluster(n_workers=2, threads_per_worker=1,
                       dashboard_address=None, silence_logs=50)
client = Client(cluster)         # elsewhere: Client("scheduler-of-your-cluster:8786")

def numbers(table):
    return table.drop(columns="seconds")

for workers in (2, client):
    again = run(release_error, settings, seeds, workers=workers)
    pd.testing.assert_frame_equal(numbers(again), numbers(table), check_exact=True)

# %% [markdown]
# Here the cluster has two workers on this machine. On a real one, workers need this book's environment, and nothing
# else: functions of your notebook and of your own modules travel with the rows. A worker that has another version of
# `privrl_core`, or of the libraries, is refused with a sentence. Machines with other processors may differ in the last digits all
# the same, wherever a library takes another path there.

# %% [markdown]
# ## Nothing is computed twice
#
# With `cache`, every finished row is on disk before the next one is waited for. Suppose that one row fails:

# %%
def fragile(*, rng, epsilon, patients):
    if epsilon == 0.3 and not (folder / "mended").exists():
        raise FloatingPointError("a quotient of noise")
    return release_error(rng=rng, epsilon=epsilon, patients=patients)

try:
    run(fragile, settings, seeds, cache=folder / "rows.sqlite")
except Unfinished as error:
    finished, message = error.table, str(error)

# %% tags=["remove-input"]
md(f"The others were finished first: {len(finished)} of {len(settings) * len(seeds)} rows. The error names each row that "
   "failed, and shows its traceback once:\n\n```text\n" + "\n".join(line[:96] + " …" * (len(line) > 96)
   for line in [message.splitlines()[0], *message.splitlines()[2:4], "...", message.splitlines()[-1]]) + "\n```")

# %% [markdown]
# Mended, the same call computes what is missing and nothing else. It would be the same after a crash, a power cut or a
# full disk. When a machine of a cluster fails, others take over its rows; a row that takes its machine down each time is
# in the end tried alone, and named.

# %%
(folder / "mended").touch()
start = time.perf_counter()
resumed = run(fragile, settings, seeds, cache=folder / "rows.sqlite")
took = time.perf_counter() - start
pd.testing.assert_frame_equal(numbers(resumed), numbers(table), check_exact=True)
which = ["epsilon", "patients", "seed"]
assert (resumed.set_index(which).seconds[0.1]
        == finished.set_index(which).seconds[0.1]).all()   # these did not run again

# %% tags=["remove-input"]
md(f"It took {took:.2f} s for the {len(resumed) - len(finished)} missing rows, where all of them had taken "
   f"{table.seconds.sum():.2f} s, and the table is the one above, bit for bit.")

# %% [markdown]
# When is a cached row the right one? If *everything that it depends on* is the same:
#
# | | |
# |---|---|
# | the setting and the seed | types count: `1` and `1.0` are two settings |
# | the function | its code, and each value and function that it reaches, as deep as it goes; comments do not count |
# | `privrl_core` | the modules that the function imports, and all that these import; comments do not count |
# | Python and the libraries | their versions |
#
# A function whose rows cannot be told apart in this way is refused, with the reason: one that draws from a generator
# of its own, for example. What cannot be seen are files that a function reads. Put their version into the setting.
#
# One file serves any number of experiments, and several runs at a time. Its rows carry checksums. A damaged row is
# named and computed again; a damaged file is renamed, and its rows are computed again. To forget, remove the file.

# %% [markdown]
# ## What to expect
#
# Here is what was measured when this page was made, which happens beside another notebook on the same machine: rows of
# 50 ms, and rows that do nothing, to see what it costs to hand out a row, fetch it and store it.

# %%
def nothing(*, rng, n):
    return n

def fifty_ms(*, rng, n):
    until = time.process_time() + 0.05
    while time.process_time() < until:
        rng.normal(size=100)
    return n

def seconds_a_row(function, rows, workers, name):
    run(function, grid(n=range(4)), [0], workers=workers)     # processes start
    start = time.perf_counter()
    run(function, grid(n=range(rows)), [0], workers=workers,
        cache=folder / f"{function.__name__}-{name}")
    return (time.perf_counter() - start) / rows

engines = {"one process": 1, "two processes": 2, "a cluster of two": client}
few, many = max(8, round(40 * effort)), max(40, round(500 * effort))
measured = pd.DataFrame([{
    "workers": name,
    "rows of 50 ms, a second": 1 / seconds_a_row(fifty_ms, few, workers, name),
    "a row of nothing": seconds_a_row(nothing, many, workers, name)}
    for name, workers in engines.items()])
start = time.perf_counter()
client.gather(client.map(abs, range(many), pure=False))
task = (time.perf_counter() - start) / many
client.close()
cluster.close()

with_rows = folder / "nothing-one process"
bytes_a_row = with_rows.stat().st_size / max(40, round(500 * effort))

# %% tags=["remove-input"]
measured.style.hide().format({"rows of 50 ms, a second": "{:.1f}", "a row of nothing": lambda s: f"{1000 * s:.2f} ms"})

# %% [markdown]
# The last column is the price of a row so short that up to a hundred go to a worker together. A worker goes on with what it
# was given for a fifth of a second, and sends back what it has; so rows of a second travel one by one, and on a cluster the
# scheduler has its price for each journey. That was measured too, and is what limits long rows: one process hands them out,
# however many workers there are. With $w$ workers, rows of $t$ seconds, $k = 1 + \lfloor 0.2/t\rfloor$ of them on a
# journey (or 100, if that is less), and prices of $c_1$ seconds for a row and $c_2$ for a journey,
#
# ```{math}
# :label: eq-rows-a-second
# \text{rows a second} = \min\Bigl(\frac{w}{t},\ \frac1c\Bigr), \qquad c = c_1 + \frac{c_2}{k},
# ```
#
# so that more workers help up to $w = t/c$. The projection for a million rows, with the cluster's prices as measured and the
# bytes that a row takes on disk:

# %%
def price(t):
    return measured["a row of nothing"].iloc[-1] + task / min(100, 1 + 0.2 // t)

projection = pd.DataFrame([{
    "a row takes": f"{t:g} s", "workers": w,
    "rows a second": min(w / t, 1 / price(t)),
    "hours for a million": 1e6 / min(w / t, 1 / price(t)) / 3600,
    "workers busy": min(w, t / price(t)) / w}
    for t in (0.1, 1, 60) for w in (1, 2, 10, 100, 1000)])

# %% tags=["remove-input"]
projection.style.hide().format({"rows a second": "{:,.3g}", "hours for a million": "{:,.3g}", "workers busy": "{:.0%}"})

# %% tags=["remove-input"]
md(f"On disk the million takes {bytes_a_row * 1e6 / 1e6:.0f} MB, at {bytes_a_row:.0f} bytes a row. A journey "
   f"cost {1000 * task:.1f} ms: rows of 0.1 s keep {0.1 / price(0.1):.0f} workers busy, rows of a second {1 / price(1):.0f}. "
   "A thousand workers want longer rows: put several seeds, or a whole curve, into one.")

# %% [markdown]
# Three habits that pay:
#
# * Set `OMP_NUM_THREADS=1` before you start. Otherwise the linear algebra of each process uses all processors, and its
#   sums may depend on how many there are.
# * Let a function make or load its data. Whatever it finds in the notebook is sent along with the rows.
# * Keep the file on a disk of the machine that calls `run`, not on a network drive. Only that machine writes to it.
#
# ## Without opening a notebook
#
# Every notebook of this book has a cell of parameters, and a command runs it over a grid of these:
#
# ```console
# .venv/bin/python tools/grid.py run chapters/02_policy_evaluation/evidence/03_experiments.ipynb -p epsilon 0.1,1 -p delta 1e-5
# .venv/bin/python tools/grid.py list
# .venv/bin/python tools/grid.py clear
# ```
#
# Each combination becomes an executed notebook below `_build/grid`. What is there and still current is not run again; a cell
# that fails is named, with its parameters, and the other combinations finish. `--workers 2` runs two at a time, and
# `-p seed $(seq -s, 0 19)` gives twenty seeds.
#
# ## To take away
#
# * An experiment is a function, a grid and seeds. One call makes the table; where it runs does not change a bit of it.
# * Give it a file (`cache=`), and nothing finished is ever computed twice.
# * More workers help until the one machine that collects the rows has its hands full. Measure that before you rent a thousand.
