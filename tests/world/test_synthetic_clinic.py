"""Invented clinics: laws that are laws, of the size of ICU-Sepsis, drawn anew by each seed."""

import numpy as np
import pytest

from privrl_core.world import DEATH, DISCHARGED, SURVIVAL, icu_sepsis, random_clinic

CLINICS = [random_clinic(np.random.default_rng(seed)) for seed in range(3)]
SEPSIS = icu_sepsis(1)


@pytest.mark.parametrize("clinic", CLINICS)
def test_a_clinic_has_the_form_of_icu_sepsis(clinic):
    """Sizes, admissible pairs, states with one treatment; laws sum to 1 (`EpisodicMDP` checks that) and end in an outcome."""
    assert clinic.transitions.shape == SEPSIS.transitions.shape
    choices = clinic.admissible[:DEATH].sum(axis=1)
    assert choices.sum() == SEPSIS.admissible[:DEATH].sum() and (choices == 1).sum() == (SEPSIS.admissible[:DEATH].sum(axis=1) == 1).sum()
    assert choices.min() == 1
    law = clinic.transitions[0]
    assert (law[:DEATH, :, [DEATH, SURVIVAL]] > 0).all() and (law[DEATH:, :, DISCHARGED] == 1).all()
    assert not law[:DEATH, :, DISCHARGED].any()
    assert (np.count_nonzero(law[:DEATH][clinic.admissible[:DEATH]], axis=1) <= 22).all()
    assert not clinic.expert_policy[~clinic.admissible].any()


def test_inadmissible_treatments_have_the_mean_law_of_the_admissible_ones():
    clinic = CLINICS[0]
    for s in (0, 100, 500):
        law, allowed = clinic.transitions[0, s], clinic.admissible[s]
        assert law[~allowed] == pytest.approx(np.broadcast_to(law[allowed].mean(axis=0), law[~allowed].shape))


def test_milder_states_survive_more_often_and_stays_end_after_about_ten_steps():
    """The sign and size that the formula gives, over 713 states of three clinics."""
    for clinic in CLINICS:
        ends = clinic.transitions[0, :DEATH][:, :, [DEATH, SURVIVAL]].sum(axis=2)
        # an error of 2 % from the states; of 0.3, at most, times the root of the popularities' squares, from the treatments
        assert np.log(ends[clinic.admissible[:DEATH]]).mean() == pytest.approx(np.log(0.1), abs=0.3)
        share = clinic.rewards[0, :DEATH].mean(axis=1) / ends.mean(axis=1)
        assert np.corrcoef(share, clinic.sofa[:DEATH])[0, 1] < 0


def test_treatments_change_how_soon_a_stay_ends():
    """In one state by different factors; the largest deviation of 2,000 normal ones is within a factor exp(0.3 * 5) of the mean."""
    for clinic in CLINICS:
        ends = clinic.transitions[0, :DEATH][:, :, [DEATH, SURVIVAL]].sum(axis=2)
        allowed = clinic.admissible[:DEATH]
        mean = (ends * allowed).sum(axis=1, keepdims=True) / allowed.sum(axis=1, keepdims=True)
        pace = np.log(ends / mean)[allowed & (allowed.sum(axis=1, keepdims=True) > 1)]
        assert 0.01 < pace.std() < 0.6 and np.abs(pace).max() < 2


def test_a_seed_gives_one_clinic_and_another_seed_another():
    again = random_clinic(np.random.default_rng(0))
    assert again.transitions.tobytes() == CLINICS[0].transitions.tobytes()
    assert again.transitions.tobytes() != CLINICS[1].transitions.tobytes()
