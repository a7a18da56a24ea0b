"""Kearns et al. (2014) and Hsu et al. (2014): joint privacy, and the billboard lemma.

Read: the abstracts, and the definition and the lemma as Qiao & Wang (2024) state them in their section 2.2 and appendix C.
Not read: the papers' own numbered statements.
"""

from functools import cache
from itertools import product

import numpy as np

from privrl_core.pages import EXHAUSTIVE, HOLDS, PROVED, claim, judge, rounded

COUNTERS = "05_online/evidence/01_counters"
EPSILON, PEOPLE = 1.0, 3


def _views(treat, bring, people, flip):
    """The law of what all see: every published bit, and every treatment, for people with these bits. Person i is treated by
    her own bit and the bits published before, and brings a bit that depends on both, which is published by a coin."""
    law = {}
    for published in product((0, 1), repeat=len(people)):
        chance, given = 1.0, []
        for i, own in enumerate(people):
            before = int("".join(map(str, published[:i])) or "0", 2)
            given.append(int(treat[i][own, before]))
            brought = int(bring[i][own, given[-1]])
            chance *= 1 - flip if published[i] == brought else flip
        law[published, tuple(given)] = chance
    return law


@cache
def _worst():
    """Over 400 adaptive mechanisms: the largest ratio of probabilities in the others' view, the same if a person's own
    treatment is seen too, the best guess of all others together, and how often the own treatment gives her away."""
    rng, flip = np.random.default_rng(2014), 1 / (1 + np.exp(EPSILON))
    ratio = guess = 0.0
    given_away = 0
    for _ in range(400):
        treat = [rng.integers(2, size=(2, 2**i)) for i in range(PEOPLE)]
        bring = [rng.integers(2, size=(2, 2)) for _ in range(PEOPLE)]
        laws = {people: _views(treat, bring, people, flip) for people in product((0, 1), repeat=PEOPLE)}
        own_seen = 0.0
        for k, people in product(range(PEOPLE), laws):
            if people[k]:
                continue
            sides, whole = [{}, {}], [{}, {}]
            for side in (0, 1):
                for (published, given), chance in laws[(*people[:k], side, *people[k + 1:])].items():
                    others = published, given[:k] + given[k + 1:]
                    sides[side][others] = sides[side].get(others, 0) + chance
                    whole[side][published, given] = chance
            p, q = (np.array([side.get(view, 0.0) for view in sides[0] | sides[1]]) for side in sides)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = max(ratio, np.nanmax(p / q), np.nanmax(q / p))
            guess = max(guess, np.maximum(p, q).sum() / 2)
            own_seen = max(own_seen, sum(chance for view, chance in whole[0].items() if not whole[1].get(view, 0)))
        given_away += own_seen > 0
    return ratio, guess, given_away / 400


@claim("Kearns et al. 2014", "abstract (coalitions)", "no group of players learns much about a player outside the group, even "
       "if they collude in an arbitrary way", verdict=HOLDS, evidence=EXHAUSTIVE, see=COUNTERS)
def test_all_others_together_guess_no_better_than_epsilon_allows():
    _, guess, _ = _worst()
    ceiling = np.exp(EPSILON) / (1 + np.exp(EPSILON))
    return judge(f"400 adaptive mechanisms for three people, by enumeration: all others together guess right in at most "
                 f"{rounded(100 * guess, 4)} % of cases; e^ε/(1 + e^ε) is {rounded(100 * ceiling, 4)} %", true=guess <= ceiling + 1e-12)


@claim("Hsu et al. 2014", "Lemma 9 (billboard lemma), as cited", "outputs computed from a person's own data and from ε-private "
       "releases are jointly ε-private", verdict=HOLDS, evidence=PROVED, see=COUNTERS)
def test_the_billboard_lemma():
    ratio, _, given_away = _worst()
    return judge(f"the same mechanisms, what people bring depending on earlier releases: the largest ratio is e^{{{rounded(np.log(ratio), 4)}}} "
                 f"at ε = 1; with the own treatment in view, {rounded(100 * given_away)} % of them give a person away for certain",
                 true=ratio <= np.exp(EPSILON) * (1 + 1e-12), factor=EPSILON / np.log(ratio))
