"""``python -m tools.generated.languages`` prints docs/languages.md with the table of languages.

With ``arb``, it prints the English sentences with notes for translators, as an Application Resource
Bundle: JSON with the key, and beside it ``@key`` with what is known of the sentence. Translation
servers read that; a translation is the same without the notes, which is a catalogue.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rage.say import LANGUAGES, catalogue
from tools.node import run_node

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "languages.md"
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
    path = ROOT / "src" / "rage" / "locale" / f"{language}.json"
    read: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {code: words for code, words in read.items() if words}


def missing(language: str) -> frozenset[str]:
    """The sentences of the core that a language lacks."""
    return core() - own(language).keys()


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


if __name__ == "__main__":
    wanted = json.dumps(arb(), ensure_ascii=False, indent=2) if "arb" in sys.argv else page()
    sys.stdout.write(wanted)
