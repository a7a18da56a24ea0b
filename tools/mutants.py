"""Small changes that turn a verdict: `mutants.py [--only NAME] [--statement] [--again]`, or `make mutants`.

A test that finds the same verdict whatever is changed would find it for any statement. For the test of each claim one mutant
is recorded in tests/claims/mutants.json: a sign, an operation, a minimum for a maximum, or a constant, in the test, in a
function of its file that it calls, or in one of privrl_core that these name. A mutant is caught if the test then finds
another verdict; a test that stops at an assertion or an error has found none.

A mutant in what is printed, in names such as ``printed`` and ``claimed``, shows that the test notices another statement, and
one in the code of the package that it would notice other code. Any other only shows that the measurement has a part in
the verdict (`kind`). They are looked for in this order, and counted apart.

Comparisons, what they compare with, and the words of the finding stay as they are, as any verdict could be turned there;
what stands in the finding itself is changed last. A record is used as long as its statement stands where it was; where it
does not, another mutant is looked for.
"""

import argparse
import ast
import copy
import inspect
import json
import re
import signal
import sys
import warnings
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "claims" / "mutants.json"
SECONDS, PATIENCE = 60, 240  # for one mutant, of which some never end, and for all of one test
SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
OTHER = {"max": "min", "min": "max", "maximum": "minimum", "minimum": "maximum", "any": "all", "all": "any",
         "argmax": "argmin", "argmin": "argmax", "cumsum": "cumprod", "sum": "max", "mean": "max"}
STATED = re.compile("printed|claimed|stated|promised")  # in the name of a function or a variable: what the paper says
WORLDS = ("privrl_core.world", "privrl_core.pages", "privrl_core.formatting", "privrl_core.experiments")  # not under test
FINDING, WORDS = "judge", ("rounded", "show")


def verdicts() -> dict:
    """The tests of claims that find a verdict by their name, file by file."""
    sys.path[:0] = [str(ROOT / "tests" / "claims"), str(ROOT)]
    from test_ledger import TESTS

    return {test.__name__: test for test in TESTS if test.claims[0].verdict.value != "not checked"}


# ------------------------------------------------------------------------------------------------------------- mutants

def places(function: ast.FunctionDef):
    """``(node, change)`` for all that may be changed: operations first, the finding last, and later lines before earlier."""
    kept, late = set(), set()
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            kept |= {id(one) for one in (node.left, *node.comparators) if isinstance(one, ast.Constant)}
        words = isinstance(node, ast.Call) and getattr(node.func, "id", "") in WORDS
        finding = isinstance(node, ast.Call) and getattr(node.func, "id", "") == FINDING
        asserted = isinstance(node, ast.Assert)
        for hidden in ([node] if words or isinstance(node, ast.JoinedStr) or asserted else node.args if finding else []):
            kept |= {id(one) for one in ast.walk(hidden)}
        if finding:
            late |= {id(one) for keyword in node.keywords for one in ast.walk(keyword.value)}
            kept |= {id(one) for keyword in node.keywords if keyword.arg == "within" for one in ast.walk(keyword.value)}
    kept |= {id(one) for each in function.decorator_list for one in ast.walk(each)}
    found = [(rank + 3 * (id(node) in late), -getattr(node, "lineno", 0), node, change)
             for node in ast.walk(function) if id(node) not in kept for rank, change in changes(node)]
    return [(node, change) for _, _, node, change in sorted(found, key=lambda one: one[:2])]


def changes(node: ast.AST):
    """What may happen to one node: its rank, and the change itself."""
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
        yield 0, lambda one: setattr(one, "op", SWAPPED[type(one.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield 0, lambda one: setattr(one, "op", ast.UAdd())
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in OTHER:
        yield 0, lambda one: setattr(one, "id", OTHER[one.id])
    elif isinstance(node, ast.Attribute) and node.attr in OTHER:
        yield 0, lambda one: setattr(one, "attr", OTHER[one.attr])
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield 1, lambda one: setattr(one, "value", 2 * one.value or 1)
        yield 2, lambda one: setattr(one, "value", one.value / 2 if isinstance(one.value, float) else one.value + 1)
        yield 2, lambda one: setattr(one, "value", type(one.value)(one.value not in (1, 0)))


def mutants(function: ast.FunctionDef):
    """Each mutant of a function with the statement that it changes, as text: ``(mutated, was, is)``."""
    for k in range(len(places(function))):
        mutated = copy.deepcopy(function)
        node, change = places(mutated)[k]
        statement = innermost(mutated, node)
        was = ast.unparse(statement)
        change(node)
        if ast.unparse(statement) != was:
            yield mutated, was, ast.unparse(statement)


def innermost(function, node):
    """The smallest statement around a node."""
    statements = [each for each in ast.walk(function) if isinstance(each, ast.stmt)]
    around = [each for each in statements if any(one is node for one in ast.walk(each))]
    return min(around, key=lambda each: sum(1 for _ in ast.walk(each)))


def recorded(function: ast.FunctionDef, was: str, then: str) -> ast.FunctionDef | None:
    """The function with one statement replaced, or None if the statement is not there."""
    class Replace(ast.NodeTransformer):
        done = False

        def visit(self, node):
            if not self.done and isinstance(node, ast.stmt) and ast.unparse(node) == was:
                self.done = True
                return ast.copy_location(ast.parse(then).body[0], node)
            return self.generic_visit(node)
    replace = Replace()
    mutated = replace.visit(copy.deepcopy(function))
    return ast.fix_missing_locations(mutated) if replace.done else None


# --------------------------------------------------------------------------------------------------------- running them

class TooLong(Exception):
    """Of a mutant that does not end."""


def caught(test, where: str, mutated: ast.FunctionDef) -> str | None:
    """The other verdict that the test finds with this function mutated; None if it finds its own, or none."""
    home, name = where.rsplit(":", 1)
    own, names = vars(import_module(test.__module__)), vars(import_module(home))
    before = dict(own), dict(names)
    if measured := home == test.__module__ and name == test.__name__:
        mutated = copy.deepcopy(mutated)
        mutated.decorator_list = []
    measure = inspect.unwrap(test)
    signal.signal(signal.SIGALRM, too_long)
    try:
        signal.alarm(SECONDS)
        exec(compile(ast.fix_missing_locations(ast.Module([mutated], [])), home, "exec"), names)
        if not measured:
            forget(own)  # what is remembered was found without the change
            own.update({alias: names[name] for alias, each in before[0].items() if each is before[1][name]})
        found = (names[name] if measured else measure)()
        return None if found.verdict is test.claims[0].verdict else found.verdict.value
    except Exception:  # a program that is merely broken, or stops at an assertion, has found no verdict
        return None
    finally:
        signal.alarm(0)
        for there, was in zip((own, names), before):
            there.clear()
            there.update(was)
        if not measured:
            forget(own)


def too_long(*_):
    raise TooLong


def forget(names):
    for each in list(names.values()):
        if hasattr(each, "cache_clear"):
            each.cache_clear()


def functions(test) -> dict[str, ast.FunctionDef]:
    """By module and name: the test, the functions of its file that it calls, and those of privrl_core that they name."""
    own = import_module(test.__module__)
    there, found, core, left = defined(own), {}, {}, [test.__name__]
    while left:
        name = left.pop(0)
        found[f"{own.__name__}:{name}"] = there[name]
        called = {node.id for node in ast.walk(there[name]) if isinstance(node, ast.Name)}
        left += [one for one in there if one in called and f"{own.__name__}:{one}" not in found and one not in left]
        for other in sorted(called - set(there)):
            thing = inspect.unwrap(vars(own).get(other)) if callable(vars(own).get(other)) else None
            home = thing.__module__ if inspect.isfunction(thing) else ""
            if home.startswith("privrl_core.") and not home.startswith("privrl_core.pages"):
                core[f"{home}:{thing.__name__}"] = defined(import_module(home))[thing.__name__]
    return found | core


@cache
def defined(module) -> dict[str, ast.FunctionDef]:
    """The functions of a module by their names."""
    return {node.name: node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.FunctionDef)}


def holds(test, record: dict) -> bool:
    """Whether a recorded mutant is still there and still caught."""
    function = functions(test).get(record["in"])
    mutated = function and recorded(function, record["was"], record["is"])
    return bool(mutated and caught(test, record["in"], mutated))


def kind(record: dict) -> str:
    """Whether a mutant changes what is printed (``statement``), the package's ``code``, or the ``measurement``."""
    home, name = record["in"].rsplit(":", 1)
    target = re.match(r"([\w, ()]+) = ", record["was"])
    if STATED.search(name) and not name.startswith("test_") or target and all(map(STATED.search, target[1].split(","))):
        return "statement"
    return "code" if home.startswith("privrl_core.") and not home.startswith(WORLDS) else "measurement"


def search(test, most: int = 25, kinds=("statement", "code", "measurement"), patience: float = PATIENCE) -> dict | None:
    """The first mutant that is caught, of so many in each function at most: in the statement, the code, then elsewhere."""
    start = monotonic()
    every = [(mutated, {"in": where, "was": was, "is": then}) for where, function in functions(test).items()
             for mutated, was, then in mutants(function)]
    for wanted in kinds:
        tried = Counter()
        for mutated, record in every:
            if kind(record) == wanted and tried[record["in"]] < most:
                if monotonic() - start > patience:
                    return None
                tried[record["in"]] += 1
                if found := caught(test, record["in"], mutated):
                    return record | {"of": wanted, "found": found}
    return None


def score(record: dict) -> tuple[Counter, int]:
    """How many verdicts are turned by a mutant of each kind, and of how many verdicts."""
    return Counter(one["of"] for one in record.values() if "is" in one), len(record)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="tests whose name holds this")
    parser.add_argument("--statement", action="store_true", help="look in statement and code where none is recorded")
    parser.add_argument("--again", action="store_true", help="look for new mutants everywhere")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    every = verdicts()
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    for k, (name, test) in enumerate(every.items()):
        if options.only not in name:
            continue
        before = record.get(name, {})
        known = not options.again and "is" in before and holds(test, before)
        if known and not (options.statement and before["of"] == "measurement"):
            continue
        if known:
            found = search(test, kinds=("statement", "code"), patience=PATIENCE / 8) or before
        else:  # what survived may be caught since, but is not waited for as long
            found = search(test, patience=PATIENCE / 8 if "survives" in before and not options.again else PATIENCE)
        record[name] = found or {"survives": before.get("survives", "")}
        print(f"{k + 1:3}/{len(every)}  {name}: " + (f"{found['was']}  →  {found['is']}  ({found['found']})" if found else
                                                     "no mutant is caught"), flush=True)
        write(record, every)
    write(record, every)
    turned, of = score(record)
    print(f"{turned.total()} of {of} verdicts are turned by their mutants: "
          + ", ".join(f"{count} by one of the {each}" for each, count in turned.most_common()))


def write(record, every):
    """In the order of the tests, so that a change shows where it belongs."""
    ordered = {name: record[name] for name in every if name in record}
    RECORD.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
