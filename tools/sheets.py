"""Sheets to print for the course, as HTML for A4 paper: `sheets.py --into _build/course/sheets`.

student/ has what is handed out, and instructor/ the same with keys. The words stand in tools/sheet/, and the functions of
the book draw the numbers, from a seed. A syllabus is made from book/course/plan.yml and from the pages that say the marks.
What students need as a file is also copied beside their hand-outs, with stays.csv, if `--hand-outs` names the folder.
"""

import interruption

if __name__ == "__main__":
    interruption.install()

import argparse
import csv
import re
import shutil
import tomllib
from pathlib import Path

import mistune
import nbformat
import numpy as np
import yaml
from execute import ROOT
from jinja2 import Environment, FileSystemLoader
from plans import Book, plans
from scipy.stats import binom, norm

from privrl_core.functional_noise import bridge
from privrl_core.offline import consistent_counts
from privrl_core.online import FirstVisits, growing, table_sensitivity
from privrl_core.online import counter as running_counter
from privrl_core.policy_evaluation import first_visit_returns, first_visit_statistics
from privrl_core.privacy import gaussian_epsilon, gaussian_mu, smooth_gaussian_delta
from privrl_core.privacy.auditing import clopper_pearson, epsilon_lower_bound, trials_needed
from privrl_core.privacy.noise import GaussianNoise, Sensitivity
from privrl_core.world import recovery_chain, sample_episodes


def quiz(rng: np.random.Generator) -> dict:
    """The questions of the first and the last week."""
    return {"questions": yaml.safe_load((ROOT / "book" / "course" / "quiz.yml").read_text("utf-8"))}


def trajectories(rng: np.random.Generator, discount: float = 0.5) -> dict:
    """Ten patients in a chain of three stages, all of them short enough for a class."""
    chain = recovery_chain(4, stay=0.5, discount=discount, initial=[1 / 3, 1 / 3, 1 / 3, 0])
    while True:
        drawn = sample_episodes(chain, np.ones((4, 1)), 10, rng)
        found = first_visit_statistics(drawn, 4, discount)
        if drawn.lengths.max() <= 7 and found.visits[0] >= 3:
            break
    returns = first_visit_returns(drawn, 4, discount)[:, :3]
    patients = [(states[:length] + 1, ["–" if np.isnan(one) else "1" if one == 1 else f"1/{1 / one:g}" for one in row])
                for states, length, row in zip(drawn.states, drawn.lengths, returns)]
    return {"patients": patients, "visits": found.visits[:3], "sums": found.return_sums[:3],
            "truth": chain.policy_values(np.ones((4, 1)))[:3]}


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
    scale = law.scale(Sensitivity(1.0, 1.0))
    for third in rng.permutation([True, False] * 5):
        lists = [(who, count + law.draw(scale / 3 if third else scale, 24, rng))
                 for who, count in (("Anna said no", 30), ("Anna said yes", 31))]
        spread = np.sqrt(np.mean([values.var(ddof=1) for _, values in lists]))
        found.append({"third": bool(third), "lists": lists, "spread": spread})
    limit, third = round(30 + 2 * scale / 3, 1), scale / 3  # about two standard deviations above 30
    p, q = norm.sf((limit - 31) / third), norm.sf((limit - 30) / third)
    needed = trials_needed(p, q, epsilon=epsilon, delta=delta, power=0.9, confidence=0.95)
    return {"mechanisms": found, "scale": scale, "limit": limit, "p": p, "q": q, "needed": needed}


def gradients(rng: np.random.Generator, clip: int = 5) -> dict:
    """Four gradients whose lengths are whole numbers, of which the last is far too long."""
    four = np.array([times * rng.permutation(one) for times, one in ((1, [3, 4]), (1, [2, 0]), (2, [3, 4]), (6, [3, 4]))])
    four *= rng.choice([-1, 1], four.shape)
    lengths = np.linalg.norm(four, axis=1).astype(int)
    clipped = np.rint(four * np.minimum(clip / lengths, 1)[:, None]).astype(int)
    return {"clip": clip, "rows": list(zip(["Ben", "Cleo", "Dan", "Anna"], four, lengths, clipped)),
            "sum": four.sum(0), "clipped_sum": clipped.sum(0), "noise": clip / gaussian_mu(1.0, 1e-5)}


def programs(rng: np.random.Generator) -> dict:
    """The programs of *Find the slip*, with the page's verdicts, and its reasons as far as they have no computed number."""
    found, inside = [], False
    for cell in nbformat.read(ROOT / "chapters" / "06_networks" / "07_find_the_slip.ipynb", 4).cells:
        if cell.cell_type == "markdown" and (headings := re.findall("^## (.*)", cell.source, re.M)):
            inside = headings[-1] == "Five programs"
        if inside and re.match(r"def \w+\(days\)", cell.source):
            found.append({"code": cell.source})
        if inside and (right := re.search(r"guess right-(\d)", cell.source)):
            found[-1]["verdict"] = re.findall(r"^\* (.*)", cell.source, re.M)[int(right[1]) - 1]
        if inside and (said := re.search(r'\*\*The answer\.\*\* (.*?)"""', cell.source, re.S)):
            plain = re.sub(r"[`*]", "", re.sub(r"\{[\w:-]+\}`([^`<]*?) ?<[^`]*>`", r"\1", said[1]))
            found[-1]["why"] = " ".join(part for part in re.split(r"(?<=[.?!])\s", plain)
                                        if not re.search(r"\{|extreme day", part))  # the page's attack is not on the sheet
    return {"programs": found, "sigma": 1 / gaussian_mu(1.0, 1e-5)}


def counter(rng: np.random.Generator, patients: int = 15) -> dict:
    """Fifteen outcomes, the blocks of their tree with noise for ε = 1, and three counts put together from blocks."""
    outcomes, sizes, blocks = rng.integers(0, 2, patients), [8, 4, 2, 1], {}
    for size in reversed(sizes):
        for start in range(0, patients - size + 1, size):
            total, noise = int(outcomes[start:start + size].sum()), int(np.rint(rng.laplace(0, len(sizes))))
            blocks[start, size] = {"first": start + 1, "last": start + size, "size": size, "sum": total, "noise": noise,
                                   "noisy": total + noise}
    asked = []
    for after in (6, 11, 15):
        used = [size for size in sizes if after & size]
        starts = np.cumsum([0, *used[:-1]])
        asked.append({"after": after, "sizes": used, "true": int(outcomes[:after].sum()),
                      "published": sum(blocks[int(start), size]["noisy"] for start, size in zip(starts, used))})
    patient = int(rng.integers(9, 15))
    changed = sum(one["first"] <= patient <= one["last"] for one in blocks.values())
    return {"outcomes": outcomes.tolist(), "blocks": list(blocks.values()), "asked": asked, "patient": patient,
            "changed": changed}


def chance(n: int, p: float, q: float, epsilon: float, delta: float, confidence: float) -> float:
    """The probability that ``n`` runs on each side refute ``epsilon``, for an event of probability p and q."""
    counts = np.arange(n + 1)
    refuted = np.array([[epsilon_lower_bound(a, b, n, delta=delta, confidence=confidence) > epsilon for b in counts]
                        for a in counts])
    return float(binom.pmf(counts, n, p) @ refuted @ binom.pmf(counts, n, q))


def power(rng: np.random.Generator, claim: float = 1.0, confidence: float = 0.95) -> dict:
    """A coin that is bent too far: from two counts to a refutation, and the runs that it takes."""
    tail, p = (1 - confidence) / 2, 0.9
    rows = []
    for n in (20, 50):
        a, b = round(n * p), round(n * (1 - p))
        low, high = clopper_pearson("yes", a, n, tail)[0], clopper_pearson("yes", b, n, tail)[1]
        refuted = epsilon_lower_bound(a, b, n, delta=0, confidence=confidence) > claim
        rows.append({"n": n, "a": a, "b": b, "low": low, "high": high, "raised": np.exp(claim) * high, "refuted": refuted,
                     "chance": chance(n, p, 1 - p, claim, 0, confidence)})
    needed = {rate: trials_needed(rate, 1 - rate, epsilon=claim, delta=0, power=0.9, confidence=confidence)
              for rate in (0.9, 0.8, 0.75)}
    return {"claim": claim, "p": p, "q": 1 - p, "factor": p / (1 - p), "epsilon": np.log(p / (1 - p)), "rows": rows,
            "needed": needed, "of_coin": {rate: np.log(rate / (1 - rate)) for rate in needed},
            "kept": np.exp(claim) / (1 + np.exp(claim)), "twenty": rows[0], "fifty": rows[1],
            "surely": chance(needed[p], p, 1 - p, claim, 0, confidence)}


def columns() -> dict:
    """Two columns of probabilities for the board: their largest factor, and what sticks out above a smaller one."""
    yes, no = np.array([0.48, 0.24, 0.16, 0.08, 0.04]), np.array([0.24, 0.24, 0.20, 0.16, 0.16])
    assert np.isclose(yes.sum(), 1) and np.isclose(no.sum(), 1)
    out = {factor: (np.maximum(yes - factor * no, 0).sum(), np.maximum(no - factor * yes, 0).sum())
           for factor in (1, 1.5, 2, 4)}
    return {"letters": list(zip("abcde", yes, no)), "largest": max((yes / no).max(), (no / yes).max()),
            "out": [(factor, *both, max(both)) for factor, both in out.items()]}


def stay() -> dict:
    """One stay in the ward, by hand: how far it moves the counts, and the noise of the counts that are released."""
    days, first = 10, 6  # the ward of chapter 5, and the visits that it counts of a pair
    sensitivity = table_sensitivity(days, 1, FirstVisits(first), pairs=12)
    times = growing(20_000, first=300, growth=0.2)
    board = running_counter("doubling-toeplitz", 20_000, sensitivity, epsilon=1.0, delta=1e-5, times=times)
    noise = board.standard_deviations
    length = np.hypot(first, days - first)
    assert np.isclose(sensitivity.l2, np.sqrt(2) * length)
    return {"days": days, "first": first, "rest": days - first, "length": length, "moves": sensitivity.l2, "times": times,
            "noise": (noise[0], noise[-1])}


def clinic() -> dict:
    """The clinic of chapter 4: counts of every step, and how often a reader guesses right about one stay and about three."""
    stays, steps, states, treatments = 1_000_000, 20, 716, 25  # with the three states at the end of a stay
    mu = {epsilon: gaussian_mu(epsilon, 1e-5) for epsilon in (0.5, 1.0, 3.0)}
    counts = steps * states * treatments
    return {"states": states, "counts": counts, "visits": stays * steps / counts, "noise": 2 * np.sqrt(steps) / mu[1.0],
            "guesses": [(epsilon, *(100 * norm.cdf(k * one / 2) for k in (1, 3))) for epsilon, one in mu.items()]}


def hospitals(rng: np.random.Generator) -> dict:
    """Five hospitals that want to publish something, with the noise that it takes."""
    epsilon, delta = 1.0, 1e-6  # as the sheet says
    mu = gaussian_mu(epsilon, delta)
    rare = {"n": 60, "weeks": 52, "villages": 12}
    rare |= {"sensitivity": rare["weeks"] / rare["n"], "sigma": rare["weeks"] / rare["n"] / mu}
    back = {"n": 8_000, "days": 6, "stays": 4, "conditions": 4, "treatments": 3}
    of_stay = 2 * np.sqrt(back["days"])  # two counts of pairs and two of triples a day, by 1 each
    back |= {"of_stay": of_stay, "sigma_of_stay": of_stay / mu, "sigma": back["stays"] * of_stay / mu,
             "visits": back["n"] / (back["conditions"] * back["treatments"])}
    monthly = {"n": 10_000, "stages": 40, "tables": 12}
    shaped = np.sqrt(4 / 3 * monthly["stages"]) / mu  # chapter 2's noise on counts and sums, with correlation 1/2
    monthly |= {"sigma": shaped, "sigma_each": np.sqrt(monthly["tables"]) * shaped,
                "epsilon": gaussian_epsilon(delta, np.sqrt(monthly["tables"]) * mu)}
    moves = np.sqrt(2 * 4 / 3 * monthly["stages"])  # one patient for another, whose treatment ends in another month
    months = running_counter("toeplitz", monthly["tables"], moves, epsilon=epsilon, delta=delta)
    monthly |= {"counter": months.standard_deviations[-1]}
    reward = {"eta": 0.01, "range": 0.5}
    reward |= {"sigma": reward["eta"] * np.sqrt(3) / mu}
    network = {"n": 300, "most": 3, "steps": 100}
    network |= {"sigma": np.sqrt(network["steps"]) / mu, "epsilon": gaussian_epsilon(delta, network["most"] * mu)}
    return {"epsilon": epsilon, "mu": mu, "rare": rare, "back": back, "monthly": monthly, "reward": reward,
            "network": network}


def without_links(text: str) -> str:
    return re.sub(r"\{\w+\}`(?:([^`<]*?) ?<)?[^`>]*>?`", lambda link: link[1] or "the plan", text)


def section(page: str, heading: str, links: bool = False) -> str:
    """A part of a page of the course, without its heading and with words in place of links, unless they are wanted."""
    text = (ROOT / "book" / "course" / f"{page}.md").read_text("utf-8")
    part = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^\(|^## |\Z)", text, re.M | re.S)[1]
    return part.strip() if links else without_links(re.sub(r" \(\{(doc|ref)\}`[^`]*`\)", "", part)).strip()


def first_sentences(bullets: str) -> str:
    """Each point of a list with its name and its first sentence."""
    points = (" ".join(point.split()) for point in re.split(r"^\* ", bullets, flags=re.M)[1:])
    return "\n".join("* " + " ".join(re.split(r"(?<=[.?!]\*\*) |(?<=[.?!]) ", point)[:2]) for point in points)


def in_order(name: str) -> list[dict]:
    """What a student has to know of each session of a plan."""
    book, found = Book.read(ROOT), []
    for session in plans(ROOT)[name]["sessions"]:
        home = session.get("home", {})
        exercises = [book.exercises[label] for label in home.get("exercises", ())]
        bring = without_links(session.get("bring", "")).replace("`", "")
        found.append({"title": session["title"], "bring": bring, "due": home.get("due"),
                      "before": [(book.titles[page], book.pages[page]) for page in session.get("read", ())],
                      "after": [(book.titles[page], book.pages[page]) for page in home.get("read", ())],
                      "hand_out": exercises[0][2] if exercises else "", "exercises": [one[:2] for one in exercises],
                      "minutes": sum(one[1] for one in exercises), "project": home.get("project", 0)})
    return found


def with_titles(text: str) -> str:
    """A text with the titles of pages of the book in place of links to them."""
    titles = Book.read(ROOT).titles
    return re.sub(r"\{doc\}`/chapters/([^`<]*)`", lambda page: f"*{titles[page[1]]}*", text)


def as_html(text: str) -> str:
    return mistune.create_markdown(plugins=["table"])(text)


def projects(rng: np.random.Generator) -> dict:
    """Both projects with their rubrics and their days, as the page of the course has them."""
    text = (ROOT / "book" / "course" / "projects.md").read_text("utf-8")

    def printed(heading: str) -> str:
        words = with_titles(section("projects", heading, links=True))
        return as_html(without_links(re.sub(r" \{cite:p\}`[^`]*`", "", words)))
    headings = re.findall(r"^## (.*)", text, re.M)
    return {"shares": re.search(r"^In each row of a rubric.*?earns nothing\.", text, re.M | re.S)[0].replace("*", ""),
            "parts": [(one, printed(one)) for one in [*headings[1:], headings[0]]]}


def of_plan(name: str) -> dict:
    def said(page: str, heading: str, first: str) -> str:  # the table or the list, without words for teachers around it
        return as_html(next(part for part in section(page, heading).split("\n\n") if part.startswith(first)))
    text = (ROOT / "book" / "course" / f"{name}.md").read_text("utf-8")
    new = re.search(r"^Students who are new to.*?sum\.$", text, re.M | re.S)
    new = with_titles(new[0]).replace("*", "") if new else ""
    return {"plan": name.replace("_", " "), "new": new, "sessions": in_order(name), "days": said("projects", "Days", "|"),
            "marks": said("index", "Marks", "*"), "assistants": said("index", "Assistants", "*")}


def syllabus(rng: np.random.Generator) -> dict:
    """Ten weeks for students: what to read, what is due when, marks, days, and what assistants may do."""
    return of_plan("ten_weeks")


def syllabus_six_weeks(rng: np.random.Generator) -> dict:
    return of_plan("six_weeks")


def participants(rng: np.random.Generator) -> dict:
    """The workshop for those who come: what to bring, two lines to type, what to read, and when."""
    page = (ROOT / "book" / "course" / "workshop.md").read_text("utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    sessions = plans(ROOT)["workshop"]["sessions"]
    bring = sessions[0]["bring"].replace("`", "").replace("the sheet for participants", "this sheet")
    new = re.search(r"Participants who are new to.*?Q-learning\.", page, re.S)[0]
    return {"bring": bring, "sessions": sessions, "new": with_titles(new).replace("*", ""),
            "install": f'pip install jupyterlab "./privrl_core-{version}-py3-none-any.whl[pages,exact]"',
            "command": re.search(r"^python -m privrl_core release .*", page, re.M)[0]}


def marking(rng: np.random.Generator) -> dict:
    """A form for each kind of project, with the points of each row of its rubric."""
    page = (ROOT / "book" / "course" / "projects.md").read_text("utf-8")
    parts = re.findall(r"^## (\w+): .*?\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    return {"rubrics": [(name, [(row, int(share)) for row, share in re.findall(r"\*\*([\w ]+)\*\* \((\d+) %\)", text)])
                        for name, text in parts]}


def own_slides(root: Path, plan: str) -> dict[str, str]:
    """The slides that no page has, in Markdown: book/course/slides.yml, with its numbers computed."""
    path = root / "book" / "course" / "slides.yml"
    if not path.exists():
        return {}
    sample = (root / "book" / "course" / "sample_project.md").read_text("utf-8")
    rng = np.random.default_rng(0)
    numbers = {"power": power(rng), "columns": columns(), "mechanisms": mechanisms(rng), "stay": stay(),
               "clinic": clinic(), "follows": {"right": 50 + 50 * smooth_gaussian_delta(0, np.inf, 2 * np.log(2), 40)},
               "sessions": in_order(plan), "marks": first_sentences(section("index", "Marks")),
               "assistants": first_sentences(section("index", "Assistants")),
               "days": section("projects", "Days").split("\n\n")[0],
               "protects": re.search(r"^\*\*Whom we protect\.\*\* (.*?)\n\n", sample, re.M | re.S)[1]}
    words = Environment(trim_blocks=True, lstrip_blocks=True)
    return {name: words.from_string(text).render(numbers) for name, text in yaml.safe_load(path.read_text("utf-8")).items()}


SHEETS = (quiz, trajectories, mechanisms, dice, scissors, gradients, programs, counter, power, syllabus, syllabus_six_weeks,
          participants, projects, marking, hospitals)
# what students need beside their hand-outs
FILES = ("mechanisms.csv", "syllabus.html", "syllabus_six_weeks.html", "participants.html")


def as_table(path: Path, found: list[dict]) -> None:
    """The printed runs of all mechanisms, to be read by a program."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["mechanism", "anna", "published"])
        table.writerows([number, who.removeprefix("Anna said "), f"{value:.1f}"] for number, one in enumerate(found, 1)
                        for who, values in one["lists"] for value in values)


def stays(into: Path) -> None:
    """The invented log of *Your own data*, stays.csv, written by the cells of the page that write it there."""
    names: dict = {}
    for cell in nbformat.read(ROOT / "chapters" / "07_side_by_side" / "04_your_own_data.ipynb", 4).cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
            if "to_csv" in cell.source:
                break
    shutil.copy(names["folder"] / "stays.csv", into)
    names["temporary"].cleanup()


def make(into: Path, seed: int, hand_outs: Path | None = None) -> None:
    templates = Environment(loader=FileSystemLoader(ROOT / "tools" / "sheet"), autoescape=True)
    shutil.rmtree(into, ignore_errors=True)
    for edition in ("student", "instructor"):
        (into / edition).mkdir(parents=True)
        for number, sheet in enumerate(SHEETS):
            words = templates.get_template(f"{sheet.__name__.removesuffix('_six_weeks')}.html.j2")
            drawn = sheet(np.random.default_rng([seed, number]))
            html = words.render(drawn, key=edition == "instructor")
            if sheet is mechanisms:
                as_table(into / edition / "mechanisms.csv", drawn["mechanisms"])
            (into / edition / f"{sheet.__name__}.html").write_text(html, "utf-8")
    if hand_outs:
        hand_outs.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            shutil.copy(into / "student" / name, hand_outs)
        stays(hand_outs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--hand-outs", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    make(arguments.into.resolve(), arguments.seed, arguments.hand_outs)
    print(f"sheets: {len(SHEETS)} for students and for instructors in {arguments.into}")
