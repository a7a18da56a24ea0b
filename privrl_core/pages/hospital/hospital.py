r"""Prepared hospitals whose patients the reader treats: outcomes and noise drawn in advance, and what the rules lost."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from html import escape
from pathlib import Path

import numpy as np

from privrl_core.checks import Record, generator, number, positive, shaped, whole_number, within
from privrl_core.lazy import needs
from privrl_core.pages.theme import as_svg

with needs("pages"):
    import anywidget
    import traitlets

__all__ = ["Hospital", "Hospitals", "View", "treat"]

HERE = Path(__file__).parent
LETTERS = "ABCDE"


@dataclass(frozen=True, eq=False)
class View(Record):
    """What a doctor gets to see: every outcome (``epsilon`` None), or sums with Laplace noise of scale 1/ε. ``lost[H]`` is
    what the package's ``rule`` lost in each hospital with the same view. ``plans`` are (patients in a group, groups with
    each treatment, share of hospitals that end wrong, recoveries lost)."""

    label: str
    _: KW_ONLY
    epsilon: float | None
    rule: str
    lost: np.ndarray
    guarantee: str
    plans: tuple[tuple[int, int, float, float], ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Hospitals(Record):
    """All hospitals of a page: ``means[H, A]``, the probability to recover, in an order of each hospital's own;
    ``outcomes[H, N, A]``, what each patient has with each treatment, 0 or 1; ``noise[H, K]``, in multiples of the scale, one
    for each sum that may be released; and ``views``."""

    means: np.ndarray
    outcomes: np.ndarray
    noise: np.ndarray
    views: tuple[View, ...]

    @classmethod
    def draw(cls, means, noise, epsilons: Sequence[float], sizes, rule, private_rule, plan, trials, rng, noise_rng):
        """As many hospitals and smallest groups as ``noise[H, K]``, their outcomes, and what rules and plans lose."""
        means = within("means", shaped("means", means, ("A",)), 0, 1)
        if not 2 <= means.size <= len(LETTERS):
            raise ValueError(f"means must be of two to {len(LETTERS)} treatments, got {means.size}")
        noise = shaped("noise", noise, ("H", "K"))
        hospitals, n_people = len(noise), noise.shape[1] * sizes[0]
        # noise of another scale would keep another promise; unit Laplace noise has mean 0 and mean size 1
        if max(abs(noise.mean()) / np.sqrt(2), abs(np.abs(noise).mean() - 1)) > 6 / np.sqrt(noise.size):
            raise ValueError(f"noise must be Laplace noise of scale 1: mean 0 and mean size 1, got {noise.mean():.3g} and"
                             f" {np.abs(noise).mean():.3g}")
        epsilons = [number(positive, "epsilons", epsilon) for epsilon in epsilons]
        rng, noise_rng = generator("rng", rng), generator("noise_rng", noise_rng)
        ordered = rng.permuted(np.tile(means, (hospitals, 1)), axis=1)
        outcomes = (rng.random((hospitals, n_people, means.size)) < ordered[:, None]).astype(np.uint8)

        def lost(play, **private):
            return np.array([play(one, n_people, rng=rng, outcomes=treated[None], **private).regret[0, -1]
                             for one, treated in zip(ordered, outcomes, strict=True)])

        def plans(epsilon):
            return tuple((size, tries, *plan(epsilon, size, tries)) for size in sizes for tries in trials
                         if means.size * size * tries <= n_people)
        views = [View("every outcome", epsilon=None, rule="UCB", lost=lost(rule), plans=plans(None),
                      guarantee="You see every outcome. No privacy guarantee.")]
        for epsilon in epsilons:
            views.append(View(f"noisy sums, ε\u00a0=\u00a0{epsilon:g}", epsilon=epsilon, rule="private rule",
                              lost=lost(private_rule, epsilon=epsilon, noise_rng=noise_rng), plans=plans(epsilon),
                              guarantee=f"ε = {epsilon:g}, δ = 0 for one patient’s outcome, in all"
                                        " noisy sums together and so in all that you choose by them (replace one), proved,"
                                        " if it is public who is in which group, and each patient is treated once."))
        return cls(means=ordered, outcomes=outcomes, noise=noise, views=tuple(views))

    @property
    def at_random(self) -> float:
        """What is lost on average where each treatment is as likely as the others."""
        return float(self.outcomes.shape[1] * (self.means[0].max() - self.means[0]).mean())


class Hospital(anywidget.AnyWidget):
    """What `treat` returns: played in the browser, with no kernel and no network."""

    _esm = HERE / "hospital.js"
    _css = HERE.parent / "game" / "game.css"
    specification = traitlets.Dict().tag(sync=True)
    outcomes = traitlets.Bytes().tag(sync=True)
    noise = traitlets.Bytes().tag(sync=True)

    def __init__(self, drawn: Hospitals, words: dict, sizes: tuple[int, ...], trials: tuple[int, ...]):
        self._drawn, self._words, self._sizes = drawn, words, sizes
        count, n_people, arms = drawn.outcomes.shape
        specification = words | {
            "shape": [count, n_people, arms], "sizes": list(sizes), "trials": list(trials), "letters": list(LETTERS[:arms]),
            "means": drawn.means.tolist(), "random": drawn.at_random,
            "views": [{"label": view.label, "scale": 0 if view.epsilon is None else 1 / view.epsilon, "rule": view.rule,
                       "lost": view.lost.tolist(), "plans": [list(plan) for plan in view.plans],
                       "guarantee": view.guarantee} for view in drawn.views]}
        super().__init__(specification=specification, outcomes=np.packbits(drawn.outcomes.ravel()).tobytes(),
                         noise=drawn.noise.astype("<f4").tobytes())

    def __repr__(self) -> str:
        return f"<Hospital {self._words['name']!r}: {', '.join(view.label for view in self._drawn.views)}>"

    def _repr_mimebundle_(self, **kwargs):
        """The widget, and a still picture for where no script runs."""
        data, _ = super()._repr_mimebundle_(**kwargs)
        return data | {"text/plain": repr(self), "text/html": still(self._drawn, self._words, self._sizes)}


def treat(*, name: str, question: str, means: Sequence[float], noise: np.ndarray, epsilons: Sequence[float],
          sizes: Sequence[int], rule: Callable, private_rule: Callable, rng: np.random.Generator,
          noise_rng: np.random.Generator, caption: str, alt: str, plan: Callable | None = None,
          trials: Sequence[int] = ()) -> Hospital:
    r"""A game: treat the patients of a hospital in groups of one of the ``sizes``, with treatments that help with
    probability ``means``, in an order that is not told; then see how many recoveries that lost on average, and what a rule
    lost.

    ``noise[H, K]``, for H hospitals with patients for K groups of the smallest size, is a run of draws of Laplace noise of
    scale 1, made by the sampler of the mechanism. The reader sees each group's sum exactly, or for one of the ``epsilons``
    with this noise over ε. Each patient is in one sum, which her outcome changes by at most 1. ``rule`` is `.ucb`, and
    ``private_rule`` is `.ucb_without_forgetting` with the same ε; they treat the same patients, with noise of their own.
    ``rng`` draws outcomes and ties, ``noise_rng`` the noise of the private rule.

    After each hospital the reader sees what the plan that is nearest to what was done comes to in many hospitals:
    ``plan(epsilon, size, tries)`` gives the share of hospitals that end with a wrong treatment, and the recoveries lost on
    average, if each treatment is tried on ``tries`` groups of ``size``, one of the ``trials``, and all other patients get
    what looks best then. Without ``plan`` nothing is said of it.

    Raises ValueError for what cannot be played, and for noise of another scale.
    """
    words = {"name": name, "question": question, "caption": caption, "alt": alt}
    for key, value in words.items():
        if not isinstance(value, str):
            raise ValueError(f"{key} must be words, got {value!r:.200}")
    if not name.isidentifier():
        raise ValueError(f"name must be a Python identifier, got {name!r}")
    sizes = tuple(whole_number("sizes", size, least=1) for size in sizes)
    if list(sizes) != sorted(set(sizes)) or not sizes:
        raise ValueError(f"sizes must increase, got {sizes}")
    trials = tuple(whole_number("trials", tries, least=1) for tries in trials) if plan else ()
    drawn = Hospitals.draw(means, noise, epsilons, sizes, rule, private_rule, plan, trials, rng, noise_rng)
    whole_number("sizes", sizes[-1], least=1, most=drawn.outcomes.shape[1])
    return Hospital(drawn, words, sizes, trials)


def still(drawn: Hospitals, words: dict, sizes: tuple[int, ...]) -> str:
    """A figure in HTML: the first patients of a hospital in groups, exactly and with noise, and what the rules lost."""
    lost = "; ".join(f"{view.rule}, {view.label}: {view.lost.mean():.0f}" for view in drawn.views)
    return (f'<figure class="game-still" role="group" aria-label="{escape(words["alt"])}">{_svg(drawn, words, sizes)}'
            "<figcaption>"
            f"<p><strong>{escape(words['question'])}</strong> {escape(words['alt'])}</p>"
            f"<p>Recoveries lost among {drawn.outcomes.shape[1]:,} patients, on average in {len(drawn.means)} hospitals: "
            f"{escape(lost)}; each treatment as likely as the others: {drawn.at_random:.0f}.</p></figcaption></figure>")


def _svg(drawn: Hospitals, words: dict, sizes: tuple[int, ...]) -> str:
    with needs("pages"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure

    arm, view = int(np.argmax(drawn.means[0])), drawn.views[-1]
    lengths = np.repeat(sizes, [max(1, 8 >> k) for k in range(len(sizes))])  # of the larger ones fewer
    lengths = lengths[np.cumsum(lengths) <= drawn.outcomes.shape[1]]
    starts = np.cumsum(lengths) - lengths
    exact = np.array([drawn.outcomes[0, start:start + length, arm].sum() for start, length in zip(starts, lengths)])
    scale = 0 if view.epsilon is None else 1 / view.epsilon
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": words["name"], "font.size": 10, "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.8, 3.2), layout="constrained")
        for axes, label, sums, colour in zip(figure.subplots(2, 1, sharex=True), (drawn.views[0].label, view.label),
                                             (exact, exact + scale * drawn.noise[0, :exact.size]), ("#0072b2", "#d55e00")):
            box = {"width": lengths, "align": "edge", "linewidth": 0.7}
            axes.bar(starts, np.ones(exact.size), facecolor="none", edgecolor="#9aa3ad", **box)
            axes.bar(starts, np.clip(sums / lengths, -0.25, 1.25), color=colour, alpha=0.75, edgecolor="white", **box)
            axes.axhline(drawn.means[0, arm], color="#22272e", linewidth=1.2, linestyle=(0, (4, 2)))
            axes.set(ylim=(-0.3, 1.3), yticks=[0, drawn.means[0, arm], 1], ylabel="recovered")
            axes.set_title(f"The best treatment: {label}", loc="left", fontsize=10, fontweight="bold")
            axes.spines[["top", "right"]].set_visible(False)
        axes.set(xlabel="patients, in groups", xlim=(0, lengths.sum()))
        return as_svg(figure)
