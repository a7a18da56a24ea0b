r"""Insulin for a day: a clinic whose people differ, a simulator that is wrong about it, and what is public of both.

Every half hour a pump may add a dose of insulin to the basal rate that runs anyway. Glucose G (mg/dL) and the action of
insulin X (1/min) follow Bergman's minimal model; the insulin in two compartments under the skin, :math:`S_1, S_2` (U), that
in plasma above the basal level, I (mU/L), and the carbohydrate in two compartments of the gut, :math:`D_1, D_2` (g), follow
Hovorka's absorption. In minutes,

.. math:: \dot G &= -(p_1 + X)\, G + p_1 G_b + \frac{1000\, A\, \rho}{V_G}\, \frac{D_2}{t_G}, \qquad
          \dot X = -p_2 X + p_3 \varsigma\, I, \\
          \dot S_1 &= -\frac{S_1}{t_I}, \quad \dot S_2 = \frac{S_1 - S_2}{t_I}, \quad
          \dot I = \frac{1000}{V_I}\,\frac{S_2}{t_I} - k_e I, \quad
          \dot D_1 = -\frac{D_1}{t_G}, \quad \dot D_2 = \frac{D_1 - D_2}{t_G},

in steps of five minutes; a dose is added to :math:`S_1` and a meal to :math:`D_1` at the start of a half hour. At the basal
rate I = 0, and glucose rests at :math:`G_b`. People differ in how they answer insulin, :math:`\varsigma`, and in how far a
meal raises them, :math:`\rho`, both log-normal. At the end of each half hour log glucose gets noise.

**What is public.** The kinetics of doses and meals are public, not anybody's doses and meals: these stand in the records.
Of the seven numbers that are seen (`SEEN`), five therefore move by a public, linear rule (`kinematics`), as the pump knows
its doses and meals are announced. What records must teach is one function:
the change y of the first, from the seven numbers after dose and meal, as far as they determine it: the action of insulin
and what differs between people stay hidden.

**What counts** is Kovatchev's risk of glucose, averaged over the day, :math:`10 f^2` with :math:`f =
1.509\,(\ln(G)^{1.084} - 5.381)`: 0 at 112.5 mg/dL, 7.8 at 70 and 7.7 at 180, 100 at 20 and at 600. A day has 12 hours of
doses and 6 more in which they act, so that nothing given late is free; a record of it has all 36 half hours, because what
happens without doses teaches the body as well, and costs a person's privacy no more.

Time below 70 mg/dL should be at most 4 %, below 54 at most 1 %, in range (70 to 180) above 70 %: Battelino et al. (2019),
Diabetes Care 42:1593. The basal rate is right for everybody and pulls glucose to :math:`G_b` with a half-life of 58 minutes,
so that highs come down by themselves; absorption has one speed in everybody, meals are early,
and nobody's own protection from a low is modelled, nor exercise, sleep or the sensor's error: this is a task for learning
methods, and no policy of it is for patients.

Sources: Bergman, Phillips & Cobelli (1981), Journal of Clinical Investigation 68:1456; Hovorka et al. (2004),
Physiological Measurement 25:905, for :math:`t_I = 55` min, :math:`t_G = 40` min, :math:`k_e = 0.138`/min, :math:`V_I =
0.12` L/kg, :math:`V_G = 0.16` L/kg and A = 0.8; Kovatchev et al. (1997), Diabetes Care 20:1655. Equations and these
constants agree with several open programs that quote the papers; the papers themselves we could not read. :math:`p_2 =
0.025` and :math:`p_3 = 1.3 \cdot 10^{-5}` are usual in control, from memory, after Fisher (1991); :math:`p_1 = 0.012` lies
in the range that Ward et al. (1991) are quoted with for type 1 diabetes, 0.010 to 0.016, and the clinic's :math:`p_3/p_2 =
2.9 \cdot 10^{-4}` within their 2.5 ± 0.6. Meals, practice, spreads and noise are this book's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from privrl_core.checks import generator, instance_of, nonnegative, number, positive, set_fields, whole_number
from privrl_core.lazy import needs
from privrl_core.networks.trajectories import Trajectories

with needs("networks"):
    import torch

__all__ = ["Clinic", "PUBLIC", "CLINIC", "Day", "DAY", "HALF_DAY", "SEEN", "UNITS", "LARGEST_DOSE", "Cohort",
           "kovatchev_risk", "kinematics", "glucose_of", "seen_next", "with_dose", "cohort", "meals", "live", "practice",
           "practice_rule", "proportional_dose", "constant_dose", "logged_days", "doses_given", "another_day"]

Policy = Callable[[torch.Tensor], torch.Tensor]

WEIGHT = 70.0                                    # kg
INSULIN_PEAK, MEAL_PEAK = 55.0, 40.0             # min, t_I and t_G
ELIMINATION = 0.138                              # 1/min, k_e
INSULIN_VOLUME = 0.12 * WEIGHT                   # L, V_I
GLUCOSE_VOLUME = 1.6 * WEIGHT                    # dL, V_G
AVAILABLE = 0.8                                  # the share of a meal's carbohydrate that reaches the blood, A
MINUTES, EULER_STEPS = 5.0, 6
SURVIVABLE = 10.0, 1000.0                        # mg/dL: glucose is kept within
REFERENCE, SPREAD = 120.0, 0.3                   # mg/dL, and the unit of log glucose

#: The seven numbers that are seen, in the order of the last axis of all tables.
SEEN = ("log glucose", "its last change", "insulin under the skin, 1", "insulin under the skin, 2", "insulin in plasma",
        "meal, 1", "meal, 2")
#: The public unit of each: 0.3 of log(glucose / 120 mg/dL), 5 U, 100 mU/L above basal, and 50 g.
UNITS = (SPREAD, SPREAD, 5.0, 5.0, 100.0, 50.0, 50.0)
#: The largest dose in half an hour, in U.
LARGEST_DOSE = 10.0
RISK = 10.0                                      # the unit in which learners see risk; public

# a usual time of each meal (half hours after seven o'clock), its median size in g, and its chance
MEALS = (1, 30.0, 1.0), (10, 45.0, 1.0), (15, 15.0, 0.5), (19, 40.0, 1.0)


@dataclass(frozen=True)
class Clinic:
    r"""A population: Bergman's ``p1`` and ``p2`` (1/min) and ``p3`` (L/mU/min²), the glucose at which people ``rest`` at
    their basal rate (mg/dL), how far meals raise them compared with the public simulator, ``rise``, standard deviations
    between people of the logs of :math:`\varsigma`, ``sensitivity_spread``, and of :math:`\rho`, ``rise_spread``, that of
    the ``noise`` of log glucose in half an hour, and the chance in each half hour that the sensor fails for the rest of the
    day, ``sensor_loss``. ValueError unless the first five are positive and the others at least 0."""

    p1: float = 0.012
    p2: float = 0.025
    p3: float = 1.3e-5
    rest: float = 120.0
    rise: float = 1.0
    sensitivity_spread: float = 0.3
    rise_spread: float = 0.3
    noise: float = 0.03
    sensor_loss: float = 0.01

    def __post_init__(self):
        for name in ("p1", "p2", "p3", "rest", "rise"):
            set_fields(self, **{name: number(positive, name, getattr(self, name))})
        for name in ("sensitivity_spread", "rise_spread", "noise", "sensor_loss"):
            set_fields(self, **{name: number(nonnegative, name, getattr(self, name))})


#: The simulator that everybody has.
PUBLIC = Clinic()
#: The people of the clinic: resistant to insulin, and raised further by meals. A method learns this from records only.
CLINIC = Clinic(p3=0.55 * PUBLIC.p3, rise=1.2)


@dataclass(frozen=True)
class Day:
    """What is scored: half hours with ``decisions``, half hours that are only ``watched``, and the glucose (mg/dL) at which
    the risk is capped, ``lowest`` and ``highest``. ValueError unless there is a decision and 1 < lowest < highest."""

    decisions: int = 24
    watched: int = 12
    lowest: float = 20.0
    highest: float = 600.0

    def __post_init__(self):
        set_fields(self, decisions=whole_number("decisions", self.decisions, least=1),
                   watched=whole_number("watched", self.watched, least=0))
        if not 1 < self.lowest < self.highest < float("inf"):
            raise ValueError(f"lowest must be above 1 and below highest, got {self.lowest} and {self.highest}")

    @property
    def horizon(self) -> int:
        """H, the number of half hours."""
        return self.decisions + self.watched


#: Eighteen hours, with the risk capped where nobody survives.
DAY = Day()
#: For comparison: twelve hours, in which late doses are free, with a cap that makes an overdose look half as bad.
HALF_DAY = Day(watched=0, lowest=40.0, highest=400.0)


def kovatchev_risk(glucose: torch.Tensor, day: Day = DAY) -> torch.Tensor:
    """The risk of ``glucose[...]`` (mg/dL), at least 0, within the caps of the day."""
    return 10 * (1.509 * (glucose.clamp(day.lowest, day.highest).log() ** 1.084 - 5.381)).square()


@lru_cache
def kinematics() -> torch.Tensor:
    """``[5, 5]``: how insulin and meals, as rows in their `UNITS`, move in half an hour, ``row @ kinematics()``. Public."""
    units = torch.tensor(UNITS[2:], dtype=torch.float64)
    return units[:, None] * torch.linalg.matrix_power(_euler(), EULER_STEPS) / units


def _euler():
    """``[5, 5]``: five minutes of insulin (U, U, mU/L) and meals (g, g), as rows."""
    rate = torch.zeros(5, 5, dtype=torch.float64)  # d(column)/dt = row @ rate
    for first, peak in ((0, INSULIN_PEAK), (3, MEAL_PEAK)):
        rate[first, first] = rate[first + 1, first + 1] = -1 / peak
        rate[first, first + 1] = 1 / peak
    rate[1, 2], rate[2, 2] = 1000 / (INSULIN_VOLUME * INSULIN_PEAK), -ELIMINATION
    return torch.eye(5, dtype=torch.float64) + MINUTES * rate


def glucose_of(seen: torch.Tensor) -> torch.Tensor:
    """``[...]``: the glucose in mg/dL of ``seen[..., 7]``."""
    return REFERENCE * (SPREAD * seen[..., 0]).exp()


def seen_next(after: torch.Tensor, y: torch.Tensor, meal: torch.Tensor) -> torch.Tensor:
    """``[..., 7]``: what is seen half an hour later, with the next ``meal[...]`` (g) announced, if log glucose changes by
    ``y[...]`` units and ``after[..., 7]`` was seen after dose and meal. Public and exact but for y."""
    moved = after[..., 2:] @ kinematics().to(after)
    fed = torch.stack((moved[..., 3] + meal / UNITS[5], moved[..., 4]), dim=-1)
    return torch.cat((torch.stack((after[..., 0] + y, y), dim=-1), moved[..., :3], fed), dim=-1)


def with_dose(seen: torch.Tensor, dose: torch.Tensor) -> torch.Tensor:
    """What is seen once ``dose[...]`` (U) is given: what a model of the body is asked about."""
    seen = seen.expand(*dose.shape, -1)  # one row of people for each of several plans
    return torch.cat((seen[..., :2], seen[..., 2:3] + dose[..., None] / UNITS[2], seen[..., 3:]), dim=-1)


@dataclass(frozen=True, eq=False)
class Cohort:
    """Fresh people of a clinic, and all that will happen to them by chance: ``sensitivity[N]``, ``rise[N]``, their glucose
    at the ``start[N]`` (mg/dL), ``meals[N, H]`` (g) and ``noise[N, H]`` of log glucose."""

    clinic: Clinic
    sensitivity: torch.Tensor
    rise: torch.Tensor
    start: torch.Tensor
    meals: torch.Tensor
    noise: torch.Tensor

    def __len__(self) -> int:
        return len(self.start)

    def people(self, chosen) -> "Cohort":
        """These people: indices, or one truth value for each."""
        parts = self.sensitivity, self.rise, self.start, self.meals, self.noise
        return Cohort(self.clinic, *(each[chosen] for each in parts))


def cohort(clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> Cohort:
    """``people`` at random. The same generator gives the same people, so that policies are compared on the same days.
    ValueError unless ``people`` is a positive whole number."""
    instance_of(Clinic, "clinic", clinic)
    people, rng = whole_number("people", people, least=1), generator("rng", rng)
    spreads = clinic.sensitivity_spread, clinic.rise_spread
    sensitivity, rise = (torch.from_numpy(np.exp(spread * rng.standard_normal(people))) for spread in spreads)
    return Cohort(clinic, sensitivity, clinic.rise * rise, *_chance(clinic, people, rng, day))


def another_day(people: Cohort, rng: np.random.Generator, day: Day = DAY) -> Cohort:
    """The same bodies on a new day: another glucose at the start, other meals and other noise."""
    instance_of(Cohort, "people", people)
    start, eaten, noise = _chance(people.clinic, len(people), generator("rng", rng), day)
    return replace(people, start=start, meals=eaten, noise=noise)


def _chance(clinic, people, rng, day):
    """What a day brings by chance: glucose at the start, meals and noise."""
    return map(torch.from_numpy, (150 * np.exp(0.25 * rng.standard_normal(people)), meals(people, rng, day),
                                  clinic.noise * rng.standard_normal((people, day.horizon))))


def meals(people: int, rng: np.random.Generator, day: Day = DAY) -> np.ndarray:
    """``[people, H]``: announced carbohydrate in g; times and sizes vary. Public."""
    eaten, who = np.zeros((people, max(day.horizon, 24))), np.arange(people)
    for usual, median, chance in MEALS:
        grams = (median * np.exp(0.3 * rng.standard_normal(people))).clip(10, 120) * (rng.random(people) < chance)
        eaten[who, usual + rng.integers(-1, 2, people)] += grams
    return eaten[:, :day.horizon]


def live(people: Cohort, policy: Policy, day: Day = DAY) -> tuple[torch.Tensor, torch.Tensor]:
    """The days of a cohort under a policy: ``after[..., N, H, 7]``, the seven numbers after each dose and meal, and
    ``y[..., N, H]``, the change of log glucose that follows, in units of 0.3.

    ``policy`` maps what is ``seen[..., N, 7]``, the meal included, to a dose ``[..., N]`` in U; doses outside 0 to
    `LARGEST_DOSE` are moved there. It may give several plans at once, by leading axes. Everything can be differentiated.
    """
    c, zero = people.clinic, torch.zeros_like(people.start)
    g = (people.start / REFERENCE).log() / SPREAD
    seen = torch.stack((g, zero, zero, zero, zero, people.meals[:, 0] / UNITS[5], zero), dim=-1)
    within = _linear_part(c)
    appears = 1000 * AVAILABLE * people.rise / (GLUCOSE_VOLUME * MEAL_PEAK)
    action, after, changes = zero, [], []
    for t in range(day.horizon):
        if t < day.decisions:
            seen = with_dose(seen, policy(seen).clamp(0, LARGEST_DOSE))
        after.append(seen)
        hidden = torch.cat((seen[..., 2:], action.expand(seen.shape[:-1])[..., None]), dim=-1) @ within
        falls = 1 - MINUTES * (c.p1 + people.sensitivity[:, None] * hidden[..., :EULER_STEPS])
        rises = MINUTES * (c.p1 * c.rest + appears[:, None] * hidden[..., EULER_STEPS:-1])
        glucose, action = glucose_of(seen), hidden[..., -1]
        for fall, rise in zip(falls.unbind(-1), rises.unbind(-1)):
            glucose = (fall * glucose + rise).clamp(*SURVIVABLE)
        log = (glucose.log() + people.noise[:, t]).clamp(np.log(SURVIVABLE[0]), np.log(SURVIVABLE[1]))
        changes.append((log - np.log(REFERENCE)) / SPREAD - seen[..., 0])
        coming = people.meals[:, t + 1] if t + 1 < day.horizon else zero
        seen = seen_next(seen, changes[-1], coming.expand(changes[-1].shape))
    return torch.stack(after, dim=-2), torch.stack(changes, dim=-1)


@lru_cache
def _linear_part(clinic):
    """``[6, 13]``: from insulin and meals in their units, and the action of insulin on a person of sensitivity 1, the action
    at each of the six steps, the second meal compartment (g) at each, and the action after them."""
    euler, units = _euler(), torch.tensor((*UNITS[2:], 1.0), dtype=torch.float64)
    step = torch.eye(6, dtype=torch.float64)
    step[:5, :5], step[2, 5], step[5, 5] = euler, MINUTES * clinic.p3, 1 - MINUTES * clinic.p2
    powers = [torch.linalg.matrix_power(step, k) for k in range(EULER_STEPS + 1)]
    return units[:, None] * torch.stack([each[:, 5] for each in powers[:-1]] + [each[:, 4] for each in powers[:-1]]
                                        + [powers[-1][:, 5]], dim=1)


def practice(rng: np.random.Generator) -> Policy:
    """What doctors do, as the records show it: 1 U for 5 g of a new meal, and late, once glucose is above 240 and less than
    1.5 U lie under the skin, 1 U for 40 mg/dL above 160; times a factor that varies by 1.8 from dose to dose."""
    generator("rng", rng)

    def dose(seen):
        varies = torch.from_numpy(np.exp(np.log(1.8) * rng.standard_normal(seen.shape[:-1]))).to(seen)
        return varies * practice_rule(seen)
    return dose


def practice_rule(seen: torch.Tensor) -> torch.Tensor:
    """The dose of `practice` for ``seen[..., 7]`` without its random factor."""
    late = (glucose_of(seen) > 240) & (UNITS[2] * (seen[..., 2] + seen[..., 3]) < 1.5)
    return _new_meal(seen) / 5 + late * (glucose_of(seen) - 160) / 40


def proportional_dose(units_per_10_grams: float) -> Policy:
    """So many U for each 10 g of a new meal, and nothing else."""
    units = number(nonnegative, "units_per_10_grams", units_per_10_grams)
    return lambda seen: units / 10 * _new_meal(seen)


def _new_meal(seen):
    """The grams of a meal that has just begun, and 0 otherwise."""
    grams = UNITS[5] * seen[..., 5]
    return torch.where((grams > 9.9) & (seen[..., 5] > 2 * seen[..., 6]), grams, 0.0)


def constant_dose(units: float) -> Policy:
    """The same dose in U every half hour, whatever is seen."""
    units = number(nonnegative, "units", units)
    return lambda seen: torch.full_like(seen[..., 0], units)


def logged_days(clinic: Clinic, people: int, rng: np.random.Generator, day: Day = DAY) -> Trajectories:
    """The records of ``people`` in float64: one day each under `practice`. ``inputs[N, H, 7]`` are the seven numbers after
    dose and meal, ``labels[N, H, 1]`` the changes y, and ``lengths[N]`` end where a sensor failed. Private data."""
    days = cohort(clinic, people, rng, day)
    after, y = live(days, practice(rng), day)
    lengths = np.minimum(rng.geometric(max(clinic.sensor_loss, 1e-12), people), day.horizon)
    return Trajectories(after, y[..., None], lengths)


def doses_given(records: Trajectories, day: Day = DAY) -> Trajectories:
    """What was seen before each dose, and which dose was given, of the same people as ``records``, as `logged_days` gives
    them: ``inputs[N, D, 7]``, the meal included, and ``labels[N, D, 1]`` in U, up to the D decisions of a day.

    The pump knows its kinetics: what is under the skin before a dose follows from what was there after the last one, and the
    difference is the dose. Each person's from that person's record alone; nothing is released. ValueError for records of
    another shape, or of another number of half hours than the day.
    """
    shape = (instance_of(Trajectories, "records", records).horizon, records.inputs.shape[2])
    if shape != (day.horizon, len(UNITS)):
        raise ValueError(f"records must have {day.horizon} half hours of {len(UNITS)} numbers, got {list(shape)}")
    after = records.inputs[:, :day.decisions].double()
    left = (after[:, :-1, 2:] @ kinematics().to(after))[..., 0]
    dose = UNITS[2] * (after[..., 2] - torch.nn.functional.pad(left, (1, 0)))
    dose = torch.where(dose > 1e-3, dose, 0.0).clamp(0, LARGEST_DOSE)  # what float32 leaves of no dose
    inputs = with_dose(after, -dose)
    lengths = records.lengths.clamp(max=day.decisions)
    return Trajectories(inputs.to(records.inputs), dose[..., None].to(records.inputs), lengths)
