r"""What a network learns from: one trajectory for each person, padded to one public length.

Person i has :math:`\tau_i = (x_{it}, y_{it})_{t < h_i}`: what the network sees at step t, what it should say, and a length
:math:`1 \le h_i \le H`. The horizon H is public and the same for all. A person's loss is divided by H and never by
:math:`h_i`,

.. math:: \ell_i(\theta) = \frac1H \sum_{t < h_i} \ell\bigl(f_\theta(x_{it}), y_{it}\bigr),

so that a short stay has no more weight in a step than a long one.
"""

from dataclasses import dataclass
from typing import Self

from privrl_core.checks import set_fields
from privrl_core.lazy import needs

with needs("networks"):
    import torch

__all__ = ["Trajectories"]


@dataclass(frozen=True, eq=False)
class Trajectories:
    """N trajectories, each of one person: ``inputs[N, H, d]``, ``labels[N, H, k]`` and ``lengths[N]`` from 1 to H.

    Arrays of NumPy are taken as well. What stands after a trajectory's end is replaced by zeros, so that padding changes
    nothing. Raises ValueError unless both tables are float32 or float64, of the same type and on the same device, with
    finite numbers up to each trajectory's end; the error names the first trajectory and step that break this.
    """

    inputs: torch.Tensor
    labels: torch.Tensor
    lengths: torch.Tensor

    def __post_init__(self):
        inputs, labels = table("inputs", self.inputs), table("labels", self.labels)
        if inputs.shape[:2] != labels.shape[:2] or (inputs.dtype, inputs.device) != (labels.dtype, labels.device):
            raise ValueError(
                f"labels must have the people, steps, type and device of inputs, {list(inputs.shape[:2])}, {inputs.dtype} "
                f"and {inputs.device}, got {list(labels.shape)}, {labels.dtype} and {labels.device}")
        lengths, (n, horizon) = torch.as_tensor(self.lengths, device=inputs.device), inputs.shape[:2]
        if lengths.shape != (n,) or lengths.is_floating_point() or lengths.dtype == torch.bool:
            raise ValueError(f"lengths must be {n} whole numbers, got {lengths.dtype} of shape {list(lengths.shape)}")
        for i in torch.nonzero((lengths < 1) | (lengths > horizon)).flatten().tolist():
            raise ValueError(f"lengths must be from 1 to H = {horizon}, got {int(lengths[i])} for trajectory {i}")
        inside = (torch.arange(horizon, device=inputs.device) < lengths[:, None])[..., None]
        inputs, labels = torch.where(inside, inputs, 0.0), torch.where(inside, labels, 0.0)
        for name, values in (("inputs", inputs), ("labels", labels)):
            for i, step in torch.nonzero(~values.isfinite().all(dim=-1))[:1].tolist():
                raise ValueError(f"{name} must be finite, got {values[i, step].tolist()} in trajectory {i} at step {step}")
        set_fields(self, inputs=inputs, labels=labels, lengths=lengths.long())

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def horizon(self) -> int:
        """H, the public length to which trajectories are padded."""
        return self.inputs.shape[1]

    @property
    def weights(self) -> torch.Tensor:
        """``[N, H]``: 1/H at the steps of each trajectory, 0 after its end."""
        steps = torch.arange(self.horizon, device=self.inputs.device)
        return (steps < self.lengths[:, None]).to(self.inputs.dtype) / self.horizon

    def people(self, chosen) -> Self:
        """The trajectories of these people: indices, or one truth value for each."""
        return self._with(self.inputs[chosen], self.labels[chosen], self.lengths[chosen])

    def clamped(self, *, inputs: float, labels: float) -> Self:
        """All inputs and labels within these public bounds: what lies outside is moved to the bound, person by person."""
        for name, bound in (("inputs", inputs), ("labels", labels)):
            if not 0 < bound < float("inf"):
                raise ValueError(f"{name} must be a positive bound, got {bound}")
        return self._with(self.inputs.clamp(-inputs, inputs), self.labels.clamp(-labels, labels), self.lengths)

    def to(self, *, device=None, dtype: torch.dtype | None = None) -> Self:
        """The same on another device, or as float32 or float64."""
        return type(self)(self.inputs.to(device=device, dtype=dtype), self.labels.to(device=device, dtype=dtype),
                          self.lengths.to(device=device))

    def _with(self, inputs, labels, lengths):
        """Parts of what was checked, without checking them again."""
        made = object.__new__(type(self))
        set_fields(made, inputs=inputs, labels=labels, lengths=lengths)
        return made


def table(name: str, values) -> torch.Tensor:
    """``values`` as a table of people, steps and numbers, of a type that can hold noise."""
    values = torch.as_tensor(values)
    if values.ndim != 3 or not values.numel():
        raise ValueError(f"{name} must have one axis each for people, steps, numbers, none of them empty, "
                         f"got {list(values.shape)}")
    if values.dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} must be float32 or float64, whose digits can hold the noise, got {values.dtype}")
    return values
