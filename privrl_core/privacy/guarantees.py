r"""What is promised: guarantees, and the exact privacy curve of the Gaussian mechanism.

A mechanism that adds :math:`\mathcal N(0, \sigma^2 I)` to a query of L2 sensitivity :math:`\Delta` is
:math:`\mu`-Gaussian-DP with :math:`\mu = \Delta/\sigma`: telling two neighbours apart is exactly as hard
as telling :math:`\mathcal N(0, 1)` from :math:`\mathcal N(\mu, 1)`. Every function below is a view of
that one number. Only the neighbour relation says whom it protects, so `Guarantee` always carries it.
"""

from dataclasses import dataclass, replace
from enum import Enum

from privrl_core.checks import nonnegative, number, open_unit, positive
from privrl_core.formatting import show
from privrl_core.privacy.curves import cached_gaussian_epsilon, zcdp_epsilon

__all__ = ["Status", "Guarantee"]


class Status(Enum):
    """How far a guarantee can be trusted."""

    PROVED = "proved"
    CLAIMED = "claimed, not proved"
    REFUTED = "refuted"


@dataclass(frozen=True)
class Guarantee:
    """(epsilon, delta)-differential privacy, and for whom.

    ``unit`` says what one person contributes ("one trajectory"), ``neighbours`` how two datasets may differ
    ("replace one"), ``basis`` where the guarantee comes from and ``assumes`` what must be true besides.
    ``mu`` (Gaussian DP) or ``rho`` (zCDP) is present when one number gives the whole (epsilon, delta) curve.

    Raises ValueError unless ``epsilon >= 0``, ``0 <= delta < 1``, ``status`` is a `Status`, ``unit``, ``neighbours``
    and ``basis`` say something, ``mu`` and ``rho`` are absent or positive, and what is proved is no more than what
    they imply.
    """

    epsilon: float
    delta: float
    unit: str
    neighbours: str
    status: Status
    basis: str
    assumes: tuple[str, ...] = ()
    mu: float | None = None
    rho: float | None = None

    def __post_init__(self):
        number(nonnegative, "epsilon", self.epsilon)
        number(nonnegative if self.delta == 0 else open_unit, "delta", self.delta)
        if not isinstance(self.status, Status):
            raise ValueError(f"status must be a Status, got {self.status!r}")
        for name in ("unit", "neighbours", "basis"):
            if not getattr(self, name):
                raise ValueError(f"{name} must say something, got {getattr(self, name)!r}")
        for name in ("mu", "rho"):
            if getattr(self, name) is not None:
                number(positive, name, getattr(self, name))
        if self.status is Status.PROVED and (self.mu or self.rho):
            implied = float("inf") if self.delta == 0 else self._epsilon_at(self.delta)
            if implied > self.epsilon * (1 + 1e-6) + 1e-9:
                raise ValueError(f"epsilon must be at least {implied:.6g}, which mu = {self.mu} or rho = {self.rho} imply "
                                 f"at delta = {self.delta}, got {self.epsilon}")

    def _epsilon_at(self, delta):
        if self.mu is None:
            return float(zcdp_epsilon(self.rho, delta))
        return cached_gaussian_epsilon(float(delta), float(self.mu))

    def at(self, delta: float) -> "Guarantee":
        """The same release at another ``delta``. Raises ValueError if the release has no ``mu`` and no ``rho``."""
        delta = number(open_unit, "delta", delta)
        if self.mu is None and self.rho is None:
            raise ValueError(f"only a release with mu or rho has a curve, got {self}")
        return replace(self, epsilon=self._epsilon_at(delta), delta=delta)

    def __str__(self) -> str:
        return (f"(ε = {show(self.epsilon)}, δ = {show(self.delta)})-differential privacy for {self.unit}"
                f" ({self.neighbours}), {self.status.value}")
















