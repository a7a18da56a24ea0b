"""The insulin task by second routes: Euler's steps one at a time, masses that must come out, values of risk by hand."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
import torch

from privrl_core.networks.insulin import (
    CLINIC,
    DAY,
    HALF_DAY,
    LARGEST_DOSE,
    PUBLIC,
    UNITS,
    Clinic,
    Day,
    cohort,
    constant_dose,
    glucose_of,
    kinematics,
    kovatchev_risk,
    live,
    logged_days,
    meals,
    practice,
    practice_rule,
    proportional_dose,
    seen_next,
)
from privrl_core.networks.outcomes import evaluate, outcome

QUIET = replace(PUBLIC, sensitivity_spread=0, rise_spread=0, noise=0)


def step_by_step(people, policy, day):
    """Log glucose at the end of each half hour, by the seven equations of the model with each of its steps written out."""
    c, n = people.clinic, len(people)
    glucose, x = people.start.numpy().copy(), np.zeros(n)
    s1, s2, i, d1, d2, before = (np.zeros(n) for _ in range(6))
    change, found = np.zeros(n), []
    for t in range(day.horizon):
        before, d1 = np.log(glucose / 120) / 0.3, d1 + people.meals[:, t].numpy()
        if t < day.decisions:
            seen = np.stack((before, change, s1 / 5, s2 / 5, i / 100, d1 / 50, d2 / 50), axis=-1)
            s1 = s1 + np.clip(policy(torch.from_numpy(seen)).numpy(), 0, 10)
        for _ in range(6):
            appears = people.rise.numpy() * 1000 * 0.8 * d2 / 40 / (1.6 * 70)
            glucose, x, s1, s2, i, d1, d2 = (
                np.clip(glucose + 5 * (-(c.p1 + people.sensitivity.numpy() * x) * glucose + c.p1 * c.rest + appears), 10, 1000),
                x + 5 * (c.p3 * i - c.p2 * x), s1 - 5 * s1 / 55, s2 + 5 * (s1 - s2) / 55,
                i + 5 * (1000 * s2 / 55 / (0.12 * 70) - 0.138 * i), d1 - 5 * d1 / 40, d2 + 5 * (d1 - d2) / 40)
        glucose = np.clip(glucose * np.exp(people.noise[:, t].numpy()), 10, 1000)
        change = np.log(glucose / 120) / 0.3 - before
        found.append(np.log(glucose / 120) / 0.3)
    return np.stack(found, axis=-1)


@pytest.mark.parametrize("clinic", [PUBLIC, CLINIC], ids=["public", "clinic"])
@pytest.mark.parametrize("dose", [lambda seen: 0.4 * (glucose_of(seen) / 100), constant_dose(10.0)], ids=["feedback", "overdose"])
def test_a_day_is_bergman_and_hovorka_step_by_step(clinic, dose):
    people = cohort(clinic, 40, np.random.default_rng(9100))
    after, y = live(people, dose)
    assert (after[..., 0] + y).numpy() == pytest.approx(step_by_step(people, dose, DAY), abs=1e-9)


def test_at_the_basal_rate_glucose_rests():
    people = cohort(QUIET, 5, np.random.default_rng(0))
    people = replace(people, start=torch.full((5,), 120.0, dtype=torch.float64), meals=torch.zeros_like(people.meals))
    assert live(people, constant_dose(0.0))[1].abs().max() < 1e-12


def test_insulin_and_carbohydrate_are_neither_made_nor_lost():
    """What leaves the plasma, and what leaves the gut, adds up to the doses and the meals."""
    people = replace(cohort(QUIET, 3, np.random.default_rng(1)), start=torch.full((3,), 500.0, dtype=torch.float64))
    day = Day(decisions=24, watched=200)
    people = replace(people, meals=torch.nn.functional.pad(people.meals, (0, day.horizon - DAY.horizon)),
                     noise=torch.zeros(3, day.horizon, dtype=torch.float64))
    after, y = live(people, constant_dose(2.0), day)
    units = torch.tensor(UNITS[2:], dtype=torch.float64)
    left = units * after[:, -1, 2:]
    assert left.abs().max() < 1e-6
    euler = torch.eye(5, dtype=torch.float64)
    euler[0, 0] = euler[1, 1] = 1 - 5 / 55
    euler[0, 1], euler[1, 2], euler[2, 2] = 5 / 55, 5 * 1000 / (8.4 * 55), 1 - 5 * 0.138
    euler[3, 3] = euler[4, 4] = 1 - 5 / 40
    euler[3, 4] = 5 / 40
    within = sum(torch.linalg.matrix_power(euler, k) for k in range(6))
    held = (units * after[..., 2:]) @ within  # sums over the steps of half an hour
    assert (5 * 0.138 * 8.4 / 1000 * held[..., 2].sum(dim=1)).numpy() == pytest.approx(48.0, rel=1e-9)
    assert (5 / 40 * held[..., 4].sum(dim=1)).numpy() == pytest.approx(people.meals.sum(dim=1).numpy(), rel=1e-9)
    assert outcome(after, y, day).insulin == pytest.approx(48.0, rel=1e-9)


def test_five_of_the_seven_numbers_move_by_the_public_rule_exactly():
    days = logged_days(replace(CLINIC, sensor_loss=0), 50, np.random.default_rng(9101))
    after, y = days.inputs, days.labels[..., 0]
    assert (days.lengths == DAY.horizon).all()
    nothing = seen_next(after[:, :-1], y[:, :-1], torch.zeros(50, DAY.horizon - 1, dtype=torch.float64))
    given = after[:, 1:] - nothing
    assert given[..., [0, 1, 3, 4, 6]].abs().max() < 1e-12
    assert (given[..., [2, 5]] > -1e-12).all()  # doses and meals, which the pump knows
    assert torch.allclose(after[:, 1:, 2:] - given[..., 2:], after[:, :-1, 2:] @ kinematics(), rtol=0, atol=1e-12)


def test_kovatchev_by_forty_digits_and_its_zero():
    with mpmath.workdps(40):
        def f(glucose):
            return mpmath.mpf("1.509") * (mpmath.log(glucose) ** mpmath.mpf("1.084") - mpmath.mpf("5.381"))
        for glucose in (20, 40, 70, 112.5, 180, 400, 600):
            assert float(kovatchev_risk(torch.tensor(glucose, dtype=torch.float64))) == pytest.approx(float(10 * f(glucose) ** 2), rel=1e-12)
        assert float(mpmath.findroot(f, 112)) == pytest.approx(112.5, abs=0.1)
    assert float(kovatchev_risk(torch.tensor(112.5, dtype=torch.float64))) < 1e-5


def test_caps_of_the_whole_and_of_the_half_day():
    low, high = torch.tensor([5.0, 20.0]), torch.tensor([600.0, 1000.0])
    assert kovatchev_risk(low).numpy() == pytest.approx([100, 100], abs=1)
    assert kovatchev_risk(high).numpy() == pytest.approx([100, 100], abs=1)
    assert kovatchev_risk(low, HALF_DAY).numpy() == pytest.approx([36.4, 36.4], abs=0.1)


def test_half_a_day_makes_an_overdose_look_harmless_and_a_day_does_not():
    def always(units, day):
        return evaluate(constant_dose(units), CLINIC, 1000, np.random.default_rng(9102), day)
    assert always(10, HALF_DAY).risk < 1.5 * always(0, HALF_DAY).risk
    assert always(10, DAY).risk > 3 * always(0, DAY).risk
    assert always(10, DAY).is_overdose and not always(1, DAY).is_overdose


def test_practice_is_safer_and_better_than_every_constant_dose():
    doctors = evaluate(practice(np.random.default_rng(1)), CLINIC, 3000, np.random.default_rng(9103))
    constants = [evaluate(constant_dose(units), CLINIC, 3000, np.random.default_rng(9103)) for units in np.arange(0, 4, 0.25)]
    assert doctors.risk < min(one.risk for one in constants)
    assert doctors.below_70 < 0.01


def test_practice_is_its_rule_times_one_random_factor_for_each_dose_and_the_rule_is_written_out_here():
    people = cohort(CLINIC, 200, np.random.default_rng(5))
    seen = live(people, practice(np.random.default_rng(6)))[0].reshape(-1, 7)
    factors = np.exp(np.log(1.8) * np.random.default_rng(8).standard_normal(len(seen)))
    by_hand = np.zeros(len(seen))
    for k, (glucose, _, under_1, under_2, _, gut_1, gut_2) in enumerate(seen.numpy()):
        if 50 * gut_1 > 9.9 and gut_1 > 2 * gut_2:
            by_hand[k] += 50 * gut_1 / 5
        if (mg_dl := 120 * np.exp(0.3 * glucose)) > 240 and 5 * (under_1 + under_2) < 1.5:
            by_hand[k] += (mg_dl - 160) / 40
    assert 0 < np.count_nonzero(by_hand) < len(seen)
    assert practice_rule(seen).numpy() == pytest.approx(by_hand, rel=1e-12)
    assert practice(np.random.default_rng(8))(seen).numpy() == pytest.approx(factors * by_hand, rel=1e-12)
    calm = glucose_of(seen) <= 240
    assert proportional_dose(2.0)(seen)[calm].numpy() == pytest.approx(by_hand[calm.numpy()], rel=1e-12)


def test_the_same_seed_gives_the_same_bytes_and_the_same_people_for_every_policy():
    one, two = (logged_days(CLINIC, 30, np.random.default_rng(7)) for _ in range(2))
    assert all(getattr(one, name).numpy().tobytes() == getattr(two, name).numpy().tobytes() for name in ("inputs", "labels", "lengths"))
    first, second = (live(cohort(CLINIC, 30, np.random.default_rng(7)), constant_dose(units))[0][:, 0] for units in (1.0, 2.0))
    assert torch.equal(first[:, [0, 1, 3, 4, 5, 6]], second[:, [0, 1, 3, 4, 5, 6]])


def test_people_differ_as_the_record_says():
    people = cohort(CLINIC, 20_000, np.random.default_rng(9104))
    # standard error 0.3 / sqrt(40,000) = 0.0015 and 0.0021: seven of them
    assert people.sensitivity.log().std() == pytest.approx(0.3, abs=0.0105)
    assert people.rise.log().mean() == pytest.approx(np.log(1.2), abs=0.015)


def test_a_sensor_fails_as_often_as_the_record_says():
    lengths = logged_days(replace(CLINIC, sensor_loss=0.1), 5000, np.random.default_rng(9105)).lengths
    # whole days: 0.9^35 of 5,000, seven standard errors
    expected = 0.9**35
    assert (lengths == 36).double().mean() == pytest.approx(expected, abs=7 * np.sqrt(expected / 5000))


def test_meals_are_between_seven_in_the_morning_and_seven_in_the_evening():
    eaten = meals(2000, np.random.default_rng(0))
    assert eaten.shape == (2000, 36) and not eaten[:, 21:].any()
    assert 120 < eaten.sum(axis=1).mean() < 140


def test_doses_out_of_range_are_moved_to_its_ends():
    people = cohort(CLINIC, 10, np.random.default_rng(3))
    for wild, kept in ((-5.0, 0.0), (1e9, LARGEST_DOSE)):
        assert torch.equal(live(people, lambda seen: torch.full_like(seen[..., 0], wild))[0], live(people, constant_dose(kept))[0])


@pytest.mark.parametrize("make, message", [
    (lambda: Clinic(p1=0), "p1 must be positive, got 0"),
    (lambda: Clinic(noise=float("nan")), "noise must be finite, got nan"),
    (lambda: Day(decisions=0), "decisions must be a whole number of at least 1, got 0"),
    (lambda: Day(lowest=500, highest=400), "lowest must be above 1 and below highest, got 500 and 400"),
    (lambda: cohort("st mary", 3, np.random.default_rng(0)), "clinic must be of type Clinic, got 'st mary'"),
    (lambda: cohort(CLINIC, 0, np.random.default_rng(0)), "people must be a whole number of at least 1, got 0"),
    (lambda: logged_days(CLINIC, 3, 0), "rng must be a numpy.random.Generator, got 0"),
    (lambda: constant_dose(-1), "units must be at least 0, got -1"),
    (lambda: proportional_dose(-1), "units_per_10_grams must be at least 0, got -1"),
])
def test_bad_input_is_one_sentence(make, message):
    with pytest.raises(ValueError) as error:
        make()
    assert str(error.value).startswith(message)
