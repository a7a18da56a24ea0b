"""ICU-Sepsis while treating: groups of conditions, protocols of treatment, and the exact values of both."""

from itertools import product

import numpy as np
import pytest

from privrl_core.online import (
    FirstVisits,
    clinic_with_protocols,
    count_days_non_private,
    exact_values,
    final_groups_known,
    first_visits_energy,
    first_visits_of_groups,
    learn_in_batches,
    posterior_sampling_non_private,
    private_optimist,
    private_posterior_sampling,
    private_posterior_sampling_from_all_releases,
    protocols,
    table_counter,
    table_sensitivity,
)
from privrl_core.privacy.guarantees import REPLACE_ONE, Model
from privrl_core.world import EpisodicMDP, icu_sepsis, random_episodic_mdp, river_swim
from privrl_core.world.sepsis import DEATH, SURVIVAL

SEED, RIVER = np.random.default_rng, river_swim()
PROBLEM = icu_sepsis(6)
DOSES = np.vstack([np.zeros((1, 25), dtype=bool), np.arange(25) // 5 == np.arange(5)[:, None]])
CLINIC = clinic_with_protocols(PROBLEM, DOSES)
THREE = first_visits_of_groups(2, np.digitize(PROBLEM.sofa, [5, 8]))
PROMISE = dict(epsilon=1.0, delta=1e-5)
SMALL = dict(counting=THREE, samples=2, times=[300, 600, 900])


# --------------------------------------------------------------------------------------------- what is counted, by groups

def grouped(day, groups, cap):
    """The table of one day, written as the definition says: the first ``cap`` visits of each group and treatment."""
    table = np.zeros((max(groups) + 1, 2, max(groups) + 1))
    for s, a, after in day:
        if table[groups[s], a].sum() < cap:
            table[groups[s], a, groups[after]] += 1
    return table


def all_days(horizon, n_states):
    for path in product(range(n_states), *[range(2), range(n_states)] * horizon):
        yield [path[2 * h:2 * h + 3] for h in range(horizon)]


@pytest.mark.parametrize("cap", [1, 2, 3])
@pytest.mark.parametrize("groups", [(0, 0, 1), (0, 1, 1), (1, 0, 1), (0, 1, 2)])
def test_the_sensitivity_by_groups_is_what_all_pairs_of_days_give(groups, cap):
    world = EpisodicMDP(np.full((1, 3, 2, 3), 1 / 3).repeat(3, axis=0), np.zeros((3, 3, 2)), [1, 0, 0])
    tables = np.unique([grouped(day, groups, cap).ravel() for day in all_days(3, 3)], axis=0)
    far = np.array([[np.abs(tables - one).sum(axis=1).max(), ((tables - one) ** 2).sum(axis=1).max()] for one in tables])
    said = table_counter(world, 90, FirstVisits(cap, groups), "doubling", [90], **PROMISE).sensitivity
    assert said == table_sensitivity(3, 1, FirstVisits(cap), pairs=2 * (max(groups) + 1))
    assert (said.l1, said.l2**2) == pytest.approx(far.max(axis=0))


def test_people_move_through_conditions_and_are_counted_by_groups():
    """Exact law by all days of a small world; by Hoeffding within H √(ln(2/p)/(2n)) of it, with p = 1e-6 over all cells."""
    world, groups, people = random_episodic_mdp(3, 2, 3, SEED(2)), (0, 1, 0), 60_000
    policy = SEED(1).dirichlet(np.ones(2), size=(1, 1, 3, 2))
    found = count_days_non_private(world, policy, people, FirstVisits(2, groups), SEED(5))[0]
    expected = np.zeros((2, 2, 2))
    for day in all_days(3, 3):
        chance = world.initial[day[0][0]] * np.prod(
            [policy[0, 0, h, groups[s], a] * world.transitions[h, s, a, after] for h, (s, a, after) in enumerate(day)])
        expected += chance * grouped(day, groups, 2)
    assert np.abs(found / people - expected).max() < 3 * np.sqrt(np.log(2 * 8 / 1e-6) / (2 * people))


def test_what_one_patient_adds_is_bounded_by_construction():
    """One patient in each of 2,000 runs, treated at random: no pair above the cap, no energy above that of the sensitivity."""
    policies = np.full((2_000, 1, 7, 6, 6), 1 / 6)
    counts = count_days_non_private(CLINIC, policies, 1, THREE, SEED(0))
    assert counts.shape == (2_000, 6, 6, 6) and counts.sum(axis=3).max() == 2
    assert (counts**2).sum(axis=(1, 2, 3)).max() <= first_visits_energy(7, 2, 36)


# ---------------------------------------------------------------------------------------------- one learner, with or without

@pytest.mark.parametrize("learner", [private_posterior_sampling, private_posterior_sampling_from_all_releases, private_optimist])
def test_a_group_for_each_condition_is_no_grouping(learner):
    """The same bytes: groups that tell all conditions apart, and no groups."""
    plain, apart = (learner(RIVER, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(1), runs=2, counting=FirstVisits(6, groups))
                    for groups in (None, range(6)))
    assert plain.regret.tobytes() == apart.regret.tobytes() and plain.guarantees == apart.guarantees


def test_conditions_that_are_alike_cost_nothing_to_merge():
    """Each condition of the river twice, with the same probabilities: merged again, it is learned as well as the river."""
    halves = np.repeat(np.repeat(RIVER.transitions[0], 2, axis=0), 2, axis=2) / 2
    double = EpisodicMDP(np.broadcast_to(halves, (20, 12, 2, 12)), np.repeat(RIVER.rewards, 2, axis=1), np.repeat(RIVER.initial, 2) / 2)
    found = posterior_sampling_non_private(double, 5_000, rng=SEED(1), runs=8, counting=FirstVisits(20, np.repeat(np.arange(6), 2)))
    assert found.regret[:, -1].max() < 100                      # as the river itself, in tests/online/test_treatment.py


def test_what_is_public_goes_into_the_prior():
    """With the true probabilities as 10^9 prior visits nothing is left to learn, and noise of 100 does not matter."""
    prior = 1e9 * RIVER.transitions[0] + 1e-9
    found = private_posterior_sampling(RIVER, 600, **PROMISE, rng=SEED(0), noise_rng=SEED(1), prior=prior)
    assert found.regret[0, -1] < 1e-3 * 600


def test_the_same_seeds_give_the_same_bytes_and_the_guarantee_is_joint():
    prior = final_groups_known(6, 6)
    a, b, c = (private_posterior_sampling(CLINIC, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(seed), prior=prior, **SMALL) for seed in (1, 1, 2))
    assert a.regret.tobytes() == b.regret.tobytes() and a.regret.tobytes() != c.regret.tobytes() and a.regret[0, 0] == c.regret[0, 0]
    one = a.guarantee
    assert (one.model, one.neighbours, one.status.value) == (Model.JOINT, REPLACE_ONE, "proved") and one.epsilon == pytest.approx(1, rel=1e-6)
    assert "groups of conditions and prior counts, if there are any, are public" in one.assumes


# ------------------------------------------------------------------------------------------------------------ exact values

def test_protocols_give_admissible_treatments_in_the_expert_s_proportions():
    law = protocols(PROBLEM, DOSES)
    assert law[:, 0] == pytest.approx(PROBLEM.expert_policy)     # a group without treatments is practice itself
    for s, b in product((0, 100, 500), range(1, 6)):
        own = [a for a in range(5 * (b - 1), 5 * b) if PROBLEM.admissible[s, a]]
        total = sum(PROBLEM.expert_policy[s, a] for a in own)
        expected = [PROBLEM.expert_policy[s, a] / total if a in own else 0 for a in range(25)] if own else PROBLEM.expert_policy[s]
        assert law[s, b] == pytest.approx(expected)
    assert law.sum(axis=-1) == pytest.approx(1)


def test_a_value_is_the_chance_to_survive_within_the_horizon_of_the_model():
    """Second routes: the model's own values with 25 treatments, and a patient who is followed without rewards."""
    groups = np.array(THREE.groups)
    policy = SEED(3).dirichlet(np.ones(6), size=(7, 6))
    found = float(exact_values(CLINIC, policy, groups))
    law = protocols(PROBLEM, DOSES)
    treated = np.einsum("hsb,sba->hsa", policy[:6, groups], law)
    assert found == pytest.approx(PROBLEM.initial @ PROBLEM.policy_values(treated)[0], abs=1e-12)
    here, survived = PROBLEM.initial, 0.0
    for h in range(6):
        here = np.einsum("s,sa,san->n", here, treated[h], PROBLEM.transitions[0])
        survived += here[SURVIVAL]
    assert found == pytest.approx(survived, abs=1e-12)


def test_regret_is_that_of_the_whole_model():
    """A plan that never learns: each patient loses the same, whatever the hospital tells apart."""
    policy = SEED(3).dirichlet(np.ones(6), size=(1, 2, 7, 6))
    found = learn_in_batches(CLINIC, THREE, np.array([30, 101]), lambda totals, sd: policy, None, runs=1, rng=SEED(0), noise_rng=None)
    losses = CLINIC.initial @ (CLINIC.optimal_values()[0][:, None] - np.stack(
        [CLINIC.policy_values(one[:, np.array(THREE.groups)])[0] for one in policy[0]], axis=1))
    assert found.regret[0] == pytest.approx([15 * losses.sum(), 15 * losses.sum() + np.array([36, 35]) @ losses], abs=1e-9)


def test_all_treatments_as_protocols_have_the_optimum_of_the_model():
    singles = clinic_with_protocols(PROBLEM, np.eye(25, dtype=bool))
    assert singles.initial @ singles.optimal_values()[0] == pytest.approx(PROBLEM.initial @ PROBLEM.optimal_values()[0], abs=1e-12)


def test_ends_are_groups_of_their_own_and_known():
    assert len(set(THREE.groups)) == 6 and THREE.groups[DEATH:] == (3, 4, 5) and max(THREE.groups[:DEATH]) == 2
    prior = final_groups_known(6, 2)
    assert (prior[3:, :, 5] > 1e8).all() and prior[:3] == pytest.approx(1 / 6) and (np.delete(prior[3:], 5, axis=2) < 1).all()


@pytest.mark.parametrize("call, message", [
    (lambda: FirstVisits(1, [0, 2]), "groups must be numbered 0, 1, ... without a gap, got [0 2]"),
    (lambda: FirstVisits(1, [[0]]), "groups must have shape [S], got [1, 1]"),
    (lambda: FirstVisits(1, [0, 0.5]), "groups must be whole numbers, got 0.5"),
    (lambda: private_posterior_sampling(RIVER, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(1), counting=FirstVisits(1, [0, 1])),
     "groups must be one for each of 6 conditions, got 2"),
    (lambda: private_optimist(RIVER, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(1), counting=FirstVisits(1, [0, 0, 0, 1, 1, 1])),
     "rewards must be the same throughout a group"),
    (lambda: private_posterior_sampling(CLINIC, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(1), prior=np.ones((2, 6, 2)), **SMALL),
     "prior must have shape [6, 6, 6], got [2, 6, 2]"),
    (lambda: private_posterior_sampling(CLINIC, 900, **PROMISE, rng=SEED(0), noise_rng=SEED(1), prior=np.zeros((6, 6, 6)), **SMALL),
     "prior must be positive, got 0.0"),
    (lambda: protocols(PROBLEM, np.eye(25)), "treatments must be booleans of shape [25, 25], got float64"),
    (lambda: protocols(PROBLEM, np.eye(24, dtype=bool)), "treatments must be booleans of shape [24, 25]"),
    (lambda: clinic_with_protocols(RIVER, np.eye(25, dtype=bool)), "problem must be of type ICUSepsis"),
    (lambda: first_visits_of_groups(2, [0, 1]), "groups must have shape [716], got [2]"),
    (lambda: final_groups_known(3, 2), "n_groups must be a whole number of at least 4, got 3"),
])
def test_wrong_arguments_say_so(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)
