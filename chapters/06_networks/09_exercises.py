# ---
# jupyter:
#   myst:
#     html_meta:
#       description: 'Exercises on private networks that check themselves, from warm-ups to research, and a quiz with a reason for each answer.'
# ---

# %% [markdown]
# # Exercises and a quiz
#
# ```{admonition} At a glance
# :class: tip
# * **What is here.** Ten exercises on {doc}`01_insulin_for_a_day` to {doc}`08_what_you_would_do_today`: four warm-ups, three arguments with an error, and three longer ones. Besides, there are an open problem, and four questions that need no pencil.
# * **How it works.** In the notebook (`make lab`), put your answer in place of the `...` and run the cell: it says what is missing, what
#   went wrong, or that you are right. In the book, answers that are numbers can be typed into the page, and solutions can be opened.
# * **How long.** Each exercise says it. Half an hour for the warm-ups, a quarter for the quiz, and about two hours for all but the open one.
# ```

# %% tags=["parameters", "remove-cell"]
effort = 1.0  # the fraction of the full work
seed = 9090   # all randomness comes from here

# %% tags=["hide-input"]
import numpy as np
import torch

from privrl_core.networks import noise_multiplier, one_run_epsilon
from privrl_core.pages import Exercise, Mistake, close_to
from privrl_core.privacy import REPLACE_ONE, gaussian_epsilon, gaussian_mu

torch.set_num_threads(1)
epsilon, delta = 1.0, 1e-5
mu = float(gaussian_mu(epsilon, delta))

# %% [markdown]
# ## Warm-up
#
# ````{exercise} Three days of one person
# :label: ex-net-two-days
# *Practises: what a unit is. 5 minutes.*
#
# A network was trained with everybody in each step, and its promise is ε = 1 at δ = 10⁻⁵ for one *day*. Anna is in the records with three days. Which ε protects *Anna*, at the same δ, if all three are added or removed? The cell at the top has loaded `mu`, which is 0.268 for (1, 10⁻⁵), and the function `gaussian_epsilon(delta, mu)`.
# ````

# %% tags=["remove-input"]
three_days = Exercise(
    is_right=close_to(gaussian_epsilon(delta, 3 * mu), 0.005, mistakes=[
        (1.0, "That is the promise for one day. Each of her days adds a vector of length C to each sum."),
        (3.0, "Nearly, and a little too good: for Gaussian noise μ is three times as large, and not ε at the same δ."),
        (gaussian_epsilon(delta, np.sqrt(3) * mu), "You have added squares. That is right for three independent releases; here all days enter the same sum and may push in the same direction."),
        (3 * mu, "That is μ. Which ε belongs to it at δ = 10⁻⁵?"),
        (gaussian_epsilon(delta, 6 * mu), "That is for three days that are replaced by three others.")]),
    hint="How far do her three days move a sum, and what does that do to μ?")

# %%
epsilon_for_anna = ...
three_days.check(epsilon_for_anna)

# %% [markdown]
# ````{solution-start} ex-net-two-days
# :class: dropdown
# ````
#
# Three vectors of length C in the same direction move the sum by 3C, and so μ is three times as large.

# %%
epsilon_for_anna = gaussian_epsilon(delta, 3 * mu)
print(f"ε = {epsilon_for_anna:.3f}")
three_days.check(epsilon_for_anna)

# %% [markdown]
# To promise ε = 1 to a person, clip the gradient of *all* her days together: one person, one gradient.
#
# ````{solution-end}
# ````
#
# ````{exercise} Noise in a step
# :label: ex-net-noise
# *Practises: σ, C and the public number. 10 minutes.*
#
# There are 1,000 people, and everybody takes part in each of 100 steps. The clip is C = 0.1. At ε = 1 and δ = 10⁻⁵, add or remove one: what is the standard deviation of the noise in one coordinate of the *mean* gradient that the optimiser gets? `mu` is loaded.
# ````

# %% tags=["remove-input"]
in_the_mean = 10 / mu * 0.1 / 1000
noise_in_a_step = Exercise(
    is_right=close_to(in_the_mean, 0.005, mistakes=[
        (in_the_mean * 1000, "That is the noise in the sum. The optimiser gets the mean."),
        (in_the_mean * 10, "C = 0.1 is missing. The noise is σ times C."),
        (in_the_mean / 10, "That is the noise for one step. A hundred steps need √100 times as much."),
        (in_the_mean * 10_000, "That is σ. Multiply by C, and divide by the number of people."),
        (in_the_mean * 2, "That is for *replace one*."),
        (in_the_mean * 10 / np.sqrt(1000) * 100, "Dividing by √1,000 would be right if each person had noise of her own. The noise is added once to the sum.")]),
    hint="σ = √100/μ, the noise of a sum is σ C, and the mean divides by N.")

# %%
noise_of_the_mean = ...
noise_in_a_step.check(noise_of_the_mean)

# %% [markdown]
# ````{solution-start} ex-net-noise
# :class: dropdown
# ````

# %%
sigma = np.sqrt(100) / mu
noise_of_the_mean = sigma * 0.1 / 1000
print(f"σ = {sigma:.1f}; {noise_of_the_mean:.5f} in the mean gradient")
noise_in_a_step.check(noise_of_the_mean)

# %% [markdown]
# Small? Compare lengths. The mean of clipped gradients is at most C = 0.1 long. The noise in the 417 weights of {doc}`our network <02_one_person_one_gradient>` together is about $\sqrt{417} \cdot 0.00373 = 0.076$ long, three quarters of that.
#
# ````{solution-end}
# ````
#
# ````{exercise} Clipping turns a step round
# :label: ex-net-turns
# *Practises: what clipping does to a sum. 5 minutes.*
#
# A network has one weight, the strength of insulin. Nine people have the gradient −1, and Anna, who hardly answered insulin on that day, has +12. The sum is +3, so the whole group is predicted better by a smaller weight. With C = 1, what is the clipped sum? And for which C does it still have the wrong sign? The check asks for the first number.
# ````

# %% tags=["remove-input"]
turns_round = Exercise(
    is_right=close_to(-8.0, 1e-9, mistakes=[
        (3.0, "That is the sum without clipping."),
        (1.0, "You have clipped the sum. Clip each person's gradient, and then add."),
        (0.0, "You have clipped nine people to 1 in all. Each of them has length 1 and stays as it is."),
        (-10.0, "Anna's gradient is shortened, and keeps its sign."),
        (-9.0, "Anna is still there: she counts with length C.")]),
    hint="Which gradients are longer than C?")

# %%
clipped_sum_of_ten = ...
turns_round.check(clipped_sum_of_ten)

# %% [markdown]
# ````{solution-start} ex-net-turns
# :class: dropdown
# ````
#
# Nine times −1 stay, and +12 becomes +1. The clipped sum is −8, and the step goes the other way: the weight grows. For C from 1 to 12 the sum is C − 9, which is negative for every C below 9. For C below 1 it is −8 C.

# %%
clipped_sum_of_ten = 9 * (-1) + 12 * min(1, 1 / 12)
turns_round.check(clipped_sum_of_ten)

# %% [markdown]
# Clipping is no rescaling. It replaces the mean by something closer to a majority. Whether that is better or worse depends on what the mean was for: nine of ten people gain by the clipped step. {doc}`In a policy gradient the majority may be wrong <06_learning_on_people>`.
#
# ````{solution-end}
# ````
#
# ````{exercise} The sum
# :label: ex-net-sum
# *Practises: one gradient a person. 10 minutes.*
#
# Write the function that everything rests on. `gradients[N, H, P]` holds the gradient of each of N people at each of H half hours of the day, already divided by H; P is the number of weights. Clip each person, and return the sum, which has P numbers.
# ````

# %% tags=["remove-input"]
def people():
    """Gradients of three people with five steps and seven weights, some far apart in length, and a clip."""
    draw = np.random.default_rng([seed, 4])
    for scales in (np.r_[1e-3, 1.0, 30.0], np.r_[0.0, 1.0, 1e4]):
        gradients = draw.normal(size=(3, 5, 7)) * scales[:, None, None]
        for C in (0.5, 20.0):
            yield gradients, C

def weighed(sums):
    """A number for each of the sums, in which every weight counts."""
    return [float(np.dot(np.sqrt(np.arange(2, 9)), one)) for one in sums]

# %% tags=["remove-input"]
def lengths(vectors):
    return np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)

def of_all(function):
    return weighed(function(gradients, gradients.sum(axis=1), C) for gradients, C in people())

its_sums = close_to(of_all(lambda g, each, C: (each * np.minimum(1, C / lengths(each))).sum(axis=0)), 1e-6, mistakes=[
    (of_all(lambda g, each, C: (g * np.minimum(1, C / lengths(g))).sum(axis=(0, 1))),
     "You have clipped each step. Then a person with 36 steps can move the sum by 36 C. First add her steps."),
    (of_all(lambda g, each, C: each.sum(axis=0)), "Nothing is clipped."),
    (of_all(lambda g, each, C: (total := each.sum(axis=0)) * min(1, C / np.linalg.norm(total))),
     "You have clipped the sum. Clip each person, and then add."),
    (of_all(lambda g, each, C: (C * each / lengths(each)).sum(axis=0)),
     "You have stretched short gradients to length C. It is private, but people without an error then push as hard as all others. Shorten only."),
    (of_all(lambda g, each, C: np.clip(each, -C, C).sum(axis=0)),
     "You have clipped each coordinate to [−C, C]. A vector of P such coordinates may be √P times as long as C.")])

# %% tags=["remove-input"]
def is_the_sum(function):
    found = [np.asarray(function(gradients.copy(), C), float) for gradients, C in people()]
    for one in found:
        if one.shape != (7,):
            raise Mistake(f"Return P numbers, one for each weight; these have the shape {list(one.shape)}.")
        if not np.isfinite(one).all():
            raise Mistake("A person whose gradient is zero is divided by zero.")
    return its_sums(weighed(found))

the_sum = Exercise(is_right=is_the_sum, hint="Add over the steps, take each person's length, multiply by min(1, C/length), add over the people.")

# %%
add_up = ...                    # a function of gradients[N, H, P] and C
the_sum.check(add_up)

# %% [markdown]
# ````{solution-start} ex-net-sum
# :class: dropdown
# ````

# %%
def add_up(gradients, C):
    each = gradients.sum(axis=1)                       # [N, P]: one a person
    lengths = np.linalg.norm(each, axis=1, keepdims=True)
    return (each * C / np.maximum(lengths, C)).sum(axis=0)

the_sum.check(add_up)

# %% [markdown]
# `C / max(length, C)` is the same as min(1, C/length), and never divides by zero.
#
# ````{solution-end}
# ````
#
# ## Find the error
#
# Each of these arguments ends in a promise that does not hold. Find the step, and show it with numbers.
#
# ````{exercise} Clip once
# :label: ex-net-clip-once
# *Practises: sensitivity. 10 minutes.*
#
# *"To clip ten thousand gradients is slow. I add them up first and clip the sum to length C. Then the published sum has length at most C whatever Anna does, so she moves it by at most C, and noise σC is enough."*
#
# Give the sum of the others and Anna's gradient, two numbers each, such that adding Anna moves the clipped sum by more than 1.9 C. Take C = 1.
# ````

# %%
def clipped_once(total, C=1.0):
    total = np.asarray(total, float)
    return total * C / max(np.linalg.norm(total), C)

# %% tags=["remove-input"]
def moves_far(pair):
    of_others, hers = (np.asarray(each, float) for each in pair)
    if of_others.shape != (2,) or hers.shape != (2,):
        raise Mistake("Two numbers for the others and two for Anna, please: ([1, 0], [0, 1]).")
    moved = np.linalg.norm(clipped_once(of_others + hers) - clipped_once(of_others))
    if moved <= 1 + 1e-9:
        raise Mistake(f"She moves it by {moved:.2f} C. The others alone may already have the length C. In which direction should Anna push then?")
    if moved <= 1.9:
        raise Mistake(f"She moves it by {moved:.2f} C, more than C already. How far apart can two points of a disc be?")
    return True

clip_once = Exercise(is_right=moves_far, hint="Two lists of two numbers. The clipped sums lie in a disc of radius C. Anna's own gradient is not clipped.")

# %%
others_and_hers = ...           # such as ([1, 0], [0, 1])
clip_once.check(others_and_hers)

# %% [markdown]
# ````{solution-start} ex-net-clip-once
# :class: dropdown
# ````
#
# The step *"so she moves it by at most C"*. Both sums lie in a disc of radius C, but two points of a disc can be 2C apart. Anna's own gradient is unbounded here, so she can pull the sum from one side to the other.

# %%
others_and_hers = ([1, 0], [-100, 0])
clip_once.check(others_and_hers)

# %% [markdown]
# With noise for 2C it is private, but useless: one person decides the direction. Clipping per person gives every other person a say.
#
# ````{solution-end}
# ````
#
# ````{exercise} The true mean
# :label: ex-net-divide
# *Practises: a public divisor. 15 minutes.*
#
# *"The clipped sum gets noise σC. To divide it by a public number such as N is crude. I divide by the number of people who really were in the batch. The mean is then exact, and division is post-processing."*
#
# Everybody takes part, the nine others as well as Anna, and all ten have the same clipped gradient. Write a function of the published 20,000 numbers that says whether Anna was there. The check wants it to be right in at least 199 of 200 rounds. It may use `C` and `sigma_of_one`, the noise multiplier of one sum.
# ````

# %%
C, sigma_of_one = 0.1, 1 / mu

def divided_by_those_who_came(anna_came, rng, P=20_000):
    n = 9 + anna_came
    direction = np.ones(P) / np.sqrt(P)
    return (n * C * direction + rng.normal(scale=sigma_of_one * C, size=P)) / n

# %% tags=["remove-input"]
def reads_the_number(function, tries=200):
    draw, right = np.random.default_rng([seed, 6]), 0
    for _ in range(tries):
        came = bool(draw.integers(2))
        said = function(divided_by_those_who_came(came, draw))
        if not isinstance(said, (bool, np.bool_)):
            raise Mistake("The function must return True if Anna was there, and else False.")
        right += said == came
    if right >= 199:
        return True
    if right <= 1:
        raise Mistake("Your function is nearly always wrong. Turn it round.")
    raise Mistake(f"It is right in {right} of {tries} rounds. The mean itself is the same with her and without her. What else depends on the number of people?")

true_mean = Exercise(is_right=reads_the_number, hint="A function of one array. Compute the standard deviation of its numbers.")

# %%
was_she_there = ...
true_mean.check(was_she_there)

# %% [markdown]
# ````{solution-start} ex-net-divide
# :class: dropdown
# ````
#
# The step *"division is post-processing"*. It would be, if the divisor were public or computed from what was published. The number of people is private here, and it shows in the width of the noise: σC/10 with Anna, σC/9 without her.

# %%
def was_she_there(published):
    return bool(published.std() < sigma_of_one * C / 9.5)

true_mean.check(was_she_there)

# %% [markdown]
# With *replace one* the number of people never changes, and the slip does no harm for full batches. For Poisson samples it does harm under both relations.
#
# ````{solution-end}
# ````
#
# ````{exercise} The best of five
# :label: ex-net-best
# *Practises: composition. 10 minutes.*
#
# *"I train five networks, each with everybody in each step, and each (1, 10⁻⁵)-private. I publish only the one that does best in the public simulator. The choice uses no records, and only one network leaves the house. So the promise is (1, 10⁻⁵)."*
#
# Which ε does composition give for this, at δ = 10⁻⁵? Compute it as sharply as Gaussian noise allows.
# ````

# %% tags=["remove-input"]
best_of_five = Exercise(
    is_right=close_to(gaussian_epsilon(delta, np.sqrt(5) * mu), 0.005, mistakes=[
        (1.0, "The choice looks at all five networks, and each of them was made from the records."),
        (5.0, "That is valid, but not sharp, and it needs 5 δ as well. For Gaussian releases the squares of μ add up."),
        (np.sqrt(5), "The root of five multiplies μ, and not ε."),
        (np.sqrt(5) * mu, "That is μ. Which ε belongs to it at δ = 10⁻⁵?"),
        (gaussian_epsilon(delta, 5 * mu), "Five times μ would be the same noise five times. These have independent noise.")]),
    hint="What is published is computed from five private networks. Which μ do the five have together?")

# %%
epsilon_of_the_best = ...
best_of_five.check(epsilon_of_the_best)

# %% [markdown]
# ````{solution-start} ex-net-best
# :class: dropdown
# ````
#
# The step *"only one network leaves the house"*. Which one it is was computed from all five, so it is post-processing of all five together.

# %%
epsilon_of_the_best = gaussian_epsilon(delta, np.sqrt(5) * mu)
print(f"ε = {epsilon_of_the_best:.3f}")
best_of_five.check(epsilon_of_the_best)

# %% [markdown]
# To choose among five *plans* in one network is free. To choose among five networks is not, even with a public judge. There are sharper bounds for a choice than composition, but none gives ε = 1.
#
# ````{solution-end}
# ````
#
# ## Longer ones
#
# ````{exercise} The price of replacing
# :label: ex-net-replace
# *Practises: neighbours. 10 minutes.*
#
# To protect against *replacing* a person, one could compute σ for *add or remove one* and double it. For full batches this is exact. Take Poisson samples of rate 0.1, 100 steps, ε = 1 and δ = 10⁻⁵. By which factor must σ really grow?
# ````

# %% tags=["remove-input"]
plan = dict(sampling=0.1, steps=100)
factor = noise_multiplier(epsilon, delta, neighbours=REPLACE_ONE, **plan) / noise_multiplier(epsilon, delta, **plan)
replacing = Exercise(
    is_right=close_to(factor, 0.005, mistakes=[
        (2.0, "That is always enough, and here it is too much. She is seldom in the sample."),
        (1.0, "That is nearly so for very small rates. At 0.1 it costs more."),
        (np.sqrt(2), "That is the factor for one release of second moments. Gradients can be opposite."),
        (1 / factor, "That is the inverse.")]),
    hint="`noise_multiplier` takes `neighbours=REPLACE_ONE`.")

# %%
growth_of_sigma = ...
replacing.check(growth_of_sigma)

# %% [markdown]
# ````{solution-start} ex-net-replace
# :class: dropdown
# ````

# %%
added, replaced = (
    noise_multiplier(epsilon, delta, sampling=0.1, steps=100, **which)
    for which in ({}, {"neighbours": REPLACE_ONE}))
growth_of_sigma = replaced / added
print(f"{growth_of_sigma:.3f}")
replacing.check(growth_of_sigma)

# %% [markdown]
# {doc}`The same for other rates <evidence/01_gradients_and_accounts>`: the smaller the rate, the nearer to 1.
#
# ````{solution-end}
# ````
#
# ````{exercise} Root two
# :label: ex-net-root-two
# *Practises: one release. 20 minutes.*
#
# One release publishes $\sum_i M_i$ with noise, where $M_i = \frac1H \sum_t z_t z_t^\top$ is a person's matrix of second moments, shortened to Frobenius length at most 1. Under *replace one*, the sum moves by $M - M'$. For vectors this can be 2 long. Here it cannot. Find two such matrices, 2 by 2,
# whose difference is as long as possible, and prove that nothing is longer.
# ````

# %% tags=["remove-input"]
def far_apart(pair):
    first, second = (np.asarray(each, float) for each in pair)
    for each in (first, second):
        if each.shape != (2, 2) or not np.allclose(each, each.T):
            raise Mistake("Two symmetric matrices of two rows and two columns, please.")
        if np.linalg.eigvalsh(each)[0] < -1e-9:
            raise Mistake("A sum of z zᵀ has no negative eigenvalue, but one of your matrices has: no person can have it.")
        if np.linalg.norm(each) > 1 + 1e-9:
            raise Mistake("One of your matrices is longer than 1.")
    apart = np.linalg.norm(first - second)
    if apart < 1.4142:
        raise Mistake(f"Their difference has length {apart:.3f}. Longer is possible. Which two days have nothing in common?")
    return True

root_two = Exercise(is_right=far_apart, hint="Two lists of two rows. What is the inner product of z zᵀ and w wᵀ?")

# %%
two_people = ...                # such as ([[1, 0], [0, 0]], [[0.6, 0], [0, 0.6]])
root_two.check(two_people)

# %% [markdown]
# ````{solution-start} ex-net-root-two
# :class: dropdown
# ````
#
# The inner product of $z z^\top$ and $w w^\top$ is $(z^\top w)^2 \ge 0$. Sums of such matrices with positive weights have an inner product that is at least 0 as well. So $\lVert M - M'\rVert^2 = \lVert M\rVert^2 + \lVert M'\rVert^2 - 2\langle M, M'\rangle \le 2$. Two people with orthogonal $z$ attain it.

# %%
two_people = ([[1, 0], [0, 0]], [[0, 0], [0, 1]])
print(f"{np.linalg.norm(np.subtract(*two_people)):.4f}")
root_two.check(two_people)

# %% [markdown]
# ````{solution-end}
# ````
#
# ````{exercise} To refute ε = 1
# :label: ex-net-refute
# *Practises: audits of one run. 15 minutes.*
#
# An auditor puts a thousand invented days into one training run, each with probability 1/2, and fixes beforehand that she will guess 200 of them: in or out. The vendor claims ε = 1 at δ = 10⁻⁵, add or remove one. How many of the 200 guesses must be right, at least, to refute the claim with 95 % confidence?
# ````

# %% tags=["remove-input"]
needed = next(v for v in range(100, 201) if one_run_epsilon(v, 200, canaries=1000, delta=delta) > 1)
refuting = Exercise(
    is_right=close_to(needed, 1e-9, mistakes=[
        (needed - 1, "Nearly. With this number the bound is still below 1."),
        (147, "That is just above the expected number at ε = 1. Chance alone reaches it in nearly half of all audits."),
        (146, "That is the expected number at ε = 1, which proves nothing."),
        (101, "That refutes nothing: a coin reaches it often."),
        (200, "All right would refute much larger ε. Fewer are enough.")]),
    hint="Call `one_run_epsilon(correct, 200, canaries=1000, delta=1e-5)` for several numbers of correct guesses.")

# %%
right_guesses = ...
refuting.check(right_guesses)

# %% [markdown]
# ````{solution-start} ex-net-refute
# :class: dropdown
# ````

# %%
right_guesses = next(
    v for v in range(200)
    if one_run_epsilon(v, 200, canaries=1000, delta=1e-5) > 1)
print(f"{right_guesses} of 200")
refuting.check(right_guesses)

# %% [markdown]
# Randomised response with ε = 1 is right in 146 of 200 on average. A network is far from it: {ref}`at a true ε of 3 an audit of this kind proves less than 1 <networks-one-run>`.
#
# ````{solution-end}
# ````
#
# ````{exercise} Open
# :label: ex-net-open
# The account of DP-SGD assumes that the networks of all steps are published. Most clinics publish only the last one. How much smaller is its ε? For networks nobody has a proof. Take a model that is linear in its weights, full batches and plain gradient steps, where the last iterate is Gaussian. Compute its exact μ for the worst person as a function of the
# number of steps, and compare with √K/σ. Then find an audit of the last network of our clinic that comes closer to the proved ε than {ref}`ours <networks-one-run>`.
# ````
#
# ## Quiz
#
# Open the choice that you would make (mouse, or <kbd>Tab</kbd> and <kbd>Enter</kbd>). Every choice explains itself.
#
# **1. A network with batch norm is trained with one clipped gradient a person. Why does the package refuse it?**
#
# ```{dropdown} Because batch norm makes gradients longer than C.
# Clipping would take care of that.
# ```
# ```{dropdown} Because Anna's day changes the gradients of everybody else in her batch.
# ✓ Yes. The mean of a batch enters every person's gradient, so adding Anna moves all of them, and not only hers. Layer norm treats each person alone.
# ```
# ```{dropdown} Because it is slow.
# It is not slower than other layers.
# ```
#
# **2. A batch was drawn with probability 1/100 for each person, and nobody is in it. What should the program do?**
#
# ```{dropdown} Skip the step, because there is nothing to learn.
# That the step is missing tells everybody that Anna was not in it.
# ```
# ```{dropdown} Draw again until somebody is there.
# Then the sample is no Poisson sample, and the account is wrong.
# ```
# ```{dropdown} Publish noise alone, like in any other step.
# ✓ Yes. An empty sum is zero, and it gets its noise.
# ```
#
# **3. After a crash the program starts step 57 again, with a new sample and new noise. Step 57 had been published. What does this cost?**
#
# ```{dropdown} Nothing, because the step was planned anyway.
# Two noisy sums were published for one step.
# ```
# ```{dropdown} One step more.
# ✓ Yes. The account must count K + 1 steps. Our program keeps the state of its generators, so that a step that is done again has the same sample and the same noise, and costs nothing.
# ```
# ```{dropdown} Everything up to step 57 a second time.
# The steps before it were not released again.
# ```
#
# **4. DP-SGD with ε = 1 gives a policy with a lower risk than practice. A colleague concludes that records were not needed at all, since so much noise drowns them. How do you find out?**
#
# ```{dropdown} Train once more with ε = 0.1.
# A worse result would not show where the good one came from.
# ```
# ```{dropdown} Compare with a policy planned in the public network, without any record.
# ✓ Yes. This is the comparison that counts, with the same planner and the same people to judge it. Practice is not the rival: a public simulator alone may beat it.
# ```
# ```{dropdown} Look at the loss on the records.
# That would be another release, and it says little about the policy.
# ```
