"""Chapter 1's page of exercises: typical wrong answers are told which mistake they are, and right ones in other forms pass.

Proofs are marked by hand; each of their schemes adds up to ten points.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit

from privrl_core.pages.exercises import CloseTo
from privrl_core.privacy import exponential_mechanism_probabilities

PAGE = "chapters/01_foundations/08_exercises"
NOBODY = 99 * [(0, 0.0)]
GAIN = np.arange(1, 6) / 6 - np.arange(1, 22)[:, None] / 22


def laplace_mean(scale, *, clip=True, noise="laplace"):
    def private_mean(returns, epsilon, rng):
        kept = np.clip(returns, 0, 1) if clip else returns
        return kept.mean() + getattr(rng, noise)(scale=scale(len(returns), epsilon))
    return private_mean


def values_from(weeks_of, discounted=lambda waited, start, gamma: gamma ** (waited - start), *, lost=True, among=None):
    """For each stage the mean over `weeks_of` (the weeks in the stage); the last week is number `waited`."""
    def stage_values(records, gamma):
        values = []
        for s in range(1, 6):
            returns = [recovered * discounted(len(stages) - 1, start, gamma) for stages, recovered in records if lost or recovered
                       for start in weeks_of([week for week, stage in enumerate(stages) if stage == s])]
            values.append(sum(returns) / (len(returns) or 1) if among is None else sum(returns) / among(records))
        return values
    return stage_values


def of_the_first(weeks):
    return weeks[:1]


WRONG = [
    ("two_stages", 5 / 6, "the value of stage 2"),
    ("two_stages", 0.694, "it is 0.8 V(2), and not V(2)"),
    ("two_stages", 1 / 3, "The other half stays in stage 1"),
    ("two_stages", 0.667, "as if every patient moved up"),
    ("two_stages", 4 / 9, "The reward of this week counts in full"),
    ("two_stages", 1, "the probability to recover some day"),
    ("two_stages", 0.9, "Begin with stage 2"),
    ("five_records", 0.77, "left out the lost patient"),
    ("five_records", 0.4928, "A week of waiting too many"),
    ("five_records", 0.8, "the share of patients who recovered"),
    ("five_records", 3.08, "A value is a mean"),
    ("five_records", 0.6053, "discounted the mean waiting time"),
    ("five_records", 0.61, "Two patients recovered in the third week"),
    ("how_patient", 0.843, "That waits for three weeks"),
    ("how_patient", 0.6, "one week of waiting"),
    ("how_patient", 0.36, "the other way round"),
    ("how_patient", 0.8, "A discount multiplies"),
    ("how_patient", 0.4, "the probability to be lost"),
    ("off_by_six", np.exp(-3) / 2, "one side only"),
    ("off_by_six", np.exp(-12), "A smaller ε needs more noise"),
    ("off_by_six", np.exp(-6), "which is for ε = 1"),
    ("off_by_six", np.exp(-1.5), "moves the count by 1, and not by 2"),
    ("off_by_six", 1 - np.exp(-3), "off by at most 6"),
    ("off_by_six", 0.0339, "Gaussian noise with the same standard deviation"),
    ("clipped_mean", 4, "the sensitivity of the sum"),
    ("clipped_mean", 0.075, "may have a return of −1"),
    ("clipped_mean", 0.15, "From the largest to the smallest"),
    ("clipped_mean", 0.025, "returns between 0 and 1"),
    ("clipped_mean", 4 / 39, "there are 40 in both worlds"),
    ("clipped_mean", 0.2, "doubled the length of the interval"),
    ("what_is_left", 0.5, "the ε which is left"),
    ("what_is_left", 4, "a smaller scale is enough"),
    ("what_is_left", 1, "have used up a part of it"),
    ("what_is_left", 1.333, "one of the two counts"),
    ("what_is_left", 1.069, "added up squares"),
    ("what_is_left", 2.828, "the standard deviation of the noise"),
    ("danger", 0.08, "has 0.9 V next week"),
    ("danger", 0.06, "divide by 0.9"),
    ("danger", 0.02456, "all others recovered in the second week"),
    ("danger", 0.8667, "Its patients who stay are treated again"),
    ("danger", 0.2, "Then nobody stays"),
    ("danger", 0.02, "the danger in stage 5"),
    ("table_delta", 0.125, "with the two worlds exchanged"),
    ("table_delta", 0.275, "take the larger one"),
    ("table_delta", 0.25, "That is for ε = 0"),
    ("table_delta", 0.075, "“c or d”"),
    ("table_delta", -0.5, "let the negative differences count"),
    ("table_delta", 0.75, "added up absolute values"),
    ("table_delta", 0.8, "added up absolute values"),
    ("rare_illness", 0.75, "bets on what Anna says"),
    ("rare_illness", 3 / 7, "That is the belief"),
    ("rare_illness", 0.6, "It is the odds that are multiplied"),
    ("rare_illness", 0.35, "the probability that she says yes"),
    ("rare_illness", 0.5, "Without any answer"),
    ("rare_illness", 0.95, "two different bets"),
    ("first_visits", 10, "That is the L1 norm"),
    ("first_visits", np.sqrt(20), "its count does not move at all"),
    ("first_visits", 1, "They all move at once"),
    ("first_visits", 3, "Two patients who share no stage"),
    ("first_visits", 2 * np.sqrt(10), "A count moves by at most 1"),
    ("first_visits", np.sqrt(2), "visit one stage each"),
    ("three_stays", 5 / 12, "the μ of one stay"),
    ("three_stays", 0.7217, "Roots are for independent noises"),
    ("three_stays", 1.75, "the squares add up"),
    ("three_stays", 0.6, "combined the noises to 5"),
    ("three_stays", 0.8, "That is 1/μ"),
    ("three_stays", 1, "the first release alone"),
    ("honest", 0.45, "the share who *said* yes"),                                           # the raw share
    ("honest", 0.2, "still has to be divided"),
    ("honest", 0.2667, "You have divided by ¾"),
    ("honest", 0.6, "the share of *no*"),
    ("honest", 0.3375, "You have multiplied by ¾"),
    ("honest", 160, "the number of patients"),
    ("named_by_chance", 0.8047, "You have taken the weights e^(εq)"),
    ("named_by_chance", 0.8668, "for ε = 1"),
    ("named_by_chance", 20 / 48, "divided the counts by their sum"),
    ("named_by_chance", 0.69, "A against B only"),
    ("named_by_chance", 0.2721, "the probability of B"),
    ("named_by_chance", 1, "the noise has scale 5"),
    ("named_by_chance", 0.5, "What is the weight of each treatment?"),
    ("too_few", np.log(9999) / 0.2, "Patients are whole"),
    ("too_few", 46, "just excluded"),
    ("too_few", 43, "true for every data set B, and a better B gives more"),
    ("too_few", np.log(5000) / 0.2, "Besides, patients are whole"),
    ("too_few", 42, "excluded with every data set B"),
    ("too_few", 10, "for ε = 1"),
    ("too_few", 93, "The ½ of the exponential mechanism"),
    ("too_few", 25_000, "may grow exponentially"),
    ("too_few", 67, "For which B do you know"),                                           # log to the base 2
    ("visitors", 100 * [(1, 0.3)], "a pair of lists"),                                      # the example of the cell
    ("visitors", ([(1, 1.0)], [(1, 0.0)]), "these have 1 and 1"),
    ("visitors", ([(1, 1.5)] + NOBODY, [(1, 0.0)] + NOBODY), "Returns are from 0 to 1"),
    ("visitors", ([(2, 1.0)] + NOBODY, [(1, 0.0)] + NOBODY), "is 1 or 0"),
    ("visitors", (100 * [(1, 1.0)], 100 * [(1, 0.0)]), "differ in 100 records"),
    ("visitors", (100 * [(1, 0.3)], 100 * [(1, 0.3)]), "differ in 0 records"),
    ("visitors", ([(1, 1.0)] + 99 * [(1, 0.3)], [(1, 0.0)] + 99 * [(1, 0.3)]), "moves by 0.01"),
    ("draw_again", 1 / 12, "before anything is drawn again"),
    ("draw_again", 0.2, "You have both ends"),
    ("draw_again", 1 / 6, "must be drawn again"),
    ("draw_again", 0.3, "It proves nothing"),
    ("draw_again", 1 / 24, "noise 3"),
    ("draw_again", 0.4, "would explain the count, too"),
    ("draw_again", 0, "Let the others have 30 yeses"),
    ("mean_wait", (0.5, 0.9), "a factor of 1.01"),                                          # the example of the cell
    ("mean_wait", (0, 0.5), "a probability above 0"),
    ("mean_wait", (10, 0.5), "a probability above 0"),
    ("mean_wait", (0.1, 1), "γ lies between 0 and 1"),
    ("mean_wait", (0.1, 0), "γ lies between 0 and 1"),
    ("mean_wait", (1, 0.5), "nobody waits"),
    ("a_private_mean", lambda returns, epsilon, rng: np.clip(returns, 0, 1).mean(), "the same number each time"),
    ("a_private_mean", lambda returns, epsilon, rng: returns.mean(), "the same number each time"),
    ("a_private_mean", lambda returns, epsilon, rng: np.clip(returns, 0, 1) + rng.laplace(scale=1 / epsilon), "Return one number"),
    ("a_private_mean", laplace_mean(lambda n, e: 1 / (n * e), clip=False), "the mean of the returns as they are"),
    ("a_private_mean", lambda returns, epsilon, rng: np.clip(returns.mean(), 0, 1) + rng.laplace(scale=1 / (len(returns) * epsilon)),
     "the mean of the returns as they are"),
    ("a_private_mean", laplace_mean(lambda n, e: 1 / (n * e), noise="normal"), "no Laplace distribution"),
    ("a_private_mean", laplace_mean(lambda n, e: 1 / e), "as wide as for a sum"),
    ("a_private_mean", laplace_mean(lambda n, e: 1 / n), "the same for every ε"),
    ("a_private_mean", laplace_mean(lambda n, e: e / n), "You have multiplied by ε"),
    ("a_private_mean", laplace_mean(lambda n, e: 2 / (n * e)), "moves the sum by 1, and not by 2"),
    ("a_private_mean", laplace_mean(lambda n, e: 2**-0.5 / (n * e)), "what its *scale* should be"),
    ("a_private_mean", laplace_mean(lambda n, e: 4 / (n * e)), "times the scale that is needed."),
    ("a_private_mean", lambda returns, epsilon, rng: np.clip(returns, 0, 0.8).mean() + rng.laplace(scale=1 / (len(returns) * epsilon)),
     "its middle is"),
    ("a_private_mean", 0.1, "`TypeError: 'float' object is not callable`"),
    ("a_private_mean", lambda returns, epsilon, rng: np.nan, "no finite number"),
    ("five_values", values_from(lambda weeks: weeks), "every week in the stage"),
    ("five_values", values_from(lambda weeks: weeks[-1:]), "begun in the last week"),
    ("five_values", values_from(of_the_first, lambda waited, start, gamma: gamma**waited), "from admission"),
    ("five_values", values_from(of_the_first, lambda waited, start, gamma: gamma ** (waited - start + 1)), "One week of waiting too many"),
    ("five_values", values_from(of_the_first, lost=False), "The lost patients are missing"),
    ("five_values", values_from(of_the_first, among=len), "You have divided by the number of all patients"),
    ("five_values", values_from(of_the_first, lambda waited, start, gamma: 1.0), "`stages.index(s)` is the first week"),
    ("five_values", lambda records, gamma: [0.5], "Return five numbers"),
    ("five_values", lambda records, gamma: np.full(5, np.nan), "has the value 0"),
    ("five_values", lambda records, gamma: [[1, 2][3]], "`IndexError"),
    ("a_private_choice", np.full((5, 21), 0.5), "A table of 21 rows"),
    ("a_private_choice", np.full((21, 5), 1.5), "Probabilities lie between 0 and 1"),
    ("a_private_choice", np.full((21, 5), np.nan), "Probabilities lie between 0 and 1"),
    ("a_private_choice", GAIN > 0, "It promises ε = inf"),
    ("a_private_choice", np.full((21, 5), 0.5), "its score is 0.5000"),
    ("a_private_choice", np.where(GAIN > 0, expit(0.5), expit(-0.5)), "its score is 0.5363"),                            # randomised response
    ("a_private_choice", np.where(GAIN > 0, 1 - np.exp(-3 * abs(GAIN)) / 2, np.exp(-3 * abs(GAIN)) / 2), "its score is 0.6017"),     # Laplace noise
    ("a_private_choice", np.where(GAIN > 0, expit(1.0), expit(-1.0)), "It promises ε = 1.0000"),                         # twice the ε
]


def test_an_array_of_many_numbers_or_a_word_is_no_number(page):
    for name in dict.fromkeys(exercise for exercise, answer, _ in WRONG if isinstance(page[exercise].is_right, CloseTo)):
        for answer in ("a half", [0.5, 0.6], np.nan, None):
            assert page[name].check(answer).data.startswith("✗ **Not yet.** ")


def backwards(records, discount):
    sums, visitors = np.zeros(5), np.zeros(5)
    for stages, recovered in records:
        value, first = float(recovered), {}
        for stage in reversed(stages):
            first[stage] = value
            value *= discount
        for stage, from_here in first.items():
            sums[stage - 1] += from_here
            visitors[stage - 1] += 1
    return np.divide(sums, visitors, out=np.zeros(5), where=visitors > 0)


def by_hand(returns, epsilon, rng):
    total = sum(min(max(float(G), 0.0), 1.0) for G in returns)
    return (total + (rng.exponential() - rng.exponential()) / epsilon) / len(returns)


def as_a_vector(returns, epsilon, rng):
    return np.float32(np.minimum(np.maximum(returns, 0), 1).mean() + rng.laplace(0, 1 / epsilon / returns.size))


def by_inversion(returns, epsilon, rng):
    u = rng.uniform(-0.5, 0.5)
    return np.mean(np.clip(returns, 0, 1)) - np.sign(u) * np.log1p(-2 * abs(u)) / (len(returns) * epsilon)


def slopes(of_usual):
    """Laplace noise on the cured by the new treatment minus this share of the cured by the usual one: each patient moves it by 1 at most."""
    lead = 0.5 * (np.arange(5) - 2 - of_usual * (np.arange(21)[:, None] - 10))
    return np.where(lead < 0, np.exp(-abs(lead)) / 2, 1 - np.exp(-abs(lead)) / 2)


RIGHT = [
    ("two_stages", 0.556), ("two_stages", Fraction(5, 9)), ("two_stages", np.float32(0.5556)),
    ("five_records", 0.616), ("five_records", Fraction(308, 500)), ("five_records", np.float64(0.6160)),
    ("how_patient", 0.775), ("how_patient", np.sqrt(0.6)), ("how_patient", np.float32(0.7746)),
    ("off_by_six", 0.05), ("off_by_six", np.exp(-3)), ("off_by_six", Fraction(498, 10_000)),
    ("clipped_mean", 0.1), ("clipped_mean", Fraction(4, 40)), ("clipped_mean", np.float32(0.1)),
    ("what_is_left", 2), ("what_is_left", np.int64(2)), ("what_is_left", Fraction(2)),
    ("danger", 0.067), ("danger", Fraction(1, 15)), ("danger", np.float32(0.0667)),
    ("table_delta", 0.15), ("table_delta", Fraction(3, 20)), ("table_delta", np.float64(0.1500001)),
    ("rare_illness", 0.8), ("rare_illness", Fraction(4, 5)), ("rare_illness", np.float32(0.8)),
    ("first_visits", 3.16), ("first_visits", np.sqrt(10)), ("first_visits", np.float32(3.1623)),
    ("three_stays", 1.25), ("three_stays", Fraction(5, 4)), ("three_stays", np.hypot(1, 0.75)),
    ("honest", 0.4), ("honest", Fraction(2, 5)), ("honest", np.float32(0.4)),
    ("named_by_chance", 0.606), ("named_by_chance", np.exp(4) / (np.exp(4) + np.exp(3.2) + np.exp(2.4))),
    ("named_by_chance", exponential_mechanism_probabilities([20, 16, 12], sensitivity=1, epsilon=0.4)[0]),
    ("too_few", 47), ("too_few", np.int64(47)), ("too_few", np.ceil(5 * np.log(9999))),
    ("visitors", ([(1, 1)] + NOBODY, [(1, 0)] + NOBODY)), ("visitors", [np.array([(1, 0.5)] + NOBODY), np.array([(0, 0.5)] + NOBODY)]),
    ("visitors", (((1, Fraction(1, 10)),) + tuple(NOBODY), ((1, 0.9),) + tuple(NOBODY))),
    ("draw_again", 0.1), ("draw_again", Fraction(1, 10)), ("draw_again", np.float32(0.1)),
    ("mean_wait", [0.1, 0.5]), ("mean_wait", np.array([0.02, 0.9])), ("mean_wait", (Fraction(1, 10), Fraction(1, 2))),
    ("a_private_mean", by_hand), ("a_private_mean", as_a_vector), ("a_private_mean", by_inversion),
    ("five_values", backwards), ("five_values", values_from(of_the_first)), ("five_values", lambda records, gamma: tuple(backwards(records, gamma))),
    ("a_private_choice", slopes(1)), ("a_private_choice", slopes(0.75).tolist()), ("a_private_choice", np.float32(0.999 * slopes(0.9) + 0.0005)),
]


def test_the_best_table_is_the_best(page):
    assert page["cure_rate"](slopes(1)) < page["cure_rate"](page["choice_table"]) < 0.648


def test_the_best_is_named_as_often_by_noise():
    draw = np.random.default_rng(7)
    noisy = [20, 16, 12] + draw.gumbel(scale=5, size=(100_000, 3))
    assert (noisy.argmax(axis=1) == 0).mean() == pytest.approx(0.6056, abs=0.006)
