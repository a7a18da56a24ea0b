"""Every word that a reader of the pages meets is English, in its British spelling, or stands in words.txt.

Looked at is what the pages show: prose, what cells say, captions and texts for those who do not see a picture, and the
docstrings, by way of the reference. Code, formulas and the names in the bibliography are left out.
"""

import re
from functools import cache
from html import unescape
from pathlib import Path
from unicodedata import combining, normalize

import pytest
from spellchecker import SpellChecker

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "quick" / "html"
PAGES = sorted(path for folder in ("book", "chapters") for path in (SITE / folder).rglob("*.html") if path.name != "references.html")
OWN = Path(__file__).with_name("words.txt")
WORD = re.compile(r"(?<![\w.@/#&'’])[^\W_]+(?:['’][^\W_]+)*(?![\w@/]|\.\w)")
PLAIN = re.compile(r"[A-Za-zÀ-öø-ÿ][a-zà-öø-ÿ'’]{2,}")  # no symbol such as nε, K₁, and no name such as ICU or FiniteMDP
AMERICAN = re.compile(
    r"(?:behavi|col|fav|flav|harb|hon|lab|neighb|rum|vap|vig)or(?!at|ou|ig)\w*|(?:cent|fib|lit|theat)er\w*|(?:catal|dial)ogs?|(?:anal|paral)yz\w+"
    r"|\w{2,}(?<!\bs)(?<!pr)(?<!caps)(?<!se)iz(?:e[ds]?|ing|ations?|ers?)|(?:cancel|label|model|signal|travel)(?:ed|ing|er)"
    r"|(?:defen|licen|offen)se|fulfill|gray|skillful|toward")


def unaccented(word: str) -> str:
    return "".join(letter for letter in normalize("NFKD", word) if not combining(letter))


@cache
def accepted() -> set[str]:
    """Our own words, and those of the bibliography."""
    bibliography = re.sub(r"[{}\\'`]", "", (ROOT / "book" / "references.bib").read_text("utf-8"))
    own = [line for line in OWN.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {unaccented(word.lower()) for word in [*re.findall(r"[^\W\d_]+", bibliography), *own]}


@cache
def english() -> frozenset[str]:
    return frozenset(SpellChecker().word_frequency.keys())


def right(word: str) -> bool:
    """The list of English words is American: what is British about a word is undone before it is looked up."""
    if word in accepted():
        return True
    undone = re.sub(r"is(e[ds]?|ing|ations?|ers?)$", r"iz\1", word.replace("our", "or").replace("yse", "yze"))
    return not AMERICAN.fullmatch(word) and (word in english() or undone in english())


def prose(html: str) -> str:
    """What an article says, and what it says of its pictures."""
    article = re.search(r"<article\b.*?</article>", html, re.S)[0]
    article = re.sub(r"<(script|style|pre|code|svg|kbd|cite)\b.*?</\1>", " · ", article, flags=re.S)
    article = re.sub(r"<(span|div) class=\"(?:math|sig|pre)[^\"]*\".*?</\1>", " · ", article, flags=re.S)
    article = re.sub(r"<dt class=\"sig.*?</dt>", " · ", article, flags=re.S)
    told = re.findall(r"\s(?:alt|aria-label|title)=\"([^\"]*)\"", article)
    return unescape(" · ".join([re.sub(r"<[^>]*>", " ", article), *told]))


def plain(markdown: str) -> str:
    """A file that has no page: the Markdown without its code and addresses."""
    return re.sub(r"^```.*?^```|`[^`]*`|\]\([^)]*\)", " ", markdown, flags=re.M | re.S)


def complaints(text: str) -> dict[str, str]:
    """Words that are spelt wrongly, or as in America, each with the words around it."""
    found = {}
    for match in WORD.finditer(text):
        word = re.sub(r"['’]s$|['’]$", "", match[0])
        if PLAIN.fullmatch(word) and not right(unaccented(word.lower().replace("’", "'"))):
            found[word] = " ".join(text[max(0, match.start() - 40):match.end() + 40].split())
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(SITE)))
def test_the_words_of_a_page_are_spelt_right(page):
    assert complaints(prose(page.read_text("utf-8"))) == {}, f"mend them in the page, or add what is right to {OWN.name}"


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md"])
def test_the_words_of_a_file_are_spelt_right(name):
    assert complaints(plain((ROOT / name).read_text("utf-8"))) == {}, f"mend them, or add what is right to {OWN.name}"


def test_what_is_misspelt_is_seen():
    text = "A neighbor recieves the color of thier center, optimized; teh behaviour is labelled, modeled-like and analyzed."
    assert list(complaints(text)) == ["neighbor", "recieves", "color", "thier", "center", "optimized", "teh", "modeled", "analyzed"]


def test_the_words_of_our_own_are_in_order_and_each_is_needed():
    own = [line for line in OWN.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert own == sorted(set(own), key=str.lower)
    assert [word for word in own if word.lower() in english() and not AMERICAN.fullmatch(word.lower())] == []
