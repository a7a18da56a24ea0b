"""The last decisions of episodes: counted by loops, sampled against episodes, their sensitivity by brute force."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from privrl_core.offline import (
    Priors,
    TerminalDecisions,
    count_terminal_decisions,
    dp_treatment_policy,
    sample_terminal_decisions,
    severity_groups,
)
from privrl_core.privacy import ADD_OR_REMOVE_ONE, REPLACE_ONE, TRAJECTORY, DiscreteGaussianNoise, Status, gaussian_mu
from privrl_core.world import DEATH, SURVIVAL, Episodes, icu_sepsis, sample_episodes

SEPSIS = icu_sepsis(500)
EMPTY = TerminalDecisions(np.zeros((716, 25)), np.zeros((716, 25)))
EXPERT, GROUPS = SEPSIS.expert_policy, severity_groups(SEPSIS)


def learn(data, seed=0, epsilon=1.0, **changes):
    arguments = dict(epsilon=epsilon, delta=1e-5, noise_rng=np.random.default_rng([seed, 2])) | changes
    return dp_treatment_policy(data, GROUPS, EXPERT, SEPSIS.admissible, **arguments)


def value(policy):
    """The chance to survive within 500 steps."""
    step = csr_array(np.einsum("sa,san->sn", policy, SEPSIS.transitions[0]))
    ends, values = step[:, [SURVIVAL]].toarray().ravel(), np.zeros(716)
    for _ in range(500):
        values = ends + step @ values
    return SEPSIS.initial @ values


def test_values_here_are_those_of_the_model():
    assert value(EXPERT) == pytest.approx(SEPSIS.to_the_end().policy_values(EXPERT) @ SEPSIS.initial, abs=1e-6)


def test_last_decisions_are_what_a_loop_finds():
    episodes = Episodes.from_lists([[3, 5, SURVIVAL], [3, DEATH], [7, 8, 9], [3, DEATH], [SURVIVAL]],
                                   [[1, 2], [0], [1, 1], [0], []], [[0, 1], [0], [0, 0], [0], []])
    found = count_terminal_decisions(episodes, SEPSIS)
    assert found.survivals[5, 2] == 1 and found.deaths[3, 0] == 2
    assert found.survivals.sum() + found.deaths.sum() == 3, "one was cut, one had no decision"


def test_sampled_last_decisions_have_the_law_of_those_of_episodes():
    """Shares by outcome, group and treatment: 150 differences of two means of 200,000 indicators, one of them above 0.01 with
    probability below 300 exp(-200,000 * 0.01²) < 1e-6."""
    n = 200_000
    episodes = sample_episodes(SEPSIS.to_the_end(), EXPERT, n, np.random.default_rng(0), max_length=10)
    one = count_terminal_decisions(episodes, SEPSIS)
    two = sample_terminal_decisions(SEPSIS, EXPERT, n, np.random.default_rng(1), max_length=10)
    for x, y in zip(four_tables(one)[:2], four_tables(two)[:2], strict=True):
        assert x / n == pytest.approx(y / n, abs=0.01)
    assert 0.2 < 1 - (two.survivals.sum() + two.deaths.sum()) / n < 0.45, "many are cut after ten steps"


def four_tables(data):
    """Survivals and deaths by group, then by state. By loops over groups, not by matrices."""
    by_group = [np.array([table[GROUPS == g].sum(axis=0) for g in range(3)]) for table in (data.survivals, data.deaths)]
    return [*by_group, data.survivals, data.deaths]


MU = gaussian_mu(1.0, 1e-5)
SIGMA = np.sqrt(5 / 2) / MU
SCALES = 2 * SIGMA, 2 * SIGMA, SIGMA, SIGMA
SHAPES = [(3, 25), (3, 25), (716, 25), (716, 25)]
MILD, ALSO_MILD, SEVERE = (np.flatnonzero(GROUPS[:DEATH] == g)[k] for g, k in ((0, 0), (0, 1), (2, 0)))


class Silent(np.random.Generator):
    """No noise; keeps what it was asked for."""

    def __init__(self):
        super().__init__(np.random.PCG64())
        self.asked = []

    def normal(self, mean, scale, shape):
        self.asked.append((mean, scale, shape))
        return np.zeros(shape)


def test_replacing_an_episode_costs_exactly_mu_and_adding_one_less():
    """All kinds of episodes, every pair: the distance of the four tables in units of the noise that is drawn. It is what the
    docstring says, in units of sigma, and nowhere more than mu, which is attained."""
    silent = Silent()
    found = learn(EMPTY, noise_rng=silent)

    def in_units_of_the_noise(states, actions):
        data = count_terminal_decisions(Episodes.from_lists([states], [actions], [[0.0] * len(actions)]), SEPSIS)
        return np.concatenate([table.ravel() / scale for table, (_, scale, _) in zip(four_tables(data), silent.asked, strict=True)])
    kinds = {(s, a, end): in_units_of_the_noise([s, end], [a])
             for s in (MILD, ALSO_MILD, SEVERE) for a in (0, 24) for end in (SURVIVAL, DEATH)}
    kinds["cut"] = in_units_of_the_noise([MILD, SEVERE], [0])
    apart = {(one, two): np.sum((x - y) ** 2) * SIGMA**2 for one, x in kinds.items() for two, y in kinds.items()}
    assert max(apart.values()) == pytest.approx(5 / 2)
    died = MILD, 0, DEATH
    expected = {(MILD, 0, SURVIVAL): 2.5, (ALSO_MILD, 0, SURVIVAL): 2.5, (ALSO_MILD, 0, DEATH): 2, (ALSO_MILD, 24, DEATH): 2.5,
                (SEVERE, 0, DEATH): 2.5, "cut": 1.25}
    assert {other: apart[died, other] for other in expected} == pytest.approx(expected)
    most = max(np.linalg.norm(x - kinds["cut"]) for x in kinds.values())
    assert found.under(ADD_OR_REMOVE_ONE).mu == pytest.approx(most) == pytest.approx(MU / np.sqrt(2))
    assert found.guarantees[1].neighbours == ADD_OR_REMOVE_ONE and found.guarantees[1].epsilon < 0.9
    guarantee = found.guarantee
    assert (guarantee.mu, guarantee.epsilon, guarantee.delta) == (pytest.approx(MU), pytest.approx(1.0), 1e-5)
    assert (guarantee.unit, guarantee.neighbours, guarantee.status) == (TRAJECTORY, REPLACE_ONE, Status.PROVED)


def test_the_noise_on_every_cell_of_all_tables_is_what_the_proof_asks_for():
    silent = Silent()
    learn(EMPTY, noise_rng=silent)
    assert silent.asked == [(0, pytest.approx(scale), shape) for scale, shape in zip(SCALES, SHAPES, strict=True)]


class Compensating(np.random.Generator):
    """Noise that turns the tables of ``data`` into the same noisy tables, whatever they are: integers of its own less
    the tables. Integers, so that both ways round to the same doubles."""

    def __init__(self, data):
        super().__init__(np.random.PCG64())
        self.tables = four_tables(data)

    def normal(self, mean, scale, shape):
        table = self.tables.pop(0)
        return np.random.default_rng(len(self.tables)).integers(-20, 40 + 30000 // table.size, size=shape) - table


def test_the_data_enter_through_the_noisy_tables_alone():
    """The proof's whole content: other data, and the noise that makes up for it, give the same bytes. One of the data
    sets is empty."""
    data = sample_terminal_decisions(SEPSIS, EXPERT, 20_000, np.random.default_rng(0), max_length=60)
    one, other = (learn(d, noise_rng=Compensating(d)) for d in (data, EMPTY))
    assert other.effects.tobytes() == one.effects.tobytes() and (other.policy == one.policy).all()
    assert np.ptp(one.effects) > 0.01 and len(set(one.policy.argmax(axis=1))) > 5


def test_one_noise_for_each_cell_and_no_two_the_same():
    """650 million pairs of noises are some way apart: a noise used twice, in a table or in two, would show."""
    class Kept(np.random.Generator):
        drawn = []

        def normal(self, mean, scale, shape):
            self.drawn.append(super().normal(mean, scale, shape))
            return self.drawn[-1]
    learn(EMPTY, noise_rng=Kept(np.random.PCG64(0)))
    for scaled in (Kept.drawn, [x / scale for x, scale in zip(Kept.drawn, SCALES, strict=True)]):
        together = np.concatenate([x.ravel() for x in scaled])
        assert len(np.unique(together)) == together.size == 2 * 719 * 25


def test_numbers_of_groups_that_no_state_has_change_nothing():
    data = sample_terminal_decisions(SEPSIS, EXPERT, 5000, np.random.default_rng(0), max_length=60)
    one, two = (dp_treatment_policy(data, groups, EXPERT, SEPSIS.admissible, epsilon=1.0, delta=1e-5,
                                    noise_rng=np.random.default_rng(1)) for groups in (GROUPS, 50 * GROUPS + 3))
    assert (one.effects == two.effects).all()
    many = severity_groups(SEPSIS, 713)
    found = dp_treatment_policy(data, many, EXPERT, SEPSIS.admissible, epsilon=1.0, delta=1e-5, noise_rng=np.random.default_rng(1))
    assert np.isfinite(found.effects).all() and len(set(many)) > 600


@pytest.mark.parametrize("n, least", [(20_000, 0.797), (1_000_000, 0.85)])
def test_the_policy_is_better_than_the_expert_s(n, least):
    """Ten data sets of the expert's episodes, cut at 60 steps, at epsilon = 1 and delta = 1e-5."""
    found = [value(learn(sample_terminal_decisions(SEPSIS, EXPERT, n, np.random.default_rng([seed, 1]), max_length=60), seed).policy)
             for seed in range(10)]
    assert np.mean(found) >= least > value(EXPERT) + 0.01
    assert min(found) > value(EXPERT)


def test_more_privacy_costs_value():
    data = [sample_terminal_decisions(SEPSIS, EXPERT, 100_000, np.random.default_rng([seed, 1]), max_length=60) for seed in range(3)]
    means = [np.mean([value(learn(d, seed, epsilon).policy) for seed, d in enumerate(data)]) for epsilon in (0.1, 1.0, 10.0)]
    assert means == sorted(means) and means[2] - means[0] > 0.03


def test_only_admissible_treatments_are_chosen_and_the_same_seed_gives_the_same_policy():
    data = sample_terminal_decisions(SEPSIS, EXPERT, 20_000, np.random.default_rng(0), max_length=60)
    one, two = learn(data), learn(data)
    assert (one.policy == two.policy).all()
    assert not (one.policy * ~SEPSIS.admissible).any() and set(vars(one)) == {"policy", "effects", "guarantees", "noise", "identity"}
    cautious, other = learn(data, caution=2.0), learn(data, priors=Priors(0.3, 0.05, 0.05, 0.05))
    assert cautious.guarantee == one.guarantee == other.guarantee
    assert (cautious.effects < one.effects).all() and (other.policy != one.policy).any()


def test_an_effect_that_is_there_is_found():
    """Treatment 1 saves everybody, treatment 0 nobody, everywhere: with little noise it is chosen wherever it may be."""
    ends = np.zeros((716, 25))
    ends[:713, 0] = ends[:713, 1] = 100
    data = TerminalDecisions(ends * (np.arange(25) == 1), ends * (np.arange(25) == 0))
    half = np.zeros((716, 25))
    half[:, :2] = 0.5
    found = dp_treatment_policy(data, GROUPS, half, half > 0, epsilon=50.0, delta=1e-5, noise_rng=np.random.default_rng(0))
    assert (found.policy[:713, 1] == 1).all()


def test_groups_follow_the_public_score():
    groups = severity_groups(SEPSIS, 4)
    assert set(groups[:713]) == {0, 1, 2, 3} and np.ptp(np.bincount(groups[:713])) <= 10
    assert all(SEPSIS.sofa[:713][groups[:713] < k].max() <= SEPSIS.sofa[:713][groups[:713] >= k].min() for k in (1, 2, 3))


@pytest.mark.parametrize("shares, better", [([0.3, 0.3, 0.3], [0, 0, 0]), ([0.8, 0.8, 0.8], [0, 0, 0]), ([0.9, 0.7, 0.5], [1, 0, -1])])
def test_what_a_treatment_that_only_ends_stays_sooner_is_worth(shares, better):
    """Half of the time treatment 0 is given, half of the time 1; after 1 twice as many stays end, and as large a share survives.
    Where that is the share of all it is worth nothing; where it is larger, to end sooner looks better than to stay, and where
    it is smaller, worse: by at most 2/3 of the difference. With nearly no noise."""
    ends = np.zeros((716, 25))
    ends[:713, :2] = 1000, 2000
    half = np.zeros((716, 25))
    half[:, :2] = 0.5
    alive = np.rint(np.array(shares)[GROUPS][:, None] * ends)
    found = dp_treatment_policy(TerminalDecisions(alive, ends - alive), GROUPS, half, half > 0, epsilon=1000.0, delta=1e-5,
                                noise_rng=np.random.default_rng(0))
    apart = found.effects[:713, 1] - found.effects[:713, 0]
    of_groups = np.array([apart[GROUPS[:713] == g].mean() for g in range(3)])
    assert (np.rint(of_groups / 0.02).clip(-1, 1) == better).all() and np.abs(of_groups).max() <= 2 / 3 * 0.2


@pytest.mark.parametrize("caution", [0.0, 1.0])
def test_the_effects_are_those_of_the_formula(caution):
    """Six states, two groups, three treatments: the minimum by loops and dense matrices, without noise in the tables."""
    rng, groups, priors = np.random.default_rng(0), np.array([0, 0, 0, 1, 1, 1]), Priors(0.1, 0.2, 0.3, 0.4)
    behaviour, size = rng.dirichlet(np.ones(3), size=6), np.array([[5], [20], [80], [10], [40], [300]])
    alive, dead = rng.poisson(0.7 * size * behaviour), rng.poisson(0.3 * size * behaviour)
    found = dp_treatment_policy(TerminalDecisions(alive, dead), groups, behaviour, np.ones((6, 3), dtype=bool), epsilon=1.0, delta=1e-5,
                                noise_rng=Silent(), priors=priors, caution=caution)
    c, seen = alive.sum() / (alive + dead).sum(), (alive + dead).sum(axis=1)
    mean = np.array([seen[groups == g].mean() for g in groups])
    of_noise = 6 * SIGMA**2  # of a state's six cells
    strays = max(((seen - mean) ** 2 - of_noise - mean).sum() / (mean**2).sum(), 0)
    weight = (mean + strays * mean**2) / (mean + strays * mean**2 + of_noise)
    e = np.maximum(weight * seen + (1 - weight) * mean, mean / 10)[:, None] * behaviour
    rows, wanted, variances = [], [], np.zeros((6, 3))

    def of(s, a):
        """Which of the 6 delta, 3 alpha, 6 beta and 18 gamma add up to theta(s, a)."""
        row = np.zeros(6 + 3 + 6 + 18)
        row[[s, 6 + a, 9 + 3 * groups[s] + a, 15 + 3 * s + a]] = 1
        return row
    units = [(np.flatnonzero(groups == g), 2 * SIGMA, 0.2**2 + 0.3**2) for g in (0, 1)] + [([s], SIGMA, 0.4**2) for s in range(6)]
    for members, width, prior in units:
        for a in range(3):
            variance = ((1 - c) ** 2 + c**2) * width**2 + c * (1 - c) * e[members, a].sum()
            rows.append(sum(e[s, a] * of(s, a) for s in members) / np.sqrt(variance))
            wanted.append(((1 - c) * alive[members, a] - c * dead[members, a]).sum() / np.sqrt(variance))
            variances[members, a] += 1 / (1 / prior + e[members, a].sum() ** 2 / variance)
    rows.append(np.diag(1 / np.repeat([0.1, 0.2, 0.3, 0.4], [6, 3, 6, 18])))
    x = np.linalg.lstsq(np.vstack(rows), np.append(wanted, np.zeros(33)))[0]
    theta = np.array([[of(s, a) @ x for a in range(3)] for s in range(6)])
    assert strays > 0 and found.effects == pytest.approx(theta - caution * np.sqrt(variances), abs=1e-5)


PUBLIC = dict(groups=GROUPS, behaviour=EXPERT, admissible=SEPSIS.admissible, epsilon=1.0, delta=1e-5)
WRONG = {
    "epsilon": (dict(epsilon=-1), "epsilon must be at least 0, got -1"),
    "delta": (dict(delta=0), "delta must be strictly between 0 and 1, got 0"),
    "groups": (dict(groups=GROUPS[:5]), "groups must be 716 whole numbers of at least 0"),
    "negative groups": (dict(groups=GROUPS - 1), "groups must be 716 whole numbers of at least 0"),
    "broken groups": (dict(groups=GROUPS / 2), "groups must be 716 whole numbers of at least 0"),
    "behaviour": (dict(behaviour=EXPERT / 2), "behaviour must sum to 1"),
    "admissible": (dict(admissible=EXPERT), "admissible must be booleans of shape [716, 25]"),
    "a seed": (dict(noise_rng=3), "noise_rng must be a numpy.random.Generator, got 3"),
    "no generator": (dict(noise_rng=None), "noise_rng must be a numpy.random.Generator, got None"),
    "priors": (dict(priors=(1, 2, 3, 4)), "priors must be of type Priors, got (1, 2, 3, 4)"),
    "data": (dict(data=EMPTY.deaths), "data must be of type TerminalDecisions, got"),
    "none admissible": (dict(admissible=SEPSIS.admissible & False), "admissible must allow a treatment in each state, got none in 0"),
}


@pytest.mark.parametrize("wrong, message", WRONG.values(), ids=WRONG)
def test_wrong_arguments_say_so(wrong, message):
    with pytest.raises(ValueError) as error:
        dp_treatment_policy(**(dict(data=EMPTY, noise_rng=np.random.default_rng(0)) | PUBLIC | wrong))
    assert message in str(error.value)


@pytest.mark.parametrize("call, message", [
    (lambda: TerminalDecisions(-np.ones((2, 2)), np.ones((2, 2))), "survivals must be at least 0, got -1"),
    (lambda: TerminalDecisions(np.ones((2, 2)), np.ones((2, 3))), r"deaths must have shape \[2, 2\], got \[2, 3\]"),
    (lambda: replace(Priors(), pairs=0), "pairs must be positive, got 0"),
    (lambda: learn(EMPTY, caution=-1.0), "caution must be at least 0, got -1"),
    (lambda: severity_groups(SEPSIS, 0), "n_groups must be a whole number of at least 1"),
    (lambda: sample_terminal_decisions(SEPSIS, EXPERT, 0, np.random.default_rng(0), max_length=3), "n must be a whole number"),
    (lambda: sample_terminal_decisions(SEPSIS, EXPERT, 1, np.random.default_rng(0), max_length=0), "max_length must be a whole")])
def test_wrong_records_say_so(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_exact_noise_keeps_the_same_promise_and_gives_a_policy():
    """Whole numbers, two scales: the costs in zCDP of both levels add up to what was asked."""
    data = sample_terminal_decisions(SEPSIS, EXPERT, 20_000, np.random.default_rng(0), max_length=60)
    found = learn(data, noise=DiscreteGaussianNoise, noise_rng=None)
    by_group, by_state = found.noise.scale
    assert found.noise.law == "discrete Gaussian" and by_group == 2 * by_state
    assert 2 / (2 * by_group**2) + 2 / (2 * by_state**2) == pytest.approx(found.guarantee.rho)
    assert found.guarantee.epsilon == pytest.approx(1.0) and found.under(ADD_OR_REMOVE_ONE).rho == pytest.approx(found.guarantee.rho / 2)
    assert not (found.policy * ~SEPSIS.admissible).any() and (found.policy.sum(axis=1) == 1).all()
    with pytest.raises(ValueError, match="noise must be GaussianNoise or DiscreteGaussianNoise, got"):
        learn(data, noise="exact")
