"""``python -m tools.generated.languages`` prints docs/languages.md with the table of languages."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from rage.say import LANGUAGES, catalogue
from tools.node import run_node

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "languages.md"
_PARTS: Final = """
const [{ partOf }, { readFileSync }] = await Promise.all([import(%r), import('node:fs')]);
const keys = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(keys.map((key) => partOf(key, 'table'))));
"""


@cache
def core() -> frozenset[str]:
    """The sentences that a language needs to be offered: what the page of tables says until a game
    is over (the parts ``first`` and ``late`` in ``web/catalogues.ts``), and the rules."""
    keys = [*catalogue("en")]
    script = _PARTS % (ROOT / "web" / "catalogues.ts").as_uri()
    said = run_node("--input-type=module", "--eval", script, given=json.dumps(keys))
    parts = zip(keys, json.loads(said), strict=True)
    return frozenset(k for k, part in parts if part in ("first", "late") or k[:6] == "rules.")


@cache
def own(language: str) -> dict[str, str]:
    """The sentences that a language has itself."""
    path = ROOT / "src" / "rage" / "locale" / f"{language}.json"
    read: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return {code: words for code, words in read.items() if words}


def missing(language: str) -> set[str]:
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


if __name__ == "__main__":
    sys.stdout.write(page())
