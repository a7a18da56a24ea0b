r"""How much one person's day can change the tables of a hospital that treats and learns.

A day has H = ``horizon`` steps: condition :math:`s_h`, treatment :math:`a_h`, next condition :math:`s_{h+1}`, and a reward
in [0, 1]. The hospital keeps up to three *families* of tables: the triples (s, a, s'), the pairs (s, a), and the sums of
rewards by pair. Every step of a day adds one (a reward: at most one) to one cell of each. Three ways of counting:

* `PER_STEP`: a table for each step of the day;
* `POOLED`: one table for all steps together;
* `FirstVisits`: one table, and of each pair only its first c visits of the day. Whether a visit is counted is settled
  before its outcome is seen, so :math:`E[N(s, a, s') - P(s' \mid s, a) N(s, a)] = 0`. (The ratio within one day is
  biased, as for every way of counting.) Conditions may be told apart by public *groups* only, s and s' being groups then.

**Unit of privacy:** one person's day. **Neighbours:** replace one, or add or remove one.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from privrl_core.checks import instance_of, set_fields, shaped, whole_number, whole_numbers
from privrl_core.privacy.guarantees import ADD_OR_REMOVE_ONE, ADD_REMOVE_OR_REPLACE_ONE, REPLACE_ONE, Neighbours
from privrl_core.privacy.noise import Sensitivity

__all__ = ["Counting", "PER_STEP", "POOLED", "FirstVisits", "first_visits_energy", "table_sensitivity"]


class Counting(Enum):
    """Whole days are counted: in a table for every step, or in one table for all steps."""

    PER_STEP = "per step"
    POOLED = "pooled"


#: A table for each step of the day.
PER_STEP = Counting.PER_STEP
#: One table for all steps together.
POOLED = Counting.POOLED


@dataclass(frozen=True)
class FirstVisits:
    """One table for all steps, and only the first ``cap`` visits of each pair (s, a) in a day. ``cap >= 1``.

    ``groups[S]``, if given, is the public group of each condition, one of 0, ..., G - 1, each of them used: the table is
    then one of groups, ``[G, A, G]``, and a pair is a group and a treatment. ValueError otherwise."""

    cap: int
    groups: tuple[int, ...] | None = None

    def __post_init__(self):
        set_fields(self, cap=whole_number("cap", self.cap, least=1))
        if self.groups is not None:
            groups = shaped("groups", whole_numbers("groups", self.groups), ("S",)).astype(int)
            if not np.array_equal(np.unique(groups), np.arange(groups.max() + 1)):
                raise ValueError(f"groups must be numbered 0, 1, ... without a gap, got {np.unique(groups)}")
            set_fields(self, groups=tuple(groups.tolist()))


def first_visits_energy(horizon: int, cap: int, pairs: int | None = None) -> int:
    r"""The largest sum of squares of one day's table if the first c = ``cap`` visits of each pair are counted:

    .. math:: m = c^2 q + r^2, \qquad H = q c + r,\quad 0 \le r < c ,

    or :math:`c^2 SA` if there are so few ``pairs`` (None: enough) that :math:`SA \le H/c`. Squares grow fastest where
    visits are piled up, so a day fills one cell after the other.
    """
    horizon, cap = whole_number("horizon", horizon, least=1), whole_number("cap", cap, least=1)
    full, rest = divmod(horizon, cap)
    if pairs is not None and (pairs := whole_number("pairs", pairs, least=1)) <= horizon / cap:
        return pairs * cap**2
    return full * cap**2 + rest**2


def table_sensitivity(horizon: int, families: int, counting: Counting | FirstVisits = PER_STEP, *,
                      pairs: int | None = None, neighbours: Neighbours = REPLACE_ONE) -> Sensitivity:
    r"""The L1 and L2 sensitivity of all tables together: ``families`` f = 1, 2 or 3, each of H = ``horizon`` steps.

    ===============  =====================  =================================
    replace one      :math:`\Delta_1`       :math:`\Delta_2`
    ===============  =====================  =================================
    per step         :math:`2 H f`          :math:`\sqrt{2 H f}`
    pooled           :math:`2 H f`          :math:`H \sqrt{2 f}`
    first c visits   :math:`2 n f`          :math:`\sqrt{2 m f}`
    ===============  =====================  =================================

    Here m is `first_visits_energy`, and n = H, or :math:`c \cdot SA` where so few ``pairs`` = SA (None: enough) cut more
    off. To add or remove one person moves the tables half as far in L1 and :math:`1/\sqrt 2` times as far in L2.

    Proof: two days' tables x, y have no negative cells, so :math:`\lVert x - y \rVert_1 \le \lVert x \rVert_1 + \lVert y
    \rVert_1` and :math:`\lVert x - y \rVert_2^2 \le \lVert x \rVert_2^2 + \lVert y \rVert_2^2`, with equality for days that
    share no cell. All pairs of days of all worlds of up to three conditions, treatments and steps attain it
    (tests/online/test_sensitivity.py), except where no two days differ enough: in worlds of one pair; for first visits, with
    one condition, or with more than one family and less than :math:`2 H/c` pairs. It is not attained in every larger world:
    S = 2, A = 1, H = 4, c = 2 has :math:`\Delta_2^2 = 13` for the triples, and not 16. It always holds.

    Raises ValueError unless ``horizon`` and ``pairs`` are positive whole numbers, ``families`` is 1, 2 or 3, ``counting`` is
    one of the three, and ``neighbours`` is replace, or add or remove one (or both).
    """
    horizon, families = whole_number("horizon", horizon, least=1), whole_number("families", families, least=1, most=3)
    if pairs is not None:
        pairs = whole_number("pairs", pairs, least=1)
    if isinstance(counting, FirstVisits):
        visits = horizon if pairs is None else min(horizon, pairs * counting.cap)
        energy = first_visits_energy(horizon, counting.cap, pairs)
    else:
        visits = horizon
        energy = horizon if instance_of(Counting, "counting", counting) is PER_STEP else horizon**2
    if instance_of(Neighbours, "neighbours", neighbours) not in (REPLACE_ONE, ADD_OR_REMOVE_ONE, ADD_REMOVE_OR_REPLACE_ONE):
        raise ValueError(f"neighbours must be replace one, or add or remove one, got {neighbours}")
    days = 1 if neighbours == ADD_OR_REMOVE_ONE else 2
    return Sensitivity(days * visits * families, float(np.sqrt(days * energy * families)), whole=families < 3)
