"""Sheets to print for the course, as HTML for A4 paper: `sheets.py --into _build/course/sheets`.

student/ has what is handed out, and instructor/ the same with keys. The words stand in tools/sheet/, and the functions of
the book draw the numbers, from a seed.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import shutil
from pathlib import Path

import numpy as np
import yaml
from execute import ROOT
from jinja2 import Environment, FileSystemLoader
from scipy.stats import norm

from privrl_core.functional_noise import bridge
from privrl_core.offline import consistent_counts
from privrl_core.privacy import gaussian_mu
from privrl_core.privacy.auditing import trials_needed
from privrl_core.privacy.noise import GaussianNoise, Sensitivity


def quiz(rng: np.random.Generator) -> dict:
    """The questions of the first and the last week."""
    return {"questions": yaml.safe_load((ROOT / "book" / "course" / "quiz.yml").read_text("utf-8"))}


def dice(rng: np.random.Generator, beta: float = 0.25) -> dict:
    """A random curve, drawn where it is asked: first its ends, then the middles."""
    rows, drawn = [], {-np.inf: 0.0, np.inf: 0.0}
    ends = {0: (-np.inf, np.inf), 8: (0, np.inf), 4: (0, 8), 2: (0, 4), 6: (4, 8)}
    ends |= {x: (x - 1, x + 1) for x in (1, 3, 5, 7)}
    for x, around in ends.items():
        *weights, variance = bridge(around[0], x, around[1], beta)
        thrown = rng.integers(1, 7, 3)
        drawn[x] = np.dot(weights, [drawn[end] for end in around]) + np.sqrt(variance) * (thrown.sum() - 10.5) / 2.96
        mean = " + ".join(f"{weight:.2f} · g({end})" for weight, end in zip(weights, around) if np.isfinite(end))
        rows.append({"x": x, "mean": mean or "0", "sd": np.sqrt(variance), "dice": thrown.tolist(), "value": drawn[x]})
    return {"beta": beta, "rows": rows}


def scissors(rng: np.random.Generator) -> dict:
    """Noisy counts that have to be cut until they add up, so that one of them vanishes."""
    true = np.array([9, 6, 3, 0, 0])
    while True:
        noisy = np.maximum(np.rint(true + rng.normal(0, 2, true.size)), 0).astype(int)
        pair = round(true.sum() + rng.normal(0, 2))
        whole = consistent_counts(noisy, pair, 0.0)
        if 3 <= noisy.sum() - pair <= 9 and (whole == 0).sum() > (noisy == 0).sum():
            return {"noisy": noisy.tolist(), "pair": pair, "whole": whole.tolist(), "cut": noisy.max() - whole.max()}


def mechanisms(rng: np.random.Generator, epsilon: float = 1.0, delta: float = 1e-5) -> dict:
    """Ten releases of a count, of which five have a third of the noise that they promise."""
    law, found = GaussianNoise.of_epsilon(epsilon, delta), []
    scale, apart = law.scale(Sensitivity(1.0, 1.0)), 3 * gaussian_mu(epsilon, delta)
    for third in rng.permutation([True, False] * 5):
        lists = [(who, count + law.draw(scale / 3 if third else scale, 24, rng))
                 for who, count in (("Anna said no", 30), ("Anna said yes", 31))]
        spread = np.sqrt(np.mean([values.var(ddof=1) for _, values in lists]))
        found.append({"third": bool(third), "lists": lists, "spread": spread})
    needed = trials_needed(norm.sf(2 - apart), norm.sf(2), epsilon=epsilon, delta=delta)
    return {"mechanisms": found, "scale": scale, "needed": needed}


SHEETS = (quiz, dice, scissors, mechanisms)


def make(into: Path, seed: int) -> None:
    templates = Environment(loader=FileSystemLoader(ROOT / "tools" / "sheet"), autoescape=True)
    shutil.rmtree(into, ignore_errors=True)
    for edition in ("student", "instructor"):
        (into / edition).mkdir(parents=True)
        for number, sheet in enumerate(SHEETS):
            words = templates.get_template(f"{sheet.__name__}.html.j2")
            html = words.render(sheet(np.random.default_rng([seed, number])), key=edition == "instructor")
            (into / edition / f"{sheet.__name__}.html").write_text(html, "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make(arguments.into.resolve(), arguments.seed)
    print(f"sheets: {len(SHEETS)} for students and for instructors in {arguments.into}")
