"""Lu, Gajane, Bai & Talebi (2026), whose abstract gives a formula, and Bai et al. (2024), on the shuffle model. Read: abstracts."""

import numpy as np

from privrl_core.online import coins_needed, rlsvi_epsilon, rlsvi_people
from privrl_core.pages import NOT_CHECKED, claim, not_checked, rounded
from privrl_core.privacy import gaussian_mu

LEARNERS = "05_online/evidence/05_learners"
SIZE = dict(horizon=20, n_states=6, n_actions=2)


@claim("Bai et al. 2024", "abstract", "under the shuffle model regret is near that of the central model, and well below that of the local one", verdict=NOT_CHECKED, see=LEARNERS)
def test_shuffled_noise_is_nearly_a_curator_s():
    ratio = np.sqrt(coins_needed(1.0, 1e-5, 40) / 4 / (40 / gaussian_mu(1.0, 1e-5) ** 2))
    assert 1 <= ratio < 1.01
    return not_checked("the algorithm's text was not read. With the protocol of this book, a sum of shuffled bits needs "
                       f"{rounded(100 * (ratio - 1), 1)} % more noise than that of a trusted curator at (1, 10⁻⁵), where local noise grows with the root of the number of people")


@claim("Lu et al. 2026", "abstract", "RLSVI as it is, is (ε(δ), δ)-jointly private, ε(δ) = x + 2√(x ln(1/δ)), x = 2AK/(H² log(2HSA))", verdict=NOT_CHECKED, see=LEARNERS)
def test_rlsvi_by_its_own_formula():
    epsilon, people = rlsvi_epsilon(20_000, 1e-5, **SIZE), rlsvi_people(1.0, 1e-5, **SIZE)
    assert people == 12 and abs(epsilon - 71.0) < 0.05
    return not_checked(f"the proof was not read. With the natural logarithm ε is {rounded(epsilon, 3)} at δ = 10⁻⁵ after 20,000 people in RiverSwim, and at most 1 for the first {people} people")
