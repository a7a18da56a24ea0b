"""An answer that can be checked, and not read: for hand-outs, whose readers also have this file."""

import json
import secrets
from dataclasses import dataclass
from hashlib import scrypt, shake_256
from itertools import product
from math import floor, isfinite, log

from privrl_core.pages.exercises import CloseTo, Mistake, as_numbers

COST = 2**17  # of scrypt for the right answer: 0.4 s and 128 MiB on the machine of the book; a mistake takes a quarter of it
BLUR = 1.25    # a cell is so much wider than the range of right answers, which is at a random place in it


def _key(answer: str, salt: str, cost: int) -> bytes:
    return scrypt(answer.encode(), salt=bytes.fromhex(salt), n=cost, r=8, p=1, maxmem=2**12 * cost, dklen=32)


def _hidden(text: bytes, key: bytes) -> bytes:
    """The text enciphered, or deciphered."""
    return bytes(a ^ b for a, b in zip(text, shake_256(key).digest(len(text))))


def _cells(numbers: tuple[float | None, ...], starts: list[float], width: float, absolute: bool) -> str:
    """In which cells of the grid the numbers are; ``None`` stands for any number."""
    found = []
    for number, start in zip(numbers, starts):
        if number is None:
            found.append("any")
        elif absolute:
            found.append(str(floor((number - start) / width)))
        else:
            cell = "" if number == 0 else floor((log(abs(number)) - start) / width)
            found.append(f"{(number > 0) - (number < 0)}:{cell}")
    return " ".join(found)


def sealed(record: CloseTo, cost: int = COST) -> str:
    """The record as JSON from which `Sealed` can tell right answers and mistakes, and nobody can read them.

    Numbers are told apart by the cells of a grid that is laid so that all right answers are in one: in the logarithm, or for
    an absolute tolerance in the number itself. Of this cell a salted digest by scrypt is kept, which takes long on purpose.
    The cell is wider than the tolerance by a quarter and lies at random, since a grid that ended where the tolerance ends
    would tell which round number is the answer. So an answer up to half a tolerance further off may pass on one side. The
    explanation of a mistake is enciphered with keys made from the cells that the tolerance around the mistake touches.

    It protects against reading, and makes guessing slow. A program that takes one number from each cell needs forty seconds
    on one processor for a positive number of known order of magnitude at a tolerance of one per cent, and six minutes
    between 0.001 and a million. Two numbers take an hour or more. It does not protect an answer that is known to be a small
    whole number, a list of zeros and ones of which mistakes name single places, nor an answer that is passed on.
    """
    absolute, expected = record.absolute is not None, record.expected if record.count else (record.expected,)
    spread = record.absolute if absolute else record.relative
    first = [number - spread if absolute else log(abs(number) * (1 - spread)) if number else 0.0 for number in expected]
    exact = 2 * spread if absolute else log((1 + spread) / (1 - spread))
    width, salt, draw = BLUR * exact, secrets.token_hex(16), secrets.SystemRandom()
    starts = [(start - draw.uniform(0.01, 0.99) * (BLUR - 1) * exact) % width for start in first]

    def cells(numbers):
        return _cells(numbers, starts, width, absolute)

    texts = list(dict.fromkeys(said for _, said in record.mistakes))
    inner, kept = [secrets.token_bytes(16) for _ in texts], {}
    for wrong, said in record.mistakes:
        around = [[None] if number is None else [number - spread, number + spread] if absolute else
                  [number * (1 - spread), number * (1 + spread)] for number in (wrong if record.count else (wrong,))]
        for numbers in product(*around):
            kept.setdefault(cells(numbers), texts.index(said))
    right, mistakes = cells(expected), []
    kept.pop(right, None)
    for code, k in kept.items():
        key = _key(code, salt, cost // 4)
        which = [at for at, cell in enumerate(code.split()) if cell != "any"]
        mistakes.append([which, key[:16].hex(), _hidden(bytes([k]) + inner[k], key[16:]).hex()])
    return json.dumps({"salt": salt, "cost": cost, "count": record.count, "starts": starts, "width": width,
                       "absolute": absolute, "right": _key(right, salt, cost)[:16].hex(), "mistakes": mistakes,
                       "texts": [_hidden(said.encode(), key).hex() for said, key in zip(texts, inner)]})


@dataclass(frozen=True)
class Sealed:
    """What `sealed` has written, as a function of the answer: it says the same as the record, and takes longer."""

    text: str

    def __call__(self, answer) -> bool:
        kept = json.loads(self.text)
        numbers = as_numbers(answer, kept["count"])

        def key(which, cost):
            asked = tuple(number if k in which else None for k, number in enumerate(numbers))
            code = _cells(asked, kept["starts"], kept["width"], kept["absolute"])
            return _key(code, kept["salt"], cost)

        if not all(map(isfinite, numbers)):
            return False
        if key(range(len(numbers)), kept["cost"])[:16].hex() == kept["right"]:
            return True
        keys = {}
        for which, wanted, hidden in kept["mistakes"]:
            if tuple(which) not in keys:
                keys[tuple(which)] = key(which, kept["cost"] // 4)
            tag, key_of_text = keys[tuple(which)][:16], keys[tuple(which)][16:]
            if tag.hex() == wanted:
                k, *inner = _hidden(bytes.fromhex(hidden), key_of_text)
                raise Mistake(_hidden(bytes.fromhex(kept["texts"][k]), bytes(inner)).decode())
        return False
