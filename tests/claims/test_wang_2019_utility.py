"""Wang & Hegde (2019), Proposition 10 and Appendix D: what noise costs when there are finitely many states.

"The value function learned by our algorithm" can be read in three ways, and each claim is tried in all that fit:
A, the optimal values of the noisy reward; B, the values, under the true reward, of the policy that is optimal for the
noisy one; C, the greatest entry of what Algorithm 1 really converges to at J = 1, Q* − g.
"""

from functools import cache

import numpy as np
from mpmath import iv
from scipy.optimize import linprog

from privrl_core.pages import DEPARTS, FAILS, HOLDS, INTERVAL, claim, judge, rounded

PAPER, PAGE = "Wang & Hegde 2019", "03_functional_noise/evidence/04_utility"


def _random(n, m, seed, spread=1.0):
    """Transitions [n, m, n] and rewards [n, m], both drawn."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(n, spread), size=(n, m)), rng.random((n, m))


def _teleport(n):
    """Action a leads to state a: noise on one action is worth going for from everywhere."""
    return np.tile(np.eye(n), (n, 1, 1)), np.zeros((n, n))


def _optimum(P, r, discount):
    """Optimal values [n] and policy [n], by policy iteration; only a strict gain changes an action."""
    policy = np.argmax(r, axis=1)
    while True:
        v = _values(P, r, policy, discount)
        q = r + discount * P @ v
        better = np.where(q.max(axis=1) > v + 1e-10, q.argmax(axis=1), policy)
        if np.array_equal(better, policy):
            return v, policy
        policy = better


def _values(P, r, policy, discount):
    rows = np.arange(len(r)), policy
    return np.linalg.solve(np.eye(len(r)) - discount * P[rows], r[rows])


def _printed(n, discount, sigma=1.0):
    return 2 * np.sqrt(2) * sigma / (np.sqrt(n * np.pi) * (1 - discount))


@cache
def _losses(world, n, m, discount, draws, seed=0):
    """Mean of (1/n)‖v′ − v*‖₁ over draws of the noise, σ = 1, in the readings A, B and C: [3], and standard errors."""
    P, r = _teleport(n) if world == "teleport" else _random(n, m, seed)
    rng, found = np.random.default_rng(seed + 1), []
    best, _ = _optimum(P, r, discount)
    q = r + discount * P @ best
    for _ in range(draws):
        z = rng.normal(size=r.shape)
        noisy, policy = _optimum(P, r + z, discount)
        found.append([np.mean(np.abs(noisy - best)), np.mean(best - _values(P, r, policy, discount)),
                      np.mean(np.abs(np.max(q - z, axis=1) - best))])
    return np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(draws)


@claim(PAPER, "Proposition 10", "at J = 1 the mean utility loss is at most 2√2σ/(√(nπ)(1 − γ))", also="Corollary 12 "
                                                                                                      "(arXiv)",
       verdict=FAILS, see=PAGE, instead="σ√(2 ln 2nm)/(1 − γ) (A), twice that (B), σ√(2 ln 2m) (C)")
def test_proposition_10_in_three_readings():
    n, m, discount = 500, 2, 0.5
    losses, errors = _losses("dense", n, m, discount, 20)
    bounds = np.sqrt(2 * np.log(2 * n * m)) / (1 - discount) * np.array([1, 2, 0])
    bounds[2] = np.sqrt(2 * np.log(2 * m))
    assert np.all(losses < bounds)
    # 8 standard errors below the mean: a true bound would be called false with probability far below 1e-6
    return judge(f"500 states, γ = 0.5, σ = 1: {', '.join(rounded(x) for x in losses)} (A, B, C), printed "
                 f"{rounded(_printed(n, discount))}, mended {', '.join(rounded(b) for b in bounds)}",
                 true=bool(np.all(losses - 8 * errors <= _printed(n, discount))),
                 elsewhere=bool(np.any(losses - 8 * errors <= _printed(n, discount))))


@claim(PAPER, "text, section 3.2 (limit of zero)", "the utility loss tends to zero as the number of states "
                                                   "grows", verdict=FAILS,
       see=PAGE, instead="it does not depend on n for one action, and grows like √ln n at worst", seeds=(1,))
def test_the_loss_does_not_vanish_with_many_states():
    """One action, discount 0: v' − v* is the noise itself. Its mean size is √(2/π), whatever n."""
    rng, sizes = np.random.default_rng(1), {}
    for n in (4, 40, 40_000):
        sizes[n] = np.mean(np.abs(rng.normal(size=(1_000_000 // n, n))))
    exact = np.sqrt(2 / np.pi)
    # a million halves of normals: standard deviation 6.0e-4
    assert all(abs(size - exact) < 5e-3 for size in sizes.values())
    return judge(f"γ = 0, one action, σ = 1: {rounded(exact)} for every n; printed {rounded(_printed(4, 0))} for 4 "
                 f"states, {rounded(_printed(40_000, 0))} for 40,000", true=exact <= _printed(40_000, 0))


@claim(PAPER, "Proposition 10, without √n", "2√2σ/(√π(1 − γ)), which is what the proof of Proposition 10 arrives at",
       verdict=FAILS, see=PAGE, instead="σ√(2 ln 2nm)/(1 − γ), of the right order in this example")
def test_dropping_the_root_is_not_enough():
    (loss, *_), (error, *_) = _losses("teleport", 100, 100, 0.9, 25)
    bound = np.sqrt(2 * np.log(2 * 100 * 100)) / 0.1
    printed = _printed(1, 0.9)
    assert loss < bound
    return judge(f"action a leads to state a, 100 states, γ = 0.9: {rounded(loss)} (A), bound {rounded(printed)}, "
                 f"mended {rounded(bound)}",
                 true=loss - 8 * error <= printed)


@claim(PAPER, "text, proof of Proposition 10 (division by n)", "Lemma 16 divided by n gives the "
                                                        "proposition", also="Corollary 12 (arXiv), its bound", verdict=FAILS, see=PAGE,
       instead="it gives √n times as much")
def test_a_root_of_n_appears_from_nowhere():
    n, discount = 500, 0.9
    lemma = 2 * np.sqrt(2) * n / (np.sqrt(np.pi) * (1 - discount))
    return judge(f"500 states: {rounded(lemma / n, 3)} by Lemma 16, {rounded(_printed(n, discount), 3)} in the "
                 "proposition",
                 true=lemma / n <= _printed(n, discount))


@claim(PAPER, "text, proof of Proposition 10 (‖v′ − v*‖₁ = eᵀv* − eᵀv′)", "v′ is nowhere above "
                                                                          "v*", also="Corollary 12, proof (arXiv)", verdict=DEPARTS,
       instead="true of the policy's values (B); the optimum of the noisy reward (A) is above v* on average", seeds=(3,))
def test_the_noisy_optimum_is_above_the_true_one():
    P, r = _random(20, 3, 2)
    rng, best = np.random.default_rng(3), _optimum(P, r, 0.9)[0]
    above, below = [], []
    for _ in range(200):
        noisy, policy = _optimum(P, r + rng.normal(size=r.shape), 0.9)
        above.append(np.mean(noisy - best))
        below.append(np.max(_values(P, r, policy, 0.9) - best))
    return judge(f"20 states, 3 actions, σ = 1: on average {rounded(np.mean(above))} above v* (A), never above (B)",
                 true=np.mean(above) - 8 * np.std(above) / np.sqrt(200) <= 0, elsewhere=max(below) < 1e-9)


@claim(PAPER, "Appendix D (noise on the reward)", "noise on the value function is equivalent to noise on the reward",
       also="Appendix B (arXiv)", verdict=FAILS, see=PAGE, instead="the fixed point is Q* − g: noise that acts as a "
                                                                   "potential", seeds=(5,))
def test_noise_on_the_value_is_no_noise_on_the_reward():
    (P, r), discount = _random(20, 2, 4), 0.9
    g, best = np.random.default_rng(5).normal(size=r.shape), _optimum(P, r, discount)[0]
    Q = np.zeros_like(r)
    for _ in range(2000):
        Q = Q + 0.5 * (r + discount * P @ np.max(Q + g, axis=1) - (Q + g))
    optimal = r + discount * P @ best
    claimed = r + g + discount * P @ _optimum(P, r + g, discount)[0]
    assert np.max(np.abs(Q + g - optimal)) < 1e-12
    return judge(f"what is learned is Q* − g to 12 digits, and up to {rounded(np.max(np.abs(Q - claimed)))} from Q* of "
                 "r + g",
                 true=np.max(np.abs(Q - claimed)) < 1e-9)


@claim(PAPER, "text, section 3.2 (J = 1 is the worst case)", "J = 1 is the worst case for "
                                                             "utility", also="text, section 4.2 (arXiv)",
       verdict=DEPARTS, see=PAGE, instead="worst for Q_θ; for Q + ĝ, the arXiv version's release, it is the best", seeds=(7,))
def test_one_path_is_the_worst_case_for_one_of_two_releases():
    (P, r), discount, sweeps = _random(20, 2, 6), 0.9, 4000
    optimal = r + discount * P @ _optimum(P, r, discount)[0]
    rng, off = np.random.default_rng(7), {}
    for paths in (1, sweeps):
        Q, g = np.zeros_like(r), rng.normal(size=r.shape)
        for _ in range(sweeps):
            g = g if paths == 1 else rng.normal(size=r.shape)
            Q = Q + 0.02 * (r + discount * P @ np.max(Q + g, axis=1) - (Q + g))
        off[paths] = [np.std(release - optimal) for release in (Q, Q + g)]
    return judge(f"σ = 1, root mean square error up to a constant: Q_θ {rounded(off[1][0])} at J = 1, "
                 f"{rounded(off[sweeps][0])} at J = T/B; Q + ĝ below 10⁻¹² and {rounded(off[sweeps][1])}",
                 true=off[1][0] > off[sweeps][0] and off[1][1] > off[sweeps][1],
                 elsewhere=off[1][0] > off[sweeps][0] and off[1][1] < 1e-12)


# ------------------------------------------------------------------------------- Appendix D, step by step

WORLDS = [(_random(n, m, seed, spread), discount) for seed, (n, m, spread, discount) in
          enumerate([(3, 2, 1.0, 0.5), (8, 3, 0.3, 0.9), (20, 2, 1.0, 0.97), (20, 5, 1.0, 0.0)])]


HIGHS = dict(method="highs", options=dict(primal_feasibility_tolerance=1e-10, dual_feasibility_tolerance=1e-10))


def _primal(P, r, discount):
    n, m = r.shape
    rows = np.vstack([np.eye(n) - discount * P[:, a] for a in range(m)])
    return linprog(np.ones(n), A_ub=-rows, b_ub=-r.T.ravel(), bounds=(None, None), **HIGHS)


def _dual(P, r, discount):
    n, m = r.shape
    rows = np.hstack([(np.eye(n) - discount * P[:, a]).T for a in range(m)])
    return linprog(-r.T.ravel(), A_eq=rows, b_eq=np.ones(n), bounds=(0, None), **HIGHS)


@claim(PAPER, "Equation (3)", "v is optimal if and only if v ≥ γP_i v + r_i for each "
                              "i", also="section 3.1 (arXiv)", verdict=DEPARTS,
       see=PAGE, instead="the smallest such v: the linear program (4)")
def test_the_bellman_inequality_has_many_solutions():
    slack, gaps = [], []
    for (P, r), discount in WORLDS:
        best = _optimum(P, r, discount)[0]
        wrong = best + 1.0
        slack.append(np.min(wrong[:, None] - discount * P @ wrong - r))
        gaps.append(np.max(np.abs(_primal(P, r, discount).x - best)))
    return judge(f"v* + 1 satisfies it too, with {rounded(min(slack))} to spare; the least solution is v*, to 8 digits",
                 true=min(slack) < 0, elsewhere=max(gaps) < 1e-8)


@claim(PAPER, "Equation (4)", "the optimal values solve min eᵀv, and the dual has the same value",
       also="Equation (2) (arXiv)", verdict=HOLDS, see=PAGE)
def test_the_linear_program_and_its_dual():
    gaps = []
    for (P, r), discount in WORLDS:
        best = _optimum(P, r, discount)[0]
        gaps.append(np.max(np.abs(_primal(P, r, discount).x - best)))
        gaps.append(abs(_dual(P, r, discount).fun + best.sum()) / len(best))
    return judge("4 processes, HiGHS against policy iteration: equal to 8 digits", true=max(gaps) < 1e-8)


@claim(PAPER, "Appendix D (convergence)", "value iteration converges to the optimal values of the noisy "
                                          "reward", verdict=HOLDS, seeds=(8,))
def test_value_iteration_converges():
    worst = 0.0
    for (P, r), discount in WORLDS:
        noisy = r + np.random.default_rng(8).normal(size=r.shape)
        best, v = _optimum(P, noisy, discount)[0], np.zeros(len(r))
        for _ in range(20):
            error, v = np.max(np.abs(v - best)), np.max(noisy + discount * P @ v, axis=1)
            worst = max(worst, np.max(np.abs(v - best)) - discount * error)
    return judge("4 processes: each sweep shrinks the largest error to γ times what it was, or less", true=worst < 1e-9)


@claim(PAPER, "Lemma 14", "an optimal dual solution sums to (I − γP*ᵀ)^{−1}e and is supported on an optimal policy",
       also="Claim 13 (arXiv)", verdict=HOLDS, see=PAGE)
def test_lemma_14():
    worst = 0.0
    for (P, r), discount in WORLDS:
        n, m = r.shape
        _, policy = _optimum(P, r, discount)
        total = np.linalg.solve(np.eye(n) - discount * P[np.arange(n), policy].T, np.ones(n))
        dual = np.zeros((n, m))
        dual[np.arange(n), policy] = total
        flow = dual.sum(axis=1) - discount * np.einsum("ka,kan->n", dual, P)
        worst = max(worst, np.max(np.abs(flow - 1)), -dual.min(), abs(np.sum(dual * r) + _dual(P, r, discount).fun) / n)
    return judge("4 processes: feasible, and of the value that HiGHS finds, to 8 digits", true=worst < 1e-8)


@claim(PAPER, "text, proof of Lemma 14 (eigenvalues)", "the eigenvalues of the Markov matrix P* are smaller than "
                                                "one", verdict=DEPARTS, instead="those of γP*")
def test_a_markov_matrix_has_the_eigenvalue_one():
    (P, r), discount = WORLDS[1]
    size = np.max(np.abs(np.linalg.eigvals(P[np.arange(len(r)), _optimum(P, r, discount)[1]])))
    return judge(f"the largest is {rounded(size, 4)}, of γP* {rounded(discount * size, 4)}", true=size < 1 - 1e-9,
                 elsewhere=discount * size < 1 - 1e-9)


@claim(PAPER, "Claim 15", "the dual optimum has ℓ¹-norm n/(1 − γ)", also="Claim 14 (arXiv)", verdict=HOLDS, see=PAGE)
def test_claim_15():
    gaps = [abs(_dual(P, r, discount).x.sum() * (1 - discount) / len(r) - 1) for (P, r), discount in WORLDS]
    return judge("4 processes, HiGHS: equal to 8 digits", true=max(gaps) < 1e-8)


@claim(PAPER, "Lemma 16", "the policy of the noisy dual loses at most 2√2nσ/(√π(1 − γ)) in "
                          "all", also="Claim 15 (arXiv)",
       verdict=FAILS, see=PAGE, instead="2nσ√(2 ln 2nm)/(1 − γ)", seeds=(9,))
def test_lemma_16_does_not_count_the_actions():
    """One state: 999 actions worth 0 and one worth 2.5 σ, which the noise outbids."""
    rng, gap, m = np.random.default_rng(9), 2.5, 1000
    z = rng.normal(size=(20_000, m))
    lost = gap * np.mean(z[:, 1:].max(axis=1) > gap + z[:, 0])
    error, printed, mended = gap / 2 / np.sqrt(20_000), _printed(1, 0.0), 2 * np.sqrt(2 * np.log(2 * m))
    assert lost < mended
    return judge(f"one state, 1000 actions, γ = 0, σ = 1: {rounded(lost, 3)}, bound {rounded(printed, 3)}, mended "
                 f"{rounded(mended, 3)}",
                 true=lost - 8 * error <= printed)


@claim(PAPER, "text, proof of Lemma 16 (first “=”)", "E Σλ′_iᵀr_i = E[Σλ*_iᵀr′_i − Σλ′_iᵀz_i]", verdict=FAILS, evidence=INTERVAL, see=PAGE,
       instead="λ′_iᵀr′_i in the first sum, as in the arXiv version; the next line is then its bound from below")
def test_the_first_equation_puts_the_optimum_for_the_noisy_one():
    """One state, two actions, γ = 0, r = 0: λ* and λ′ are unit vectors, so that the left side is 0, and the right one is
    −E max(z₁, z₂) = −1/√π: the mean length √(π/2) times the mean of max(cos, sin), here in intervals of the angle. As corrected,
    both sums on the right are that maximum."""
    angles = [iv.mpf([k, k + 1]) * iv.pi / 128 for k in range(256)]
    mean = iv.sqrt(iv.pi / 2) * sum(iv.mpf([max(iv.cos(one).a, iv.sin(one).a), max(iv.cos(one).b, iv.sin(one).b)]) for one in angles) / 256
    assert 1 / iv.sqrt(iv.pi) in mean
    return judge("one state, two actions, γ = 0, r = 0, σ = 1: 0 on the left, between "
                 f"{rounded(-float(mean.b), 3)} and {rounded(-float(mean.a), 3)} on the right, −1/√π", true=0 in mean)


@claim(PAPER, "text, proof of Lemma 16 (♠)", "E Σ(λ*_i − λ′_i)ᵀz_i ≥ −(2/m(1 − γ)) E Σ‖z_i‖₁", also="proof of Claim 15 "
                                                                                             "(arXiv)",
       verdict=FAILS, see=PAGE, instead="λ′ depends on z: take the maximum of the noise", seeds=(10,))
def test_the_noisy_dual_chooses_its_noise():
    rng, m = np.random.default_rng(10), 1000
    z = rng.normal(size=(4000, m))  # one state, all actions alike: the noisy dual takes the largest noise
    gained, bound = np.mean(z[:, 0] - z.max(axis=1)), -2 / m * np.mean(np.abs(z).sum(axis=1))
    return judge(f"one state, 1000 equal actions, γ = 0, σ = 1: {rounded(gained, 3)}, bound {rounded(bound, 3)}",
                 true=gained + 8 * np.std(z[:, 0] - z.max(axis=1)) / np.sqrt(4000) >= bound)


@claim(PAPER, "Claim 17", "the policy λ′_i/Σλ′ has values v′ with eᵀv′ = "
                          "Σλ′_iᵀr_i", also="Claim 16 (arXiv)", verdict=HOLDS, see=PAGE, seeds=(11,))
def test_claim_17():
    gaps = []
    for (P, r), discount in WORLDS:
        n, m = r.shape
        noisy = r + np.random.default_rng(11).normal(size=r.shape)
        dual = _dual(P, noisy, discount).x.reshape(m, n).T
        policy = dual / dual.sum(axis=1, keepdims=True)
        v = np.linalg.solve(np.eye(n) - discount * np.einsum("ka,kan->kn", policy, P), np.sum(policy * r, axis=1))
        gaps.append(abs(v.sum() - np.sum(dual * r)) / n)
    return judge("4 processes, the dual by HiGHS: equal to 8 digits", true=max(gaps) < 1e-8)


@claim(PAPER, "text, section 3.2 (not unique)", "on continuous states the solution of the Bellman equation is not "
                                                "unique in general",
       also="text, section 4.2 (arXiv)", verdict=DEPARTS,
       instead="unique among bounded functions for γ < 1, the paper's range; not at γ = 1")
def test_the_bellman_equation_has_one_bounded_solution():
    x = np.linspace(0, 1, 201)
    moves = np.linspace(-0.25, 0.25, 100)[:, None]
    right = np.rint(np.clip(x + np.abs(moves[50:]), 0, 1) * 200).astype(int)
    left = np.rint(np.clip(x - np.abs(moves[50:]), 0, 1) * 200).astype(int)
    reward, gaps = 0.5 - np.abs(x - 0.5), {}
    for discount in (0.9, 1.0):
        v, other = np.zeros(201), np.full(201, 7.0)
        for _ in range(200):
            v, other = (np.maximum(*((reward[to] + discount * u[to]).mean(axis=0) for to in (right, left)))
                        for u in (v, other))
        gaps[discount] = np.max(np.abs(v - other))
    return judge(f"the walk of E.1, two starts 7 apart: {rounded(gaps[0.9])} apart after 200 sweeps at γ = 0.9, "
                 f"{rounded(gaps[1.0])} at γ = 1",
                 true=gaps[0.9] > 1e-6, elsewhere=gaps[1.0] > 1e-6)
