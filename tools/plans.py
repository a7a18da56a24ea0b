"""The plans of the course as pages show them: tables from book/course/plan.yml, with hours that add up.

A page says ```{plan} ten_weeks```, and pages.py puts the tables of that plan in its place. Minutes come from where
readers see them: "How long. About 15 minutes" at the top of a page, and "5 minutes" in an exercise.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import yaml

EXERCISE = re.compile(r"^`{4}\{exercise\} ([^\n]*)\n:label: (\S+)\n(.*?)^`{4}$", re.M | re.S)
PLACE = re.compile(r"^```\{plan\} (\w+)\n```$", re.M)
SHEETS = {"quiz": "the quiz", "trajectories": "ten trajectories", "mechanisms": "ten mechanisms", "dice": "dice",
          "scissors": "scissors", "gradients": "four gradients", "programs": "five programs",
          "counter": "a running count", "power": "how many runs", "syllabus": "the syllabus",
          "syllabus_six_weeks": "the syllabus", "participants": "for participants",
          "projects": "two projects", "marking": "marking a project", "hospitals": "five hospitals"}


@dataclass(frozen=True)
class Book:
    """What the plans build on: minutes of each page, and title, minutes and chapter of each exercise, by its label."""

    pages: dict[str, int]
    exercises: dict[str, tuple[str, int, str]]
    more: dict[str, str]  # titles of exercises without minutes: research
    titles: dict[str, str]

    @classmethod
    def read(cls, root: Path) -> "Book":
        pages, exercises, more, titles = {}, {}, {}, {}
        for path in sorted(one for one in (root / "chapters").rglob("*") if one.suffix in (".md", ".py")):
            text = path.read_text("utf-8")
            if path.suffix == ".py":
                text = re.sub(r"^# ?", "", text, flags=re.M)
            if said := re.search(r"\*\*How long\.\*\* About (\d+) minutes", text):
                name = path.relative_to(root / "chapters").with_suffix("").as_posix()
                pages[name], titles[name] = int(said[1]), re.search(r"^# (.+)", text, re.M)[1]
            for title, label, body in EXERCISE.findall(text):
                if minutes := re.search(r"(\d+) minutes", body):
                    exercises[label] = title, int(minutes[1]), path.parent.name
                else:
                    more[label] = title
        return cls(pages, exercises, more, titles)

    def of_pages(self, names: Iterable[str]) -> str:
        return ", ".join(f"{{doc}}`/chapters/{name}` ({self.pages[name]})" for name in names)

    def of_exercises(self, labels: Iterable[str]) -> str:
        return ", ".join(f"{{ref}}`{self.exercises[label][0]} <{label}>` ({self.exercises[label][1]})" for label in labels)

    def of_hand_outs(self, labels: Iterable[str]) -> str:
        by_name = groupby(labels, lambda label: self.exercises[label][2])
        return "; ".join(f"hand-out `{name}`: {self.of_exercises(of)}" for name, of in by_name)


def plans(root: Path) -> dict[str, dict]:
    path = root / "book" / "course" / "plan.yml"
    return yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}


def pages_of(session: dict) -> list[str]:
    """The pages that a session is about, in order: those read before it, and those opened in class."""
    opened = (name for item in session["class"] for name in item.get("pages", ()))
    return list(dict.fromkeys([*session.get("read", ()), *opened]))


def minutes(session: dict, book: Book) -> dict[str, int]:
    """Minutes of a session in class, and at home with pages, exercises and the project."""
    home = session.get("home", {})
    return {"class": sum(item["minutes"] for item in session["class"]),
            "read": sum(book.pages[name] for name in [*session.get("read", ()), *home.get("read", ())]),
            "exercises": sum(book.exercises[label][1] for label in home.get("exercises", ())),
            "project": home.get("project", 0)}


def hours(minutes: float) -> str:
    return f"{round(minutes / 60, 1):g}"


def in_class(item: dict, book: Book) -> str:
    used = [f"{{doc}}`/chapters/{name}`" for name in [*item.get("pages", ()), *item.get("at_hand", ())]]
    used += [f"exercise {book.of_exercises([label])}" for label in item.get("exercises", ())]
    used += [f"sheet *{SHEETS[name]}*" for name in item.get("sheets", ())]
    return f"*{item['minutes']}:* {item['what']}" + (f" → {'; '.join(used)}" if used else "")


def table(session: dict, book: Book) -> str:
    """One session."""
    home, spent = session.get("home", {}), minutes(session, book)
    due = f", due: {home['due']}" if "due" in home else ""
    after = [book.of_pages(home.get("read", ())), book.of_hand_outs(home.get("exercises", ())),
             f"the project ({spent['project']}){due}" if spent["project"] else ""]
    rows = {"Read before": book.of_pages(session.get("read", ())),
            "Students bring": session.get("bring", ""),
            "Teacher prepares": session.get("prepare", ""),
            f"In class, {spent['class']} minutes": "<br>".join(in_class(item, book) for item in session["class"]),
            "At home": "; ".join(filter(None, after)),
            "Wants more": ", ".join(f"{{ref}}`{book.more[label]} <{label}>`" for label in session.get("more", ())),
            "Able to": session["able"]}
    return "| | |\n|---|---|\n" + "".join(f"| **{head}** | {text} |\n" for head, text in rows.items() if text)


def marked_by_hand(plan: dict) -> str:
    """What a teacher marks without a program, in minutes for each student."""
    each = plan["marking"]
    proofs = sum("proof-" in label for session in plan["sessions"] for label in session.get("home", {}).get("exercises", ()))
    total = proofs * each["proof"] + each["project"]
    return (f"**Marking by hand** takes a teacher about {total} minutes for each student: {each['project']} for the "
            f"project, and {each['proof']} for each proof that the plan sets.")


def overview(plan: dict, book: Book) -> str:
    """All sessions in one table, and their sum."""
    spent = [minutes(session, book) for session in plan["sessions"]]
    total = {kind: sum(one[kind] for one in spent) for kind in spent[0]}
    home = total["read"] + total["exercises"] + total["project"]
    if not home:
        return f"**In all: {hours(total['class'])} hours** in {len(spent)} sessions.\n"
    rows = [(f"{number}. {session['title']}", one) for number, (session, one) in enumerate(zip(plan["sessions"], spent), 1)]
    return (f"**In all: {hours(total['class'])} hours in class and {hours(home)} at home.** Hours of each session:\n\n"
            "| session | in class | at home | reading | exercises | project |\n|---|---:|---:|---:|---:|---:|\n" + "".join(
                f"| {title} | {hours(one['class'])} | {hours(sum(one.values()) - one['class'])} | {hours(one['read'])} | "
                f"{hours(one['exercises'])} | {hours(one['project'])} |\n" for title, one in [*rows, ("**in all**", total)])
            + f"\n{marked_by_hand(plan)}\n")


def filled(text: str, root: Path) -> str:
    """The text of a page, with the tables of a plan where it asks for them."""
    if not PLACE.search(text):
        return text
    every, book = plans(root), Book.read(root)

    def written(match: re.Match) -> str:
        plan = every[match[1]]
        sessions = []
        for number, session in enumerate(plan["sessions"], 1):
            when = f"*{session['at']}*\n\n" if "at" in session else ""
            sessions.append(f"## {number}. {session['title']}\n\n{when}{table(session, book)}")
        return "\n".join([overview(plan, book), *sessions])
    return PLACE.sub(written, text)
