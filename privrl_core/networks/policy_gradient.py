r"""Learning on people: a policy gradient in which each person lives one day, and everybody else's treatment stays private.

Update k asks N people who have not been asked before. Each lives a day under the present policy, which tries something:
before the squashing to a dose, the network's number m gets noise, :math:`u_t = m_\theta(x_t) + s\,\xi_t`. Person i sends one
vector of two parts,

.. math:: g_i = \nabla_\theta \frac1H \sum_t A_{it} \frac{(u_{it} - m_\theta(x_{it}))^2}{2 s^2}, \qquad
          b_i = \kappa \bigl(R_{it} - \beta_t\bigr)_t, \qquad A_{it} = R_{it} - \beta_t ,

with :math:`R_{it}` minus the risk that is still to come at the t-th of H decisions, summed and divided by ten and by the
half hours of the day. The first part is clipped to :math:`C_1`, the second, times a public :math:`\kappa`, to :math:`C_2`,
with :math:`C_1^2 + C_2^2 = C^2`. Published is the sum over all N with noise of standard deviation :math:`\sigma C`; its
first part moves the policy, and its second the baseline :math:`\beta` of the next update.

**Why the baseline is paid for.** Without clipping a baseline changes no expectation. With it, every long vector keeps its
direction only: if all advantages are negative, because the baseline comes from a simulator that is too optimistic, *a little
bad* and *very bad* push equally hard, and the update forgets which was which. `clipped_drift` has this in closed form.

**Unit:** one person's day, in one update. **Neighbours:** replace one; a sum moves by at most 2 C. **Model:** joint. Fix
everybody's own randomness and the noise of all other updates: the policies before her update do not depend on her, her
update is one Gaussian release, and everything later is computed from it and from people independent of her. Her own doses
may depend on her own day. How many people each update has, and all settings, are public.

Source of the argument: Vietri et al. (2020), arXiv 2009.09052, and He & Zhou (2025), arXiv 2510.21060 (abstracts read); the
proof is the one above.
"""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from privrl_core.checks import finite, instance_of, number, open_unit, positive, shaped, whole_number, within
from privrl_core.lazy import needs
from privrl_core.networks.accounting import noise_multiplier
from privrl_core.networks.clipping import clipped_sum, trainable
from privrl_core.networks.insulin import DAY, LARGEST_DOSE, Clinic, Day, cohort, glucose_of, kovatchev_risk, live
from privrl_core.networks.private_training import ROUNDING, spawned
from privrl_core.networks.trajectories import Trajectories
from privrl_core.privacy.guarantees import REPLACE_ONE, Guarantee, Model, Status, Unit
from privrl_core.privacy.joint import BILLBOARD
from privrl_core.privacy.release import AddedNoise, Release

with needs("networks"):
    import torch
    from torch import nn
    from torch.nn.utils import parameters_to_vector, vector_to_parameters

__all__ = ["ONE_DAY", "PoliciesRelease", "private_policy_gradient", "expected_to_come", "clipped_drift", "mean_dose"]

#: All data of one person who lives one day under a policy that is being learned.
ONE_DAY = Unit("one person's day", "days")
TRIES = 0.5  # s: how far a policy tries, before the squashing
RISK = 10.0  # the public unit of risk
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
                            noise_rng: np.random.Generator, baseline_share: float = 0.1, day: Day = DAY) -> PoliciesRelease:
    r"""Improve ``policy``, a network of the seven numbers that gives m, in K = ``updates`` of N = ``people`` fresh people
    each.

    ``baseline[D]``: the mean of R at each decision by public knowledge (`expected_to_come`), the start of :math:`\beta`.
    ``baseline_share`` :math:`C_2^2/C^2 \in [0, 1)` is spent on learning it; 0 keeps it as it is. ``rng`` is for people and
    what they try, ``noise_rng`` for the noise only. ValueError for numbers out of range.
    """
    noise = noise_multiplier(epsilon, delta, sampling=1, steps=1, neighbours=REPLACE_ONE)
    updates, people = whole_number("updates", updates, least=1), whole_number("people", people, least=1)
    clip, share = number(positive, "clip", clip), baseline_share and number(open_unit, "baseline_share", baseline_share)
    (rng, noise_rng), scale = spawned(rng=rng, noise_rng=noise_rng), noise * clip * ROUNDING
    expected = shaped("baseline", baseline, (day.decisions,)).copy()
    policy = deepcopy(instance_of(nn.Module, "policy", policy))
    parameters = list(policy.parameters())
    if len(trainable(policy)) < len(parameters):
        raise ValueError("policy must have no frozen parameters, got some that require no gradient")
    optimiser, path, baselines = torch.optim.Adam(parameters, lr=number(positive, "learning_rate", learning_rate)), [], []
    for _ in range(updates):
        path.append(parameters_to_vector(parameters).detach().numpy().copy())
        baselines.append(expected.copy())
        days, to_come = lived(policy, clinic, people, rng, day)
        advantages = to_come - torch.from_numpy(expected)
        labels = torch.cat((days.labels, advantages[..., None].to(days.labels)), dim=-1)
        batch = Trajectories(days.inputs, labels, days.lengths)
        sums = clipped_sum(policy, surprise, batch, clip * np.sqrt(1 - share))
        for each, total in zip(parameters, sums.values()):
            drawn = torch.from_numpy(noise_rng.normal(scale=scale, size=total.shape))
            each.grad = ((total.double() + drawn) / people).to(each)
        optimiser.step()
        if share:
            bound, residuals = clip * np.sqrt(share), SCALE * advantages.numpy()
            kept = bound / np.maximum(np.linalg.norm(residuals, axis=1), bound) @ residuals
            expected += (kept + noise_rng.normal(scale=scale, size=expected.shape)) / (SCALE * people)
    path.append(parameters_to_vector(parameters).detach().numpy().copy())
    baselines.append(expected.copy())
    promise = Guarantee(epsilon, delta, ONE_DAY, REPLACE_ONE, Status.PROVED,
                        f"one Gaussian release a person, of a vector clipped to {clip:g}, noise multiplier {noise:.4g}",
                        ("each person lives one day, in one update", "how many people each update has is public", BILLBOARD),
                        mu=2 / noise, model=Model.JOINT)
    return PoliciesRelease(parameters=np.stack(path), baseline=np.stack(baselines), guarantees=(promise,),
                           noise=AddedNoise("gaussian", scale))


def lived(policy, clinic, people, rng, day=DAY):
    """Fresh people's days: what was seen and tried at each decision, and minus the risk still to come, ``[N, D]``."""
    own, means, tried = cohort(clinic, people, rng, day), [], []

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
                        np.full(people, day.decisions)), to_come


def surprise(outputs, labels):
    """The advantage times the squared distance of what was tried from the mean: its gradient is that of the policy."""
    return labels[..., 1] * (labels[..., 0] - outputs[..., 0]).square() / (2 * TRIES**2)


def expected_to_come(policy: nn.Module, clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> np.ndarray:
    """``[D]``: minus the mean risk still to come at each decision, in units of 10: for the public simulator, a baseline."""
    return lived(policy, clinic, people, rng, day)[1].mean(dim=0).numpy()


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
