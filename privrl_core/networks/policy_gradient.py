r"""Learning on people: a policy gradient from days that are lived for it, while everybody else's treatment stays private.

Update k asks N people, who have not been asked before or who come again by chance. Each lives a day under the present
policy, which tries something: before the squashing to a dose, the network's number m gets noise, :math:`u_t =
m_\theta(x_t) + s\,\xi_t`. Person i sends one vector of two parts,

.. math:: g_i = \nabla_\theta \frac1H \sum_t A_{it} \frac{(u_{it} - m_\theta(x_{it}))^2}{2 s^2}, \qquad
          b_i = \kappa \bigl(R_{it} - \beta_t\bigr)_t, \qquad A_{it} = R_{it} - \beta_t ,

with :math:`R_{it}` minus the risk that is still to come at the t-th of H decisions, summed and divided by ten and by the
half hours of the day. The first part is clipped to :math:`C_1`, the second, times a public :math:`\kappa`, to :math:`C_2`,
with :math:`C_1^2 + C_2^2 = C^2`. Published is the sum over all N with noise of standard deviation :math:`\sigma C`; its
first part moves the policy, and its second the baseline :math:`\beta` of the next update.

**Why the baseline is paid for.** Without clipping a baseline changes no expectation. With it, every long vector keeps its
direction only: if all advantages are negative, because the baseline comes from a simulator that is too optimistic, *a little
bad* and *very bad* push equally hard, and the update forgets which was which. `clipped_drift` has this in closed form.

**Fresh people** (`private_policy_gradient`). *Unit:* one person's day, in one update. *Neighbours:* replace one; a sum moves
by at most 2 C. *Model:* joint. Fix everybody's own randomness and the noise of all other updates: the policies before her
update do not depend on her, her update is one Gaussian release, and everything later is computed from it and from people
independent of her. Her own doses may depend on her own day. How many people each update has, and all settings, are public.

**Correlated noise.** Let R be a public lower triangular matrix with ones on its diagonal, and z noise of standard deviation
:math:`s = \sigma C \max_j \lVert R_{\cdot j}\rVert`, independent in all updates. Update k is published with the noise
:math:`(R^{-1} z)_k`. With :math:`x_k` the sum of update k, whoever knows all that was published until k knows
:math:`w_k = \sum_{j \le k} R_{kj} x_j + z_k`, and the other way round. A person who is replaced in update j moves
:math:`x_j` by a vector d with :math:`\lVert d\rVert \le 2 C`, which is fixed by what was published before; later sums depend
on it through the published only. So given the past, :math:`w_k` is Gaussian with a mean that moves by :math:`R_{kj} d`, and
all of it is a Gaussian release with :math:`\mu = \lVert R_{\cdot j}\rVert\, \lVert d\rVert / s \le 2/\sigma`, the same as
before. The identity is independent noise. What R buys: with R R the lower triangle of ones, the square root of counters, the
noises of *all updates so far* cancel in part, which is what plain gradient descent adds up.

**People who come again** (`returning_policy_gradient`). In each of K updates each of N people takes part with probability q,
by a coin that nobody else sees, and lives a new day in the same body. *Unit:* one person with all days of that person.
*Neighbours:* replace one. *Model:* joint. *Proof.* Fix the coins and all randomness of everybody else. What is published in
update k is then a function of what was published before, plus her vector if her coin says so, plus noise. Her vector
v may depend on her body, on her earlier days and even on how often she came: given the published past it is therefore a
random vector of length at most C, but her coin of update k is independent of it and of the past. So the law of what is
published is :math:`(1 - q)\, N(0, \sigma^2 C^2 I) + q\, \mathbb E_v N(v, \sigma^2 C^2 I)`, moved by the others' sum, and
with another person in her place the same with v'. A hockey-stick divergence is jointly convex, so it is at most that of the
worst fixed pair v, v', which is the pair of `.accounting`; it holds for each past, so K updates compose as K such pairs do,
adaptively. What others are told, doses included, is computed from the published and from their own randomness. Her coin must
stay secret from them: for whoever sees who came, in a waiting room, in an appointment book or by the number of people of an
update, q is 1 in the updates in which she came, and this guarantee does not hold. With q = 1 there is no secret and nothing
to see: everybody comes each time. Correlated noise is not offered here, because a person who comes twice moves R x by a sum
of columns, and secret samples have no account for it.

Source of the argument for fresh people: Vietri et al. (2020), arXiv 2009.09052, and He & Zhou (2025), arXiv 2510.21060
(abstracts read); of correlated noise with adaptive streams: Denisov et al. (2022), arXiv 2202.08312, from memory. The proofs
are the ones above.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import finite, instance_of, number, open_unit, positive, shaped, whole_number, within
from privrl_core.lazy import needs
from privrl_core.networks.accounting import noise_multiplier, sampled_gaussian_epsilon
from privrl_core.networks.clipping import clipped_sum, trainable
from privrl_core.networks.insulin import (
    DAY,
    LARGEST_DOSE,
    RISK,
    Clinic,
    Cohort,
    Day,
    another_day,
    cohort,
    glucose_of,
    kovatchev_risk,
    live,
)
from privrl_core.networks.private_training import ROUNDING, spawned
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status, Unit
from privrl_core.privacy.joint import BILLBOARD
from privrl_core.privacy.release import AddedNoise, Release

with needs("networks"):
    import torch
    from torch import nn
    from torch.nn.utils import parameters_to_vector, vector_to_parameters

__all__ = ["ONE_DAY", "ALL_DAYS", "PoliciesRelease", "private_policy_gradient", "returning_policy_gradient",
           "expected_to_come", "clipped_drift", "mean_dose"]

#: All data of one person who lives one day under a policy that is being learned.
ONE_DAY = Unit("one person's day", "days")
#: All data of one person who may come again: body and days.
ALL_DAYS = Unit("one person with all days of that person", "people with all their days")
TRIES = 0.5  # s: how far a policy tries, before the squashing
SCALE = 0.15  # of the baseline's part before it is clipped: with it typical people are about C/√10 long


@dataclass(frozen=True, eq=False, kw_only=True)
class PoliciesRelease(Release):
    """``parameters[K + 1, P]`` of the policy before the first update and after each, and ``baseline[K + 1, D]``, the mean of
    what was still to come at each decision. For everybody but the person whose day it was."""

    parameters: np.ndarray
    baseline: np.ndarray


def mean_dose(policy: nn.Module, parameters: np.ndarray):
    """The policy without trying: a function of what is ``seen[..., 7]``, with these ``parameters[P]``; doses in U."""
    made = deepcopy(policy)
    with torch.no_grad():
        vector_to_parameters(torch.tensor(parameters, dtype=next(made.parameters()).dtype), made.parameters())
    return lambda seen: LARGEST_DOSE * torch.sigmoid(made(seen.to(next(made.parameters()).dtype))[..., 0]).to(seen).detach()


def private_policy_gradient(policy: nn.Module, clinic: Clinic, *, epsilon: float, delta: float, updates: int, people: int,
                            clip: float, baseline: np.ndarray, learning_rate: float, rng: np.random.Generator,
                            noise_rng: np.random.Generator, baseline_share: float = 0.1, factor: np.ndarray | None = None,
                            optimiser: Callable = torch.optim.Adam, day: Day = DAY) -> PoliciesRelease:
    r"""Improve ``policy``, a network of the seven numbers that gives m, in K = ``updates`` of N = ``people`` fresh people
    each.

    ``baseline[D]``: the mean of R at each decision by public knowledge (`expected_to_come`), the start of :math:`\beta`.
    ``baseline_share`` :math:`C_2^2/C^2 \in [0, 1)` is spent on learning it; 0 keeps it as it is. ``factor`` R[K, K], public,
    correlates the noise of the updates; None is the identity, which does not. ``optimiser(parameters, lr=...)`` from
    ``torch.optim``. ``rng`` is for people and what they try, ``noise_rng`` for the noise only. ValueError for numbers out of
    range, and for a factor that is not lower triangular with ones on its diagonal.
    """
    noise = noise_multiplier(epsilon, delta, sampling=1, steps=1, neighbours=REPLACE_ONE)
    updates, people = whole_number("updates", updates, least=1), whole_number("people", people, least=1)
    instance_of(Clinic, "clinic", clinic)
    factor = np.eye(updates) if factor is None else _unit_lower(factor, updates)
    longest = float(np.linalg.norm(factor, axis=0).max())
    (rng, noise_rng), clip = spawned(rng=rng, noise_rng=noise_rng), number(positive, "clip", clip)
    scale = longest * noise * clip * ROUNDING
    basis = f"one Gaussian release a person, of a vector clipped to {clip:g}, noise multiplier {noise:.4g}"
    if longest > 1:
        basis += f" times {longest:.4g}, the longest column of the factor that correlates the updates"
    promise = Guarantee(epsilon, delta, ONE_DAY, REPLACE_ONE, Status.PROVED, basis,
                        ("each person lives one day, in one update", "how many people each update has is public", BILLBOARD),
                        mu=2 / noise, model=Model.JOINT)
    return _improved(policy, lambda: cohort(clinic, people, rng, day), factor, scale, promise, divisor=people, clip=clip,
                     share=baseline_share, baseline=baseline, rate=learning_rate, optimiser=optimiser, rng=rng,
                     noise_rng=noise_rng, day=day)


def returning_policy_gradient(policy: nn.Module, population: Cohort, *, epsilon: float, delta: float, updates: int,
                              sampling: float, nominal_size: int, clip: float, baseline: np.ndarray, learning_rate: float,
                              rng: np.random.Generator, sample_rng: np.random.Generator, noise_rng: np.random.Generator,
                              baseline_share: float = 0.1, optimiser: Callable = torch.optim.Adam,
                              day: Day = DAY) -> PoliciesRelease:
    r"""The same from one ``population`` whose people come again: in each of K = ``updates`` each of them takes part with
    probability q = ``sampling``, in secret, and lives a new day. q = 1: everybody comes each time.

    ``nominal_size`` N is a public number near that of the people, and qN the divisor. The guarantee is for one person with
    all days of that person, replace one, joint, while nobody else learns who came when. ``sample_rng`` decides who takes
    part; it and ``noise_rng`` must stay secret. The rest as in `private_policy_gradient`; ValueError for numbers out of
    range.
    """
    noise = noise_multiplier(epsilon, delta, sampling=sampling, steps=updates, neighbours=REPLACE_ONE)
    people = len(instance_of(Cohort, "population", population))
    size = whole_number("nominal_size", nominal_size, least=1)
    rng, sample_rng, noise_rng = spawned(rng=rng, sample_rng=sample_rng, noise_rng=noise_rng)
    clip = number(positive, "clip", clip)

    def come():
        taken = sample_rng.random(people) < sampling if sampling < 1 else np.ones(people, bool)
        return another_day(population.people(torch.as_tensor(taken)), rng, day)
    secret = ("nobody else learns who took part in which update",) if sampling < 1 else ()
    kept = sampled_gaussian_epsilon(noise, delta, sampling=sampling, steps=updates, neighbours=REPLACE_ONE)
    promise = Guarantee(kept, delta, ALL_DAYS, REPLACE_ONE, Status.PROVED,
                        f"{updates} sums of vectors clipped to {clip:g}, noise multiplier {noise:.4g}, "
                        + ("everybody in each" if sampling == 1 else f"Poisson samples of rate {sampling:g}"),
                        (*secret, "the nominal number of people is public", BILLBOARD),
                        mu=2 * np.sqrt(updates) / noise if sampling == 1 else None, model=Model.JOINT)
    return _improved(policy, come, np.eye(updates), noise * clip * ROUNDING, promise, divisor=sampling * size, clip=clip,
                     share=baseline_share, baseline=baseline, rate=learning_rate, optimiser=optimiser, rng=rng,
                     noise_rng=noise_rng, day=day)


def _improved(policy, come, factor, scale, promise, *, divisor, clip, share, baseline, rate, optimiser, rng, noise_rng, day):
    """The policies of K updates, each from the day of those who ``come()``, with noise of this scale and factor."""
    share = share and number(open_unit, "baseline_share", share)
    expected = shaped("baseline", baseline, (day.decisions,)).copy()
    policy = deepcopy(instance_of(nn.Module, "policy", policy))
    parameters = list(policy.parameters())
    if len(trainable(policy)) < len(parameters):
        raise ValueError("policy must have no frozen parameters, got some that require no gradient")
    descent, path, baselines = optimiser(parameters, lr=number(positive, "learning_rate", rate)), [], []
    sizes = [*(each.numel() for each in parameters), expected.size if share else 0]
    for noise in correlated(factor, scale, sum(sizes), noise_rng):
        path.append(parameters_to_vector(parameters).detach().numpy().copy())
        baselines.append(expected.copy())
        own, *parts = come(), *np.split(noise, np.cumsum(sizes)[:-1])
        gradients, residuals = _clipped_parts(policy, own, expected, clip, share, rng, day)
        for each, total, drawn in zip(parameters, gradients, parts):
            each.grad = ((total + torch.from_numpy(drawn).reshape(total.shape)) / divisor).to(each)
        descent.step()
        if share:
            expected += (residuals + parts[-1]) / (SCALE * divisor)
    path.append(parameters_to_vector(parameters).detach().numpy().copy())
    baselines.append(expected.copy())
    return PoliciesRelease(parameters=np.stack(path), baseline=np.stack(baselines), guarantees=(promise,),
                           noise=AddedNoise("gaussian", scale))


def _clipped_parts(policy, own, expected, clip, share, rng, day):
    """The sums over these people of both parts of their vectors, clipped: tensors like the parameters, and ``[D]``."""
    if not len(own):
        return [torch.zeros_like(each, dtype=torch.float64) for each in policy.parameters()], np.zeros_like(expected)
    days, to_come = lived(policy, own, rng, day)
    advantages = to_come - torch.from_numpy(expected)
    labels = torch.cat((days.labels, advantages[..., None].to(days.labels)), dim=-1)
    batch = Trajectories(days.inputs, labels, days.lengths)
    sums = clipped_sum(policy, surprise, batch, clip * np.sqrt(1 - share)).values()
    bound, residuals = clip * np.sqrt(share), SCALE * advantages.numpy()
    return sums, bound / np.maximum(np.linalg.norm(residuals, axis=1), bound or np.inf) @ residuals


def correlated(factor: np.ndarray, scale: float, size: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    r"""``[size]`` for each update: the rows of :math:`R^{-1} z`, one after another, for independent z of this scale."""
    made = np.zeros((len(factor), size))
    for k, row in enumerate(factor):
        made[k] = rng.normal(scale=scale, size=size) - row[:k] @ made[:k]
        yield made[k]


def _unit_lower(factor, updates):
    factor = shaped("factor", factor, (updates, updates))
    if np.triu(factor, 1).any() or (np.diagonal(factor) != 1).any():
        raise ValueError("factor must be lower triangular with ones on its diagonal, got "
                         f"{np.triu(factor, 1)[np.triu_indices(updates, 1)].tolist()[:3]} above it and "
                         f"{np.diagonal(factor).tolist()[:3]} on it")
    return factor


def lived(policy, own, rng, day=DAY):
    """Days of a cohort: what was seen and tried at each decision, and minus the risk still to come, ``[N, D]``."""
    means, tried = [], []

    def doses(seen):
        means.append(seen)
        with torch.no_grad():
            mean = policy(seen.to(next(policy.parameters()).dtype))[..., 0].to(seen)
        tried.append(mean + TRIES * torch.from_numpy(rng.standard_normal(len(seen))))
        return LARGEST_DOSE * torch.sigmoid(tried[-1])
    after, y = live(own, doses, day)
    risk = kovatchev_risk(glucose_of(after[..., :1] + y[..., None]), day)
    to_come = -risk.flip(1).cumsum(1).flip(1)[:, :day.decisions] / (RISK * day.horizon)
    like = next(policy.parameters()).dtype
    return Trajectories(torch.stack(means, dim=1).to(like), torch.stack(tried, dim=1)[..., None].to(like),
                        np.full(len(own), day.decisions)), to_come


def surprise(outputs, labels):
    """The advantage times the squared distance of what was tried from the mean: its gradient is that of the policy."""
    return labels[..., 1] * (labels[..., 0] - outputs[..., 0]).square() / (2 * TRIES**2)


def expected_to_come(policy: nn.Module, clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> np.ndarray:
    """``[D]``: minus the mean risk still to come at each decision, in units of 10: for the public simulator, a baseline."""
    return lived(policy, cohort(clinic, people, rng, day), rng, day)[1].mean(dim=0).numpy()


def clipped_drift(p: np.ndarray, advantages: tuple[float, float], clip: float) -> np.ndarray:
    r"""How far the log odds of arm 1 move on average if each person's gradient is clipped to ``clip`` C, two arms.

    With :math:`p = P[\text{arm 1}]`, arm 1 has the gradient :math:`A_1 (1 - p)` and arm 2 :math:`-A_2\, p`:

    .. math:: p\, [A_1 (1 - p)]_{-C}^{C} + (1 - p)\, [-A_2\, p]_{-C}^{C} .

    Without clipping this is :math:`p (1 - p) (A_1 - A_2)`, whatever the baseline. If all is clipped it is C(1 - 2p) for
    negative advantages, which pulls to indifference, and C(2p - 1) for positive ones, with which the arm in favour wins even
    if it is the worse one. ``0 <= p <= 1``, ``clip > 0``; ValueError otherwise.
    """
    p, clip = within("p", p, 0, 1), number(positive, "clip", clip)
    first, second = (number(finite, "advantages", each) for each in advantages)
    return p * np.clip(first * (1 - p), -clip, clip) + (1 - p) * np.clip(-second * p, -clip, clip)
