r"""Behaviour cloning: a network that gives the doses which practice gave, learned privately from the records.

Person i's record tells what was seen before each dose, :math:`x_{it}`, and the dose :math:`a_{it}` in U (`.doses_given`).
The network's number m is the logit of the dose's share of 10 U, so that the loss at a step is

.. math:: \ell = \Bigl(m_\theta(x_{it}) - \log\frac{\tilde a_{it}}{10 - \tilde a_{it}}\Bigr)^2, \qquad
          \tilde a_{it} = \min(\max(a_{it}, 0.05), 9.9),

with doses moved to where the logit is finite and moderate. A private clone is DP-SGD on these days::

    days = to_copy(records)
    clone = dp_sgd(policy_network(seed), squared_error, days, epsilon=1.0, ...)
    policy = mean_dose(policy_network(seed), clone.parameters)

**Guarantee:** that of `.dp_sgd`. `to_copy` maps each person's record to that person's day and looks at nobody else, so that
neighbouring records give neighbouring days; the proof is the one there. **What to expect:** at best practice. A clone learns
which dose was given and never whether it did good, and of doses that vary for no visible reason it learns their middle.
"""

from privrl_core.checks import whole_number
from privrl_core.lazy import needs
from privrl_core.networks.insulin import DAY, LARGEST_DOSE, UNITS, Day, doses_given
from privrl_core.networks.trajectories import Trajectories

with needs("networks"):
    import torch
    from torch import nn

__all__ = ["dose_logit", "policy_network", "to_copy"]

COPIED = 0.05, 9.9  # U: doses are moved to within these before they are copied


def dose_logit(dose: torch.Tensor) -> torch.Tensor:
    """``[...]``: the logit of the share of 10 U of ``dose[...]`` in U, moved to within 0.05 and 9.9."""
    return torch.logit(dose.clamp(*COPIED) / LARGEST_DOSE)


def to_copy(records: Trajectories, day: Day = DAY) -> Trajectories:
    """What a clone learns from: ``inputs[N, D, 7]`` before each dose, and its logit as ``labels[N, D, 1]``. Private data,
    each person's from that person's record alone; errors as in `.doses_given`."""
    days = doses_given(records, day)
    return Trajectories(days.inputs, dose_logit(days.labels), days.lengths)


def policy_network(seed: int) -> nn.Module:
    """An untrained policy, float32: the seven numbers of `.SEEN` in, 16 tanh units, and the logit of a dose's share of 10 U
    out, as `.private_policy_gradient` asks. ``seed`` draws the weights, and torch's own generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(whole_number("seed", seed, least=0))
        return nn.Sequential(nn.Linear(len(UNITS), 16), nn.Tanh(), nn.Linear(16, 1))
