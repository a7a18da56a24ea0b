r"""The game of the pages: the reader is the attacker, and bets on what a mechanism published.

Everything is drawn and computed in Python; the browser tosses the coin and deals the stored draws. A curve with a dial::

    anna = np.array([anna_record, np.zeros(39)])                    # what she adds: her record, or nothing
    noise = GaussianNoise.of_epsilon(epsilon, 1e-5)
    scale = noise.scale(Sensitivity(l1=39, l2=np.sqrt(39)))
    play(name="welcome", question="Is Anna in the data?",
         worlds=[World("in", "Anna is in", "Anna was in the data."),
                 World("out", "Anna is out", "Anna was not in the data.")],
         picture=Curve("What the clinic publishes", x="stage", y="points of 100", low=0, high=100,
                       beside=[Beside("Anna alone", 100 * anna_record, world=0)]),
         levels=[Exact("none: exact averages", means=anna, decimals=2, guarantee="Exact averages promise nothing."),
                 Noisy(f"noise of {scale:.0f} patients", GaussianWorlds(means=anna, scales=scale),
                       guarantee="No attacker is right more often than in 55.3 of 100.")],   # from right_guess_ceiling
         noise=noise.draw(1.0, 16_000, rng), known=sums_of_the_others, per=10,
         subtract=Subtract("Subtract the other 999", hint="You know these records.", title="What is left, in patients",
                           keys=("if she is in", "if she is out")),
         dial=Dial("noise on every sum", low_end="exact averages", high_end="more noise"),
         stages=("rounds", "dial"), expects=True, caption="...", alt="...")

One number, with Laplace noise::

    noise = LaplaceNoise.of_epsilon(1.0)
    play(..., picture=Number("The published number", y="patients"), noise=noise.draw(1.0, 10_000, rng),
         levels=[Noisy("ε = 1", LaplaceWorlds(means=[[413], [412]], scales=1.0), guarantee="ε = 1 for one patient")])

Narrow or wide: nothing is left but noise, and its standard deviation is the secret::

    play(..., picture=Stems("Published minus true values", x="state", y="noise", low=-6, high=6), rounds=20,
         noise=rng.standard_normal(12_000),
         levels=[Noisy("noise that follows the data", GaussianWorlds(means=np.zeros((2, 12)), scales=[1.0, 1.6]),
                       guarantee="This noise promises nothing.")])

Heaps that give ε and δ their names, from a game of one number: ``play(..., stages=("piles",), names=True)``. Releases of any
other mechanism are `Draws`: values, best scores and ceiling. ``tests/games.py`` has each of these games in full.
"""

from privrl_core.pages.game.game import Game, play
from privrl_core.pages.game.levels import Draws, Exact, Noisy
from privrl_core.pages.game.pictures import Beside, Curve, Number, Stems, Subtract, Walk, World
from privrl_core.pages.game.table import Dial

__all__ = ["Beside", "Curve", "Dial", "Draws", "Exact", "Game", "Noisy", "Number", "Stems", "Subtract", "Walk",
           "World", "play"]
