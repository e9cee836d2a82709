"""``python -m tools.generated.languages`` prints docs/languages.md with the table of languages.

With ``check``, it prints what is wrong with the catalogues, a sentence each.

With ``arb``, it prints the English sentences with notes for translators, as an Application Resource
Bundle: JSON with the key, and beside it ``@key`` with what is known of the sentence. Translation
servers read that; a translation is the same without the notes, which is a catalogue.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, Final

from rage import say
from rage.rules.settings import PRINTED
from rage.say import LANGUAGES, NO_BREAK, catalogue
from tools.node import run_node

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "languages.md"
LOCALE: Final = ROOT / "src" / "rage" / "locale"
#: Notes by the beginning of a key, and the pictures of each key (``python -m docs.pictures``).
NOTES: Final = Path(__file__).with_name("notes.json")
PICTURES: Final = ROOT / "tests" / "page" / "pictures" / "sentences.json"
#: The beginnings of what is told there by the server, or by the folder that plays without one.
TOLD: Final = ("alone", "box", "cannot", "http", "preset", "rules", "variant")
_PARTS: Final = """
const [{ partOf }, { readFileSync }] = await Promise.all([import(%r), import('node:fs')]);
const keys = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(keys.map((key) => partOf(key, 'table'))));
"""


@cache
def core() -> frozenset[str]:
    """The sentences that a language needs to be offered: what the page of tables says until a game
    is over (the parts ``first`` and ``late`` in ``web/catalogues.ts``), and those of
    :data:`TOLD`."""
    keys = [*catalogue("en")]
    script = _PARTS % (ROOT / "web" / "catalogues.ts").as_uri()
    said = run_node("--input-type=module", "--eval", script, given=json.dumps(keys))
    parts = zip(keys, json.loads(said), strict=True)
    return frozenset(
        key for key, part in parts if part in ("first", "late") or key.partition(".")[0] in TOLD
    )


@cache
def own(language: str) -> dict[str, str]:
    """The sentences that a language has itself."""
    read: dict[str, str] = json.loads((LOCALE / f"{language}.json").read_text(encoding="utf-8"))
    return {code: words for code, words in read.items() if words}


def missing(language: str) -> frozenset[str]:
    """The sentences of the core that a language lacks."""
    return core() - own(language).keys()


_PLACE: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_KINDS: Final = frozenset(("", *re.findall(r"^``\{x:(\w+)", say.__doc__ or "", re.MULTILINE)))
#: What the keys about a language itself hold, as regular expressions.
_HOLDS: Final = {
    "language.direction": "ltr|rtl",
    "language.plural": "((zero|one|two|few|many) )*other",
    "edition.usual": "|".join(PRINTED),
    **{f"letter.{letter}": "[^\\W\\d_]{1,2}" for letter in "ROYGBP"},
}


def faults(path: Path) -> Iterator[str]:
    """What is wrong with a catalogue, a sentence each."""
    if not re.fullmatch("[a-z]{2,3}", path.stem):
        yield "It is not named after the code of a language, such as pl.json."
    data, pairs = path.read_bytes(), list[tuple[str, Any]]()
    try:
        text = data.decode("utf-8")
        if text.startswith("\ufeff"):
            yield "It begins with a byte order mark: save it as UTF-8 without one."
        json.loads(text.removeprefix("\ufeff"), object_pairs_hook=pairs.extend)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        yield f"It is not UTF-8, as line {line} shows: save it as UTF-8."
    except json.JSONDecodeError as error:
        yield f"It is not JSON: line {error.lineno}, column {error.colno}: {error.msg}."
    else:
        if not pairs:
            yield "It has no sentences."
    english = catalogue("en")
    said = {key: words for key, words in pairs if words}
    forms = len(str(said.get("language.plural", english["language.plural"])).split())
    yield from (
        f"{key} is there twice." for key, n in Counter(k for k, _ in pairs).items() if n > 1
    )
    for key, words in said.items():
        plain = key if key in english else key.rpartition(":")[0]  # of a form, such as a case
        if plain not in english:
            yield f"{key} is no key of en.json."
        elif not isinstance(words, str):
            yield f"{key} is no text."
        else:
            yield from (f"{key}: {why}." for why in _wrong(key, words, english[plain], forms))


def _wrong(key: str, words: str, english: str, forms: int) -> Iterator[str]:
    """What is wrong with a sentence."""
    if not re.fullmatch(_HOLDS.get(key, "(?s).*"), words):
        yield f"it cannot be {words!r}"
    elif key == "language.rule":
        try:
            if max(map(c2py(words), range(1001))) >= forms:
                yield "it counts further than language.plural has categories"
        except ValueError as error:
            yield str(error)
    elif key.endswith(".before"):
        try:
            re.compile(words)
        except re.error as error:
            yield f"it is no regular expression: {error}"
        return
    due, there = _places(english), _places(words)
    yield from (f"{{{each}}} is missing" for each in sorted(due - there))
    yield from (f"{{{each}}} is not in the English text" for each in sorted(there - due))
    for place, kind in _PLACE.findall(words):
        head, _, _ = kind.partition("|")
        if head.partition(":")[0] not in _KINDS:
            yield f"{{{place}:{kind}}} is of no kind"
        if head == "plural" and kind.count("|") != forms:
            yield f"{{{place}:{kind}}} needs a form for each category of language.plural: {forms}"
        if head == "you" and kind.count("|") not in (1, 2, 4):
            yield f"{{{place}:{kind}}} needs one form, two or four"
    if re.search("[{}]", _PLACE.sub("", words)):
        yield "a brace belongs to no placeholder"
    if not words.translate(dict.fromkeys(map(ord, NO_BREAK), " ")).isprintable():
        yield "there is a character that does not print"
    if words != words.lstrip():
        yield "it begins with a space"
    for end, name in ((" ", "a space"), (".", "a full stop")):
        if words.endswith(end) != english.endswith(end):
            yield f"it {'must end' if english.endswith(end) else 'must not end'} with {name}"


def _places(words: str) -> set[str]:
    """The placeholders of a sentence, by name and kind; a plural is a way of saying a number, a
    person of saying a name, and each language has its own forms of words that belong to a player.
    """
    found = set()
    for name, kind in _PLACE.findall(words):
        head = re.split("[|:]", kind)[0]
        if head != "you":
            found.add(name if head in ("", "plural", "person") else f"{name}:{head}")
    return found


def _rows() -> Iterator[str]:
    every = len(catalogue("en"))
    for language in LANGUAGES:
        said, has = catalogue(language), own(language).keys() & catalogue("en").keys()
        letters = " ".join(said[f"letter.{letter}"] for letter in "ROYGBP")
        usual = said[f"edition.short.{said['edition.usual']}"]
        parts = [
            said["language.name"], f"`{language}`", usual, letters, said["language.plural"],
            f"{100 * len(core() & has) // len(core())} %", f"{100 * len(has) // every} %",
        ]  # fmt: skip
        yield f"| {' | '.join(parts)} |\n"


def page() -> str:
    """The page, with its table generated from the catalogues."""
    return re.sub(
        r"(?<=\| --- \| --- \| --- \| --- \| --- \| --- \| --- \|\n)(?:\|.*\n)+",
        "".join(_rows()),
        PAGE.read_text(encoding="utf-8"),
    )


def note(key: str, notes: Mapping[str, str], pictures: Mapping[str, list[str]]) -> str:
    """What a translator should know of a sentence: the notes on the beginnings of its key, from
    the shortest, and pictures that show it."""
    parts = key.split(".")
    begins = (".".join(parts[: n + 1]) for n in range(len(parts)))
    said = [notes[begin] for begin in begins if begin in notes]
    seen = [f"tests/page/pictures/{name}.webp" for name in pictures.get(key, [])]
    return " ".join([*said, *([f"Pictures: {', '.join(seen)}."] if seen else [])])


def arb() -> dict[str, object]:
    """The English sentences as an Application Resource Bundle with notes."""
    notes, pictures = (json.loads(path.read_text("utf-8")) for path in (NOTES, PICTURES))
    bundle: dict[str, object] = {"@@locale": "en"}
    for key, words in catalogue("en").items():
        names: dict[str, object] = {name: {} for name in re.findall(r"\{(\w+)", words)}
        about = {"description": note(key, notes, pictures), "placeholders": names}
        bundle |= {key: words, f"@{key}": {name: what for name, what in about.items() if what}}
    return bundle


def check() -> int:
    """Print what is wrong with the catalogues. Returns the exit status."""
    said = [
        f"{path.name}: {each}" for path in sorted(LOCALE.glob("*.json")) for each in faults(path)
    ]
    print(*said, sep="\n", end="\n" if said else "")
    return int(bool(said))


if __name__ == "__main__":
    if "check" in sys.argv:
        sys.exit(check())
    wanted = json.dumps(arb(), ensure_ascii=False, indent=2) if "arb" in sys.argv else page()
    sys.stdout.write(wanted)
