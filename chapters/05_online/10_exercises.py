# ---
# jupyter:
#   myst:
#     html_meta:
#       description: Exercises on learning while treating that check themselves, from warm-ups to research, and a quiz with a reason
#         for each answer.
# ---

# %% [markdown]
# # Exercises and a quiz
#
# ```{admonition} At a glance
# :class: tip
# * **What is here.** Exercises on {doc}`01_one_after_another` to {doc}`09_what_stays_open`: four warm-ups, four core exercises, three proofs with an error, three proofs to write, a program, a counter to improve on,
#   and an open problem. Then five questions that need no pencil.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
#   Proofs have a model answer and a marking scheme.
# * **How long.** Each exercise says it. Three quarters of an hour for the warm-ups and the quiz, as long for the core; a day for all.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 2026   # what is shown comes from here; checks draw afresh

# %% tags=["hide-input"]
import numpy as np

from privrl_core.online import doubling, square_root_coefficients
from privrl_core.pages import Exercise, Mistake, close_to
from privrl_core.privacy import epsilon_lower_bound, gaussian_epsilon, gaussian_mu

epsilon, delta = 1.0, 1e-5
mu = float(gaussian_mu(epsilon, delta))

# %% [markdown]
# ## Warm-up
#
# ````{exercise} Two tables for ten days
# :label: ex-two-tables
# *Practises: what one stay can change. 5 minutes.*
#
# A ward keeps two tables: how often each pair of condition and treatment occurred, and how often each triple of condition, treatment and next condition. A table has no days: its counts are sums over
# the days. In the first table all ten days of a stay are counted, in the second only its first three. One stay is replaced by another. By how much can the two tables together move, in the L2 norm?
# ````

# %% tags=["remove-input"]
two_tables = Exercise(
    is_right=close_to(np.sqrt(218), 0.005, mistakes=[
        (20.0, "That is for two tables in which all ten days are counted. In the second table three are."),
        (np.sqrt(26), "That is the answer for tables with a cell for each day. Here ten visits may fall into one cell."),
        (np.sqrt(109), "That is what one stay adds. The stay that it replaces is taken away: both count."),
        (13 * np.sqrt(2), "You have added up what a stay does to the two tables, and then squared. They are different cells: first square, then add."),
        (26.0, "That is the L1 norm.")]),
    hint="The worst stay puts all its days into one cell. What is the square of what it adds to each table?")

# %%
how_far = ...
two_tables.check(how_far)

# %% [markdown]
# ````{solution-start} ex-two-tables
# :class: dropdown
# ````
#
# A stay that is spent in one pair, with the same next condition, adds 10 to one cell of the first table and 3 to one cell of the second: squares of $100 + 9$. The stay that replaces it adds as much elsewhere, which makes 218 in all.

# %%
how_far = np.sqrt(2 * (10**2 + 3**2))
print(f"{how_far:.2f}")
two_tables.check(how_far)

# %% [markdown]
# With a cell for each day it would be $\sqrt{26} = 5.1$: ten and three ones in place of one ten and one three.
#
# ````{solution-end}
# ````
#
# ````{exercise} The last sum
# :label: ex-last-sum
# *Practises: batches and the square root. 10 minutes.*
#
# A hospital counts recoveries among 20,000 patients. It publishes after 1, 2, 4, 8, … patients and at the end, with the square root over batches ({doc}`03_from_tree_to_batches`), at ε = 1 and δ = 10⁻⁵; one patient changes the count by 1. What is the standard deviation of the
# noise in the last sum?
# ````

# %% tags=["remove-input"]
def squares(n):
    return float(np.sum(square_root_coefficients(n) ** 2))

last_sum = Exercise(
    is_right=close_to(squares(16) / mu, 0.003, mistakes=[
        (squares(20_000) / mu, "You have a weight for each of 20,000 patients. What is added up here are batches."),
        (squares(15) / mu, "Nearly. Count the batches once more: 1, 2, 4, … and what is left at the end."),
        (np.sqrt(squares(16)) / mu, "One s is missing. The noise must be s times as wide to hide a patient, and then the last sum mixes the noises: s once more."),
        (4 / mu, "That is the plain sum of 16 noisy batches."),
        (1 / mu, "That is one release. Each patient is in the noisy numbers of many batches."),
        (squares(16), "Divide by μ, which belongs to ε = 1 and δ = 10⁻⁵: `gaussian_mu`.")]),
    hint="`doubling(20_000)` are the times. The error is s² divided by μ, and s² is a sum of squared `square_root_coefficients`.")

# %%
of_the_last_sum = ...
last_sum.check(of_the_last_sum)

# %% [markdown]
# ````{solution-start} ex-last-sum
# :class: dropdown
# ````

# %%
N = doubling(20_000).size
of_the_last_sum = np.sum(square_root_coefficients(N) ** 2) / mu
print(f"{N} batches, {of_the_last_sum:.2f} patients")
last_sum.check(of_the_last_sum)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} How many levels?
# :label: ex-levels
# *Practises: trees of blocks. 5 minutes.*
#
# A tree of threes counts recoveries among exactly 19,683 patients, which is $3^9$. Its blocks have 1, 3, 9, … patients: each block is put together from three of the next smaller size. All counts together shall be ε-differentially private with ε = 0.5 and δ = 0. Which scale does the Laplace noise of each block need?
# ````

# %% tags=["remove-input"]
levels = Exercise(
    is_right=close_to(20.0, 0.001, mistakes=[
        (18.0, "Nearly: nine levels are one too few. There are blocks of 1 patient and of 19,683, and all sizes in between."),
        (30.0, "That is for a binary tree, which has fifteen sizes of blocks up to 19,683 patients. Here each size is three times the one before."),
        (10.0, "The number of blocks is right. Each of them has 0.5/10 to spend, so what is the scale?"),
        (5.0, "You have multiplied by ε. A smaller ε needs more noise."),
        (40.0, "A count may need two blocks of one size. But the promise depends on how many blocks *one patient* is in."),
        (39_366.0, "That is for noise on every count. A patient is in far fewer blocks."),
        (20 * np.sqrt(2), "That is the standard deviation of the noise. The question is about the scale.")]),
    hint="In how many blocks is patient 1?")

# %%
scale_of_a_block = ...
levels.check(scale_of_a_block)

# %% [markdown]
# ````{solution-start} ex-levels
# :class: dropdown
# ````
#
# Blocks have 1, 3, 9, …, 19,683 patients: ten sizes, and patient 1 is in a block of each. The largest block is used for one count only, the last one, but it is published.

# %%
sizes = 3 ** np.arange(10)
scale_of_a_block = sizes.size / 0.5
print(f"{sizes.size} sizes up to {sizes[-1]:,}: a scale of {scale_of_a_block:g}")
levels.check(scale_of_a_block)

# %% [markdown]
# A binary tree has fifteen sizes for as many patients, and a scale of 30. But here a count may need two blocks of each size.
#
# ````{solution-end}
# ````
#
# ````{exercise} Visits that nobody made
# :label: ex-invented
# *Practises: noisy rows. 10 minutes.*
#
# A row of the ward's table has four cells, one for each next condition. Three of them never occur; their true counts are 0, and the fourth count is large. Each cell has Gaussian noise with a standard deviation of 60. A programmer holds small counts for noise: a cell below 60 is replaced by 0, and the others stay as they are. Then the row is added up, to
# get the number of visits. By how many visits is this number too large, on average?
# ````

# %% tags=["remove-input"]
one_cell = 60 * np.exp(-0.5) / np.sqrt(2 * np.pi)
invented = Exercise(
    is_right=close_to(3 * one_cell, 0.01, mistakes=[
        (one_cell, "That is for one empty cell."),
        (4 * one_cell, "The fourth count is large, so it is hardly ever replaced."),
        (180 / np.sqrt(2 * np.pi), "That is for negative cells replaced by 0. Here those between 0 and 60 are replaced as well."),
        (180 * 0.158655, "That is the probability that a cell stays, times 60. A cell that stays is larger than 60."),
        (180 * 1.525135, "That is the mean of cells that stay. Five in six do not stay, and count as 0."),
        (3 * (one_cell - 60 * 0.158655), "You have lowered all cells by 60. Those above 60 stay as they are."),
        (60 * np.sqrt(3), "That is a standard deviation, of the sum of three noises. The question is about a mean.")]),
    hint="What is the mean of a normal z of mean 0, if z below 60 counts as 0? Integrate z times its density from 60 on, or draw a million.")

# %%
too_many = ...
invented.check(too_many)

# %% [markdown]
# ````{solution-start} ex-invented
# :class: dropdown
# ````
#
# With φ the density of $N(0, \sigma^2)$, the derivative of $-\sigma^2\varphi$ is $z\,\varphi(z)$. So the integral of $z\,\varphi(z)$ from σ on is $\sigma^2 \varphi(\sigma) = \sigma\,e^{-1/2}/\sqrt{2\pi} \approx 0.24\,\sigma$, in each of three empty cells.

# %%
too_many = 3 * 60 * np.exp(-1 / 2) / np.sqrt(2 * np.pi)
print(f"{too_many:.1f} visits")
invented.check(too_many)

# %% [markdown]
# Such visits look like experience. `plausible_counts` keeps the row's own noisy total, which is right on average, and lowers the other cells until they add up to it.
#
# ````{solution-end}
# ````
#
# ## Core
#
# ````{exercise} As expensive as chance
# :label: ex-as-chance
# *Practises: what ε costs with several treatments. 10 minutes.*
#
# Five treatments help 80, 70, 60, 50 and 40 of 100 patients. By the two rough formulas of {doc}`05_private_arms`, a bad treatment costs $\ln(T)/\text{gap}$ recoveries for chance, and $\ln(T)/\varepsilon$ more for privacy. At which ε do all bad treatments together cost as much for privacy as for chance?
# ````

# %% tags=["remove-input"]
as_chance = Exercise(
    is_right=close_to(0.192, 0.005, mistakes=[
        (0.24, "The best treatment has no gap, and costs nothing. Four are bad."),
        (0.1, "That is the smallest gap. There privacy costs as much as chance for this one treatment only."),
        (0.25, "That is the mean gap. The mean of 1/gap is not 1 over the mean gap: the small gaps cost most."),
        (5.2083, "It is upside down."),
        (1.0, "You have added up the gaps. What a treatment costs is proportional to 1/gap."),
        (0.048, "Each of the four bad treatments costs ln(T)/ε for privacy. You have counted this once.")]),
    hint="Add up 1/gap over the bad treatments. How often is 1/ε paid?")

# %%
where_both_are_equal = ...
as_chance.check(where_both_are_equal)

# %% [markdown]
# ````{solution-start} ex-as-chance
# :class: dropdown
# ````
#
# The gaps are 0.1, 0.2, 0.3 and 0.4. Chance costs $\ln T$ times the sum of $1/\text{gap}$, and privacy $\ln T$ times $4/\varepsilon$. The logarithm cancels.

# %%
gaps = np.array([0.1, 0.2, 0.3, 0.4])
where_both_are_equal = gaps.size / np.sum(1 / gaps)
print(f"ε = {where_both_are_equal:.3f}")
as_chance.check(where_both_are_equal)

# %% [markdown]
# For a single bad treatment it is its gap. Small gaps make learning expensive anyway, and privacy adds little to them. The constants of a real rule differ: {ref}`the evidence <online-bandit-gap>` finds that of privacy to be the larger one.
#
# ````{solution-end}
# ````
#
# ````{exercise} No antibiotic for anybody
# :label: ex-antibiotic
# *Practises: the price of plain privacy. 15 minutes.*
#
# A hospital promises *plain* privacy for all treatments, with δ = 0, as on {doc}`06_why_joint`. One patient in **five**, independently of all others, has bacteria and needs the antibiotic. The other four have a virus and need rest. The hospital knows this, and wants the smallest share of wrong treatments that plain privacy allows. Up to which ε does it do best if it never gives the antibiotic?
# ````

# %% tags=["remove-input"]
no_antibiotic = Exercise(
    is_right=close_to(np.log(4), 0.005, mistakes=[
        (np.log(5), "You have set e^−ε equal to 0.2. How often does a hospital err that answers as truly as ε allows?"),
        (4.0, "That is the ratio that ε must allow. Privacy allows a ratio of e^ε."),
        (0.0, "That is for two kinds which are equally frequent. Here a hospital that never gives the antibiotic errs with one patient in five only."),
        (np.log10(4), "You have taken the logarithm to base 10."),
        (np.log(9), "That is for one patient in ten."),
        (1 / (1 + np.exp(0.2)), "0.2 is a share of errors, and not an ε. For which ε is the floor as high as this?")]),
    hint="How many are treated wrongly without any antibiotic? And how many, of either kind, if the right treatment is turned round as seldom as ε allows?")

# %%
never_up_to = ...
no_antibiotic.check(never_up_to)

# %% [markdown]
# ````{solution-start} ex-antibiotic
# :class: dropdown
# ````
#
# The share of wrong treatments is $0.2\,(1 - p_1) + 0.8\,p_0$. The allowed region on {doc}`06_why_joint` has four corners, and a linear function is smallest in one of them. *Never* has 0.2 and *always* has 0.8. *As true as allowed* has $1/(1 + e^\varepsilon)$, whatever the share of bacteria, and its opposite has more. So *never* is
# best if $0.2 \le 1/(1 + e^\varepsilon)$, which is $e^\varepsilon \le 4$.

# %%
never_up_to = np.log(1 / 0.2 - 1)
print(f"ε = {never_up_to:.3f}")
no_antibiotic.check(never_up_to)

# %% tags=["remove-cell"]
p0, p1 = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
for at, smallest in ((never_up_to - 0.1, 0.2), (never_up_to + 0.1, 1 / (1 + np.exp(never_up_to + 0.1)))):
    allowed = (p1 <= np.exp(at) * p0 + 1e-9) & (1 - p0 <= np.exp(at) * (1 - p1) + 1e-9)
    assert abs((0.2 * (1 - p1) + 0.8 * p0)[allowed].min() - smallest) < 0.004

# %% [markdown]
# At ε = 1 this hospital lets everybody with bacteria go untreated, although it knows the cure, and no plain promise of ε = 1 lets it treat fewer patients wrongly. Those with a rare illness pay first.
#
# ````{solution-end}
# ````
#
# ````{exercise} One noise for all cells
# :label: ex-one-noise
# *Practises: local privacy. 10 minutes.*
#
# *"On each patient's device one day is a table of twelve cells, with a single 1. Two days differ in two cells by 1, so Laplace noise of scale 2/ε makes every cell ε-private. The device draws the noise once and adds it."*
#
# Write a function of the report that tells in which cell the 1 was. The check wants it to be right for each of 200 reports at ε = 0.1.
# ````

# %%
def one_noise_for_all(day, epsilon, rng):
    return day + rng.laplace(0, 2 / epsilon)

# %% tags=["remove-input"]
def reads_reports(function, reports=200):
    report_rng, right = np.random.default_rng(), 0          # other cells each time
    for _ in range(reports):
        cell = int(report_rng.integers(12))
        said = function(one_noise_for_all(np.eye(12)[cell], 0.1, report_rng))
        if np.ndim(said) or not 0 <= said < 12 or int(said) != said:
            raise Mistake("The function must return the number of a cell, from 0 to 11.")
        right += int(said) == cell
    if right < reports:
        raise Mistake(f"It is right for {right} of {reports} reports. A guess is right for one in twelve. What do all cells have in common?")
    return True

one_noise = Exercise(is_right=reads_reports, hint="A function of one array of twelve numbers. Look at differences.")

# %%
read_a_report = ...
one_noise.check(read_a_report)

# %% [markdown]
# ````{solution-start} ex-one-noise
# :class: dropdown
# ````
#
# Each cell *alone* is private. But the noise is the same in all of them, so differences between cells have no noise at all.

# %%
def read_a_report(report):
    return int(np.argmax(report))

one_noise.check(read_a_report)

# %% [markdown]
# The noise must be independent in every cell, and fresh for every day that is reported.
#
# ````{solution-end}
# ````
#
# ````{exercise} She comes twice
# :label: ex-comes-twice
# *Practises: columns of a factor. 15 minutes.*
#
# A counter has three batches. It adds noise to $x_1$, to $\tfrac12 x_1 + x_2$ and to $\tfrac14 x_1 + \tfrac12 x_2 + x_3$. The noise is made for a patient who is in one batch. Anna is in the first and in the third. By which factor does her μ grow? Compute it by hand.
# ````

# %% tags=["remove-input"]
comes_twice = Exercise(
    is_right=close_to(np.sqrt(45 / 21), 0.002, mistakes=[
        (2.0, "That is for two stays in batch 1. What does a stay in batch 3 move?"),
        (np.sqrt(2), "That is for independent noises on single batches. Here a stay in batch 1 moves the third number as well, and in the same direction as the other stay."),
        (np.sqrt(45) / 4, "That is how far she moves the three noisy numbers. How far does a patient move them for whom the noise was made?"),
        (1.25, "The third number moves by 1.25. But the others move, too, and the noise was made for a patient who moves all three."),
        (np.sqrt(37 / 21), "You have added the squares of the two stays. They move the third number in the same direction: first add, then square."),
        (np.sqrt(61 / 21), "That is for stays in batches 1 and 2."),
        (np.sqrt(3.140625 / 1.390625), "That is for the square root. The third number here has other weights.")]),
    hint="Write down what each stay moves, as three numbers. Add them, take the length, and compare with the longest single one.")

# %%
factor_of_two_stays = ...
comes_twice.check(factor_of_two_stays)

# %% [markdown]
# ````{solution-start} ex-comes-twice
# :class: dropdown
# ````
#
# A stay in batch 1 moves the noisy numbers by $(1, \tfrac12, \tfrac14)$, a stay in batch 3 by $(0, 0, 1)$. Together it is $(1, \tfrac12, \tfrac54)$ with length $\sqrt{45}/4$. The noise was made for the longest single move, of length $\sqrt{21}/4$.

# %%
factor_of_two_stays = np.sqrt(45 / 21)
print(f"{factor_of_two_stays:.3f}")
comes_twice.check(factor_of_two_stays)

# %% [markdown]
# With the square root over 25 batches it is 1.84 for the first two. {ref}`The factor of every counter <online-returning>`.
#
# ````{solution-end}
# ````
#
# ## Find the error
#
# Each of these arguments ends in a promise that does not hold. Find the step, and show it with numbers.
#
# ````{exercise} Fresh noise for every plan
# :label: ex-fresh-noise
# *Practises: what a release is. 10 minutes.*
#
# *"A hospital makes a new plan for every patient. For each plan I take the table of counts and add Gaussian noise, drawn afresh, as much as one release at ε = 1 and δ = 10⁻⁵ needs. So each plan is (1, 10⁻⁵)-private, and a
# patient is treated by one plan only. The hospital is (1, 10⁻⁵)-jointly private."*
#
# Take a hundred plans that are made after Anna's stay. Suppose that they let the others read the noisy counts off, and that they work together. Which ε do the hundred plans have together, at δ = 10⁻⁵? `gaussian_mu(epsilon, delta)` and `gaussian_epsilon(delta, mu)` are loaded.
# ````

# %% tags=["remove-input"]
fresh_noise = Exercise(
    is_right=close_to(gaussian_epsilon(delta, 10 * mu), 0.005, mistakes=[
        (1.0, "That is one plan. The others hold a hundred noisy copies of the same count, and can average them."),
        (100.0, "That is not sharp, and as a sum it needs δ = 10⁻³ as well: it adds up the ε and the δ of a hundred releases. For Gaussian noise the μ add up by their squares."),
        (10.0, "The root of a hundred is right, but it multiplies μ, and not ε."),
        (10 * mu, "That is μ. Which ε belongs to it at δ = 10⁻⁵?"),
        (gaussian_epsilon(delta, 100 * mu), "A hundred times μ would be the same noise a hundred times. These are independent: their squares add up.")]),
    hint="What is the noise in the mean of a hundred noisy copies? See `gaussian_mu` and `gaussian_epsilon`.")

# %%
epsilon_of_a_hundred = ...
fresh_noise.check(epsilon_of_a_hundred)

# %% [markdown]
# ````{solution-start} ex-fresh-noise
# :class: dropdown
# ````
#
# The step *"and a patient is treated by one plan only"*. Joint privacy is about the treatments of all others *together*. A hundred plans with fresh noise are a hundred releases of Anna's count. Their mean has a tenth of the noise, so μ is ten times as large.

# %%
mu_of_a_hundred = np.sqrt(100) * gaussian_mu(1.0, delta)
epsilon_of_a_hundred = gaussian_epsilon(delta, mu_of_a_hundred)
print(f"ε = {epsilon_of_a_hundred:.2f}")
fresh_noise.check(epsilon_of_a_hundred)

# %% [markdown]
# A counter draws its noise once, and all plans up to the next release are made from the same noisy table. {ref}`A public program draws it afresh <online-published-code>`, and this is how its ε was refuted.
#
# ````{solution-end}
# ````
#
# ````{exercise} Publish when it is worth it
# :label: ex-trigger
# *Practises: what a schedule may depend on. 10 minutes.*
#
# *"To publish after 1, 2, 4, 8, … patients wastes releases while hardly anybody recovers. I publish whenever the number of recoveries has reached 1, 2, 4, 8, … Every published number has the noise that it needs. When it is published tells nothing, because everybody may know how many patients there were."*
#
# The function gives the numbers of patients after which something is published. Find two neighbouring data sets of at most a hundred outcomes for which the plans of at least five publications come at different times.
# ````

# %%
def published_after(outcomes):
    reached = np.cumsum(outcomes)                   # outcomes: 1 recovered, 0 not
    powers = 2 ** np.arange(7)
    return [int(np.argmax(reached >= p)) + 1 for p in powers if reached[-1] >= p]

# %% tags=["remove-input"]
def times_differ(pair):
    one, other = (np.asarray(each) for each in pair)
    if one.ndim != 1 or one.shape != other.shape or not 1 <= one.size <= 100:
        raise Mistake("Two lists of the same length, at most 100 outcomes.")
    if not (np.isin(one, (0, 1)).all() and np.isin(other, (0, 1)).all()):
        raise Mistake("Outcomes are 0 or 1.")
    if (apart := int(np.sum(one != other))) != 1:
        raise Mistake(f"They differ in {apart} patients. Neighbours differ in one.")
    times = [published_after(each) for each in (one, other)]
    different = sum(a != b for a, b in zip(*times)) + abs(len(times[0]) - len(times[1]))
    if not different:
        raise Mistake("All publications come at the same times. What if the patient who is replaced comes earlier?")
    if different < 5:
        raise Mistake(f"Only {different} of the times are different. What should the patients after her be like, so that a shift by one is never made up for?")
    return True

trigger = Exercise(is_right=times_differ, hint="Two lists such as ([1, 0, 1], [1, 1, 1]).")

# %%
two_streams = ...               # such as ([1, 0, 1], [1, 1, 1])
trigger.check(two_streams)

# %% [markdown]
# ````{solution-start} ex-trigger
# :class: dropdown
# ````
#
# The step *"when it is published tells nothing"*. The time is computed from the exact count. If all others recover, and only Anna's outcome is in doubt, every publication comes one patient later in the one world than in the other, for certain. No noise on the numbers helps.

# %%
two_streams = (100 * [1], [0] + 99 * [1])
print(*(published_after(outcomes) for outcomes in two_streams), sep="\n")
trigger.check(two_streams)

# %% [markdown]
# A schedule by the number of *patients* is public. A trigger on *published* noisy numbers is free. A trigger on exact counts needs noise of its own.
#
# ````{solution-end}
# ````
#
# ````{exercise} Her own batch
# :label: ex-own-batch
# *Practises: the billboard lemma, and an audit. 20 minutes.*
#
# *"Why should the patients of a batch wait? The noise on the board comes at the end of the batch. Until then the doctor adds up in her head: the noisy sum on the board, plus the votes of this batch so far. Every treatment is computed from the noisy sum, so the hospital is jointly private by the billboard lemma."*
#
# Here is a batch of 40 patients. The first is Anna. The board was published before, so everybody can read it. Refute the promise: give two neighbouring lists of votes, +1 or −1, that differ in Anna's vote, and an event: a function of the board and of the treatments of the 39 others that says yes or no. The
# check runs the batch 2,000 times on each list, and wants a proof that ε is above 1, with 99.9999 % confidence.
# ````

# %%
def a_batch(votes, rng):
    board = so_far = rng.normal(0, 10)              # a noisy sum, published
    treatments = []
    for vote in votes:
        treatments.append(+1 if so_far > 0 else -1)
        so_far += vote                              # in the doctor's head
    return board, np.array(treatments)

# %% tags=["remove-input"]
def refutes(audit, trials=2_000):
    one, other, event = np.asarray(audit[0]), np.asarray(audit[1]), audit[2]
    if one.shape != (40,) or other.shape != (40,) or not (np.isin(one, (-1, 1)).all() and np.isin(other, (-1, 1)).all()):
        raise Mistake("Two lists of 40 votes, each +1 or −1.")
    if one[0] == other[0] or (one[1:] != other[1:]).any():
        raise Mistake("The two lists must differ in the first vote, Anna's, and in no other.")
    audit_rng, hits = np.random.default_rng(), [0, 0]       # fresh, and in a random order: an event cannot know which list it sees
    for which in audit_rng.permutation(np.repeat([0, 1], trials)):
        board, treatments = a_batch((one, other)[which], audit_rng)
        hits[which] += bool(event(board, treatments[1:]))
    if hits[0] == hits[1] == 0:
        raise Mistake("Your event never happens.")
    if hits[0] == hits[1] == trials:
        raise Mistake("Your event always happens.")
    found = max(epsilon_lower_bound(a, b, trials, delta=delta, confidence=0.999999) for a, b in (hits, hits[::-1]))
    if found <= 1:
        raise Mistake(f"Your event happens {hits[0]} and {hits[1]} times in {trials:,}, which proves ε ≥ {found:.2f}. Look for an event that is possible in one of the two worlds only.")
    return True

own_batch = Exercise(is_right=refutes, hint="Let the others vote so that the sum must pass zero. When does the treatment change, if you know the board?")

# %%
my_audit = ...                # (votes, other_votes, event)
own_batch.check(my_audit)

# %% [markdown]
# ````{solution-start} ex-own-batch
# :class: dropdown
# ````
#
# The step *"computed from the noisy sum"*. It is computed from the noisy sum *and from exact votes of others*, among them Anna's. The lemma allows published sums and the patient's own data, and nothing else. Let everybody after Anna vote −1. If the board shows $b$ between 1 and 37, the treatment changes when the sum passes zero, and the
# place shows Anna's vote exactly.

# %%
recovered, not_recovered = np.array([+1] + 39 * [-1]), np.array(40 * [-1])

def it_changes_where_plus_one_says(board, treatments):
    sums = board + np.cumsum(recovered)[:-1]        # before each of the 39
    foreseen = np.where(sums > 0, 1, -1)
    changes = foreseen[0] != foreseen[-1]
    return changes and (treatments == foreseen).all()

my_audit = (recovered, not_recovered, it_changes_where_plus_one_says)
own_batch.check(my_audit)

# %% [markdown]
# So the order matters: first release, then treat. A patient's own chart may be used at once, for her own treatment only.
#
# ````{solution-end}
# ````
#
# ## Proofs to write
#
# No program checks these. Write your proof first, open the model answer, and give yourself points by the scheme. Each proof has ten.
#
# ````{exercise} A plain promise is a joint one
# :label: ex-proof-joint
# *Practises: the definition of joint privacy. 10 minutes.*
#
# The treatments $O = (O_1, \dots, O_n)$ of all patients together are (ε, δ)-differentially private, if the data of one patient are replaced. Prove that the hospital is (ε, δ)-jointly private ({prf:ref}`def-joint-privacy`). Then show by an example that a hospital may be jointly private with ε = 0 and δ = 0, although all treatments together
# have no promise with a δ below 1.
# ````
#
# ````{solution-start} ex-proof-joint
# :class: dropdown
# ````
#
# **Model answer.** Take a patient $k$, data $U$ and $U'$ that differ only in $U_k$, and a set $E$ of treatments of all others. Let
#
# $$F = \{o : o_{-k} \in E\}$$
#
# be the set of *all* treatments together in which those of the others are in $E$, whatever patient $k$ gets. Then $O_{-k} \in E$ happens exactly if $O \in F$. The promise for all treatments together holds for every set, and so for $F$:
#
# $$\begin{gathered} \Pr[O_{-k}(U) \in E] = \Pr[O(U) \in F] \\ \le e^\varepsilon \Pr[O(U') \in F] + \delta \\ = e^\varepsilon \Pr[O_{-k}(U') \in E] + \delta . \end{gathered}$$
#
# *The example.* Every patient is treated by her own chart and nothing else: $O_k = U_k$, with two kinds of illness and a treatment for each. If $U_k$ is replaced, $O_{-k}$ stays as it is, so both sides have the same probabilities: ε = 0 and δ = 0. But the event *"patient $k$ gets the treatment for the first kind"* has probability 1 if
# she has it, and 0 if she has the other one. Hence $1 \le e^\varepsilon \cdot 0 + \delta$, and δ = 1 at every ε.
#
# | step | points |
# |---|---:|
# | Fixes $k$, data that differ in $U_k$ only, and a set $E$ of treatments of the *others* | 2 |
# | The set $F$, and that the two events are the same | 2 |
# | The promise for $F$, and the chain back to $E$ | 2 |
# | An example in which the others' treatments do not depend on $U_k$ | 2 |
# | An event about $O_k$ and its two probabilities | 2 |
#
# **Often lost.** *"To publish less cannot hurt"* is the idea, and has two points. The proof must name the set to which the promise is applied.
#
# ````{solution-end}
# ````
#
# ````{exercise} The tree keeps its promise
# :label: ex-proof-tree
# *Practises: blocks, sensitivity in the L1 norm. 20 minutes.*
#
# Patients $1, \dots, K$ have outcomes between 0 and 1, fixed beforehand. Let $L = \lfloor \log_2 K\rfloor + 1$. For each size $2^i$ with $0 \le i < L$ the tree has the blocks $1, \dots, 2^i$, then $2^i + 1, \dots, 2 \cdot 2^i$, and so on, as far as they are full. The sum of each block gets Laplace noise of scale $L/\varepsilon$,
# independently. Each count is put together from noisy blocks. Prove
#
# 1. that all counts together are ε-differentially private with δ = 0, if one outcome is replaced;
# 2. that every count can be put together so that its noise has a standard deviation of at most $\sqrt2\, L^{1.5}/\varepsilon$.
#
# You may use that Laplace noise of scale $\Delta/\varepsilon$ keeps ε if a list moves by at most Δ in the L1 norm: {ref}`a proof <ex-proof-laplace>`.
# ````
#
# ````{solution-start} ex-proof-tree
# :class: dropdown
# ````
#
# **Model answer.** *1.* Two blocks of the same size have no patient in common. So patient $k$ is in at most one block of each size, and in at most $L$ blocks in all. If her outcome is replaced, at most $L$ sums change, each by at most 1. Hence the list of all sums of blocks moves by at most $\Delta = L$ in the L1 norm. Independent Laplace noise of scale
# $\Delta/\varepsilon = L/\varepsilon$ makes this list ε-differentially private. The counts are computed from the noisy list, so they are, too.
#
# *2.* Let $1 \le t \le K$. Write $t = 2^{i_1} + 2^{i_2} + \dots + 2^{i_r}$ with $i_1 > i_2 > \dots > i_r$, which are the ones among its binary digits. Cut the patients $1, \dots, t$ into pieces of these lengths, the longest first. The piece of length $2^{i_j}$ begins after $2^{i_1} + \dots + 2^{i_{j-1}}$ patients. All these powers are multiples of $2^{i_j}$, so the
# piece is a block of the tree. It is full, because it ends at $t$ or before. From $t \le K < 2^L$ it follows that $i_1 < L$ and that $t$ has at most $L$ binary digits, so $r \le L$. The count after $t$ patients is the sum of these $r$ blocks. Their noises are independent and have the variance $2\,(L/\varepsilon)^2$ each. So the variance of the count is $2r\,(L/\varepsilon)^2$. As $r \le L$, this is at most $2 L^3/\varepsilon^2$, and the standard deviation at most $\sqrt2\, L^{1.5}/\varepsilon$.
#
# | step | points |
# |---|---:|
# | Blocks of one size are disjoint, so a patient is in at most $L$ blocks | 2 |
# | The L1 norm is at most $L$, and Laplace noise of this scale | 2 |
# | Counts are computed from noisy blocks | 1 |
# | Binary digits, and that each piece is a block of the tree | 3 |
# | At most $L$ pieces, and their variances | 2 |
#
# **Often lost.** *"Each block is $\varepsilon/L$-private and there are $L$ of them"* is wrong as it stands, because the tree has nearly $2K$ blocks. It is right with the reason that one patient is in $L$ of them, and then has full points. That the pieces are *blocks* is often not shown: patients 2 and 3 are no block.
#
# ````{solution-end}
# ````
#
# ````{exercise} Many kinds of illness
# :label: ex-proof-kinds
# *Practises: the price of plain privacy. 20 minutes.*
#
# Each patient is of one of $m \ge 2$ kinds, all equally likely, whatever the data of the others are. There are $m$ treatments, and each is right for one kind and wrong for all others. All treatments of all patients together are (ε, δ)-differentially private, if one patient is replaced. Prove that for each patient the probability of a wrong treatment, averaged over her $m$ kinds, is
#
# $$w \ge \frac{(m - 1)(1 - \delta)}{m - 1 + e^\varepsilon} .$$
#
# Show that with δ = 0 this floor can be reached. For $m = 2$ it is {prf:ref}`thm-wrong-treatment`.
# ````
#
# ````{solution-start} ex-proof-kinds
# :class: dropdown
# ````
#
# **Model answer.** Fix the patient, and the data of all others. Let $p_{ij}$ be the probability that the patient gets treatment $j$ if she is of kind $i$, where treatment $j$ is right for kind $j$. Take two kinds $i \ne j$, and the event that she gets treatment $j$. The promise says
#
# $$p_{jj} \le e^\varepsilon p_{ij} + \delta .$$
#
# There are $m(m - 1)$ such inequalities, one for each ordered pair. Add them all up. Each $p_{jj}$ occurs $m - 1$ times on the left:
#
# $$\begin{gathered} (m - 1) \sum_j p_{jj} \\ \le e^\varepsilon \sum_{i \ne j} p_{ij} + m(m - 1)\,\delta . \end{gathered}$$
#
# The probability of a wrong treatment with kind $i$ is $1 - p_{ii} = \sum_{j \ne i} p_{ij}$, and $w$ is its mean over the $m$ kinds, as yet for fixed data of the others. So $\sum_j p_{jj} = m(1 - w)$ and $\sum_{i \ne j} p_{ij} = mw$. Put both in, and divide by $m$:
#
# $$\begin{gathered} (m - 1)(1 - w) \le e^\varepsilon w + (m - 1)\,\delta , \\ (m - 1)(1 - \delta) \le (m - 1 + e^\varepsilon)\, w . \end{gathered}$$
#
# This holds for all data of the others. If these are random, $w$ is the mean over them as well. Her kind is equally likely to be any of the $m$, whatever they are, so the bound stays as it is.
#
# *It is reached.* Let every patient get the right treatment with probability $e^\varepsilon/(m - 1 + e^\varepsilon)$, and each other one with probability $1/(m - 1 + e^\varepsilon)$, independently of all other patients. These add up to 1. If one patient's kind is replaced, only her own treatment changes its distribution, and the ratio of two
# probabilities of one treatment is $e^\varepsilon$, 1 or $e^{-\varepsilon}$. So all treatments together are (ε, 0)-differentially private, and $w = (m - 1)/(m - 1 + e^\varepsilon)$.
#
# | step | points |
# |---|---:|
# | The inequality for one treatment and two kinds, with the data of the others fixed | 2 |
# | All ordered pairs added up, with the right counts of terms | 3 |
# | Both sums in terms of $w$ | 2 |
# | Solved for $w$, for all data of the others | 1 |
# | Reached: the probabilities, and why they keep the promise | 2 |
#
# **Often lost.** To apply the floor for two kinds to each pair of the $m$ kinds gives only $w \ge (1 - \delta)/(1 + e^\varepsilon)$, and has at most five points.
#
# ````{solution-end}
# ````
#
# ## Longer ones
#
# ````{exercise} Counts from devices
# :label: ex-from-devices
# *Practises: local privacy, estimates that are right on average. 25 minutes.*
#
# On each of $n$ devices one of twelve cells is true. The device reports one cell: the true one with probability $e^\varepsilon/(e^\varepsilon + 11)$, and each of the other eleven with probability $1/(e^\varepsilon + 11)$. So it is ε-locally private, with δ = 0.
#
# Write the function `counts_from_reports(reports, epsilon)`. It gets the reported cells, an array of numbers from 0 to 11, and returns twelve estimates of how many devices have each cell. Each estimate shall be right *on average*. The check draws nothing: it goes through all reports that one and two devices can send.
# ````

# %% tags=["remove-input"]
def right_on_average(function):
    for at in (0.5, 2.0):
        chance = (np.ones((12, 12)) + (np.exp(at) - 1) * np.eye(12)) / (np.exp(at) + 11)     # true cell, reported cell
        said = [np.asarray(function(np.array([cell]), at), float) for cell in range(12)]
        if any(one.shape != (12,) for one in said):
            raise Mistake("Return twelve numbers, one for each cell.")
        if np.allclose(said, np.eye(12)):
            raise Mistake("These are the counts of the reports as they are. Most devices report a cell that is not the true one.")
        if np.min(said) >= 0:
            raise Mistake("None of your estimates is ever below 0. Too high ones must be made up for by some that are too low, and for an empty cell these are negative.")
        mean = chance @ said
        if not np.allclose(mean, np.eye(12), atol=1e-6):
            raise Mistake(f"One device whose true cell is 3, at ε = {at:g}: on average you say {mean[3, 3]:.3g} for cell 3 and {mean[3, 0]:.3g} for cell 0. It should be 1 and 0.")
        both = np.array([[function(np.array([one, other]), at) for other in range(12)] for one in range(12)], float)
        for one, other in ((3, 3), (2, 9)):
            mean = np.einsum("a,b,abc->c", chance[one], chance[other], both)
            if not np.allclose(mean, np.eye(12)[one] + np.eye(12)[other], atol=1e-6):
                raise Mistake(f"For one device it is right on average. For two devices whose true cells are {one} and {other}, you say {mean[one]:.3g} for cell {one}. How does what you subtract depend on the number of reports?")
    return True

from_devices = Exercise(is_right=right_on_average, hint="If n devices report, and m of them have cell 0, how many report cell 0 on average? Solve for m.")

# %%
counts_from_reports = ...     # a function of reports and epsilon
from_devices.check(counts_from_reports)

# %% [markdown]
# ````{solution-start} ex-from-devices
# :class: dropdown
# ````
#
# Call $p$ and $q$ the probabilities of the true cell and of each other one. If $m$ of $n$ devices have a cell, it is reported by $pm + q(n - m) = qn + (p - q)\,m$ devices on average. So subtract $qn$ from the reports, and divide by $p - q = (e^\varepsilon - 1)/(e^\varepsilon + 11)$.

# %%
def counts_from_reports(reports, epsilon):
    total = np.exp(epsilon) + 11
    reported = np.bincount(reports, minlength=12)
    return (reported * total - len(reports)) / np.expm1(epsilon)

n_devices, truly = 10_000, 1 / (np.exp(1.0) + 11)
sd_of_an_empty_cell = (np.sqrt(n_devices * truly * (1 - truly))
                       * (np.exp(1.0) + 11) / np.expm1(1.0))
print(f"{n_devices:,} devices at ε = 1: "
      f"an empty cell is off by {sd_of_an_empty_cell:.0f}")
from_devices.check(counts_from_reports)

# %% [markdown]
# It is the only function that is right on average. For one device the averages are twelve equations for each cell, and they have one solution; for $n$ devices it is the same. Centrally, Gaussian noise on a table in which one patient moves two cells would have a standard deviation of √2 · 3.73 = 5.3 at ε = 1 and δ = 10⁻⁵, whatever the number of patients.
#
# ````{solution-end}
# ````
#
# ````{exercise} Better than the square root
# :label: ex-better-mixing
# *Practises: factorisations. One hour, or a weekend.*
#
# For 16 batches, a counter writes the running sum $A$, the lower triangle of ones, as $A = L R$. It adds noise to $R x$ and publishes $L$ times the result. For the same promise, the largest error is the longest row of $L$ times the longest column of $R$. Now the last four sums go into a yearly report, and
# an error there counts twice: the last four rows of $L$ are taken twice as long. With the square root the largest error is then 3.888, and with `LeastLargest` of the package, which is made for errors that count alike, 3.409. Find a lower-triangular $L$ for which it is below 2.85.
# ````

# %% tags=["remove-input"]
A, counts = np.tril(np.ones((16, 16))), np.repeat([1.0, 2.0], [12, 4])

def largest_error(L):
    R = np.linalg.solve(L, A)
    return (counts * np.linalg.norm(L, axis=1)).max() * np.linalg.norm(R, axis=0).max()

def is_better(L):
    L = np.asarray(L, float)
    if L.shape != (16, 16) or not np.isfinite(L).all():
        raise Mistake("A matrix of 16 rows and 16 columns, please, all of them numbers.")
    if abs(np.triu(L, 1)).max() > 1e-9:
        raise Mistake("It must be lower triangular, so that each sum needs only the noise of the batches so far. A rotation can make it so, and changes no length.")
    if np.linalg.cond(L) > 1e8:
        raise Mistake("L must be invertible, so that R can be computed.")
    error = largest_error(L)
    if error > 3.8877:
        raise Mistake(f"Its largest error is {error:.3f}; the square root has 3.888.")
    if error > 3.4089:
        raise Mistake(f"Its largest error is {error:.3f}; `LeastLargest` has 3.409. It makes all rows equally long. How long should the last four be?")
    if error >= 2.85:
        raise Mistake(f"Its largest error is {error:.3f}, better than both. Less than 2.78 is possible. Where are rows or columns still short?")
    return True

better_mixing = Exercise(is_right=is_better, hint="L itself must give A. But which matrix do you factorise, if an error in its last four rows counts twice? Give its rows and columns weights, look at the singular values of the weighted matrix, and raise the weights of long rows. Then make it triangular by a rotation, which changes no length.")

# %%
my_mixing = ...               # L
better_mixing.check(my_mixing)

# %% [markdown]
# ````{solution-start} ex-better-mixing
# :class: dropdown
# ````
#
# Take the last four rows of $A$ twice, and call it $B$. For probabilities $w$ of the rows and $v$ of the columns, the sum of the singular values of $M = W^{1/2} B V^{1/2}$ is a lower bound for every factorisation. At the best weights it is attained. The weights are found by repetition: in each round, a row gets the weight that it has in $(MM^\top)^{1/2}$.

# %%
B = np.repeat([1.0, 2.0], [12, 4])[:, None] * A
w, v = np.full(16, 1 / 16), np.full(16, 1 / 16)
for _ in range(3_000):
    M = np.sqrt(w)[:, None] * B * np.sqrt(v)
    left, values, right = np.linalg.svd(M)
    bound = values.sum()
    w, v = left**2 @ values / bound, values @ right**2 / bound
R = np.sqrt(values)[:, None] * right / np.sqrt(v)
_, upper = np.linalg.qr(R[:, ::-1])             # a rotation, from the end
my_mixing = np.tril(A @ np.linalg.inv(upper[::-1, ::-1]))
print(f"{largest_error(my_mixing):.4f}; no mixing is below {bound:.4f}")
better_mixing.check(my_mixing)

# %% [markdown]
# Both numbers agree, so this is the best that there is. If all errors count alike, the best has 1.704, where the square root has 1.944: this is `LeastLargest`. Is it also better for *learning*? Its error is the same at all times, and the square root has less noise in the first sums, when the learner needs it most. {ref}`A table of both <online-regret-table>`.
#
# ````{solution-end}
# ````
#
# ## Research
#
# ````{exercise} Her own chart
# :label: ex-own-chart
# *Practises: joint privacy, where it is free. Open: a weekend to begin with.*
#
# A patient's own chart may be used for her own treatment without any noise. Our learners hardly do so: of the chart they use only today's condition. Suppose that patients differ, and that the first days of a stay show how a patient responds. Design a learner that combines the noisy board with the exact chart of the patient who is treated. How
# much of the price of privacy does it save in the ward, if the probability to improve varies between patients? Choose its settings on other worlds.
# ````
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. In the river, a learner's indices are all cut off at the same ceiling, so that all treatments tie. Its program takes the last of them, "right", and its regret is 13 in place of 67,069. What does this show?**
#
# ```{dropdown} That the learner works, although its bonuses are large.
# It has not looked at the data at all. Its policy would be the same in a river that flows the other way.
# ```
# ```{dropdown} That ties broken by index can look like learning.
# ✓ Yes. "Right" happens to be the answer in this world. With ties to the left the regret is 65,945. Break ties at random, and the regret shows that nothing was learned.
# ```
# ```{dropdown} That privacy costs nothing in the river.
# The noise had no influence on the policy, and neither had the data.
# ```
#
# **2. After a release the hospital finds that batch 3 was added up wrongly. It corrects the sum, draws new noise, and publishes it again. What has it promised to the patients of batch 3?**
#
# ```{dropdown} Still the same, because the wrong sum does not count.
# The wrong sum was computed from their data, too, and it was published.
# ```
# ```{dropdown} Nothing any more.
# A second release makes the promise weaker, by an amount that can be computed.
# ```
# ```{dropdown} The promise of both releases together, which is weaker.
# ✓ Yes. If the second one has the same noise as the first, and no sum counted a patient twice, μ grows by up to √2. A batch may be released once, so check the sums before.
# ```
#
# **3. The board of a jointly private hospital was used for 32 worlds in each batch. Now each patient shall have a world of her own, drawn from the same board: thousands of worlds. What does it cost?**
#
# ```{dropdown} Nothing.
# ✓ Yes. All worlds are computed from the board. Whatever is drawn from it, however often, is post-processing.
# ```
# ```{dropdown} μ grows like the square root of the number of worlds.
# This would be so if each world had fresh noise on the exact counts.
# ```
# ```{dropdown} It depends on how similar the worlds are.
# Similar or not, they hold nothing that is not on the board.
# ```
#
# **4. A ward is jointly private with ε = 1. The same patients' data are also used for a yearly report, differentially private in the central model with ε = 0.5. What can be said of both together?**
#
# ```{dropdown} ε = 1.5 in the central model.
# The central model would cover each patient's own treatment as well. The ward never promised that.
# ```
# ```{dropdown} Nothing, because guarantees of different models cannot be compared.
# They are not to be added up as they are. But a central promise implies a joint one.
# ```
# ```{dropdown} ε = 1.5 in the joint model.
# ✓ Yes. The report is published to all others, so by the billboard lemma it is jointly private with ε = 0.5. Then both are of one model and add up.
# ```
#
# **5. Devices send reports with local privacy at ε = 0.5. The policies are carried out on the devices. A newspaper obtains the list of all treatments, each with the patient's name. Is it (0.5, 0)-differentially private in the plain sense?**
#
# ```{dropdown} Yes, because local privacy is the strongest of the three.
# It is the strongest for what is *reported*. A treatment is not a report.
# ```
# ```{dropdown} No. A patient's own treatment is chosen by her true condition, on her device.
# ✓ Yes. The noise is in the reports. The treatments of the others tell hardly anything about Anna, but her own may show her condition.
# ```
# ```{dropdown} Yes, if there are enough patients.
# The number of patients does not change what Anna's own line in the list says.
# ```
