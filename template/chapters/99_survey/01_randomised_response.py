# ---
# jupyter:
#   myst:
#     html_meta:
#       description: Randomised response protects each answer from whoever asks, and the average can still be had,
#         at a price that is known in advance.
# ---

# %% [markdown]
# # Randomised response
#
# ```{admonition} At a glance
# :class: tip
# * **The question.** How many people skip their medicine, if nobody would say so?
# * **What is protected.** One person's answer, against everybody.
# * **What you will see.** An estimate without bias, and what it costs in people.
# * **What you need.** Averages.
# * **How long.** About 5 minutes.
# ```

# %% tags=["parameters"]
effort = 1.0        # the fraction of the full work
seed = 1965         # all randomness comes from here
epsilon = 1.0

# %% tags=["hide-input"]
import matplotlib.pyplot as plt
import numpy as np

from privrl_core.pages import REFERENCE, claims, use_theme
from privrl_core.survey.randomised_response import answers, guarantee, share, truthful

use_theme()
noise_rng = np.random.default_rng(seed)

# %% [markdown]
# ## Deny it
#
# Each person says the truth with probability $p = 1/(1+e^{-\varepsilon})$, and the opposite otherwise. A *yes* that was heard
# was then at most $p/(1-p) = e^\varepsilon$ times as likely from somebody who does than from somebody who does not.
#
# ```{prf:definition} Randomised response
# :label: warner1965-response
# :nonumber:
# The answer of somebody whose truth is $x$ is $x$ with probability $p$, and $\neg x$ with probability $1-p$.
# ```

# %%
skips = np.arange(2_000) < 400                 # the truth, which nobody will hear: one in five
heard = answers(skips, epsilon, noise_rng)
assert truthful(epsilon) / (1 - truthful(epsilon)) > np.e**epsilon * 0.999
print(guarantee(epsilon))
share(heard, epsilon)

# %% [markdown]
# ## What it costs
#
# For $n$ people drawn at random, of whom the share $\pi$ skip, the standard error is the root of the variance in {cite:t}`warner1965`,
#
# $$\frac{\pi(1-\pi)}n + \frac{p(1-p)}{(2p-1)^2\,n}.$$

# %% mystnb={"image": {"alt": "Standard error of the estimate from 2,000 people against epsilon: it falls from about 0.1 at 0.2 to that without privacy, 0.009, at 5."}} tags=["hide-input"]
epsilons = np.geomspace(0.2, 5, max(8, round(60 * effort)))
p = np.array([truthful(one) for one in epsilons])
fig, ax = plt.subplots(figsize=(7.5, 3.6))
ax.loglog(epsilons, np.sqrt((0.16 + p * (1 - p) / (2 * p - 1) ** 2) / 2_000), label="randomised response")
ax.axhline(np.sqrt(0.16 / 2_000), color=REFERENCE, label="without privacy")
ax.set(xlabel="ε", ylabel="standard error", title="2,000 people: the price of denying")
ax.legend();

# %% [markdown]
# ## What the paper says
#
# Both of its statements are checked by the exact law of the number of yeses, and stand in {ref}`the ledger <claims>`:

# %%
claims("Warner 1965")[["statement", "says", "verdict", "figure"]].style.hide()

# %% [markdown]
# ## To take away
#
# * **An answer that can be denied** is private whoever collects it.
# * **The price is people.** At a small ε the standard error grows like $1/\varepsilon$.
