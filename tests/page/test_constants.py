"""What the page has copied by hand of numbers and words that Python decides."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from page.conftest import ROOT
from rage.bots import OFFERED
from rage.notation.record import MAX_BYTES
from rage.place import messages
from rage.place.codes import ALPHABET, TABLE_LENGTH
from rage.place.limits import MAX_GAME, MAX_REMARK
from rage.rules.ruleset import MAX_OF_A_KIND, MAX_PLAYERS
from rage.say import LANGUAGES, text
from rage.score import link
from rage.score.checking import MAX_PEOPLE
from rage.score.file import ENDING
from rage.table.guests import MAX_CHAT
from rage.table.names import MAX_NAME
from rage.table.options import DEFAULT_OPTIONS, MAX_SECONDS
from rage.table.starting import MAX_WORD
from rage.tui.game_files import RECORD

WEB = ROOT / "web" / "src"


def source(path: str) -> str:
    return (WEB / path).read_text(encoding="utf-8")


def constant(path: str, name: str) -> Any:
    """A constant of a source, which is a number, a product or shift of numbers, or a text."""
    (written,) = re.findall(rf"\bconst {name} = ([^;]+);", source(path))
    return eval(written, {})


@pytest.mark.parametrize(
    ("path", "name", "value"),
    [
        ("shell/code.ts", "LETTERS", ALPHABET),
        ("shell/code.ts", "LENGTH", TABLE_LENGTH),
        ("start/NameField.svelte", "LONGEST", MAX_NAME),
        ("after/load.ts", "MAX_GIVEN", MAX_GAME),
        ("after/remarks.ts", "MAX_REMARK", MAX_REMARK),
        ("judge/Judge.svelte", "MOST", MAX_PLAYERS),
        ("offline/sheet.ts", "MAX_PEOPLE", MAX_PEOPLE),
        ("offline/sheet_file.ts", "MAX_FILE", MAX_BYTES),
        ("offline/sheet_file.ts", "ENDING", ENDING),
        ("offline/sheet_link.ts", "MAX_FRAGMENT", link._MAX_FRAGMENT),
        ("offline/sheet_link.ts", "HANDS", link._HANDS),
        ("offline/sheet_link.ts", "ROUND_COUNTS", link._ROUND_COUNTS),
        ("offline/sheet_link.ts", "SEAT_COUNTS", link._SEAT_COUNTS),
        ("offline/record.ts", "RECORD_ENDING", RECORD),
    ],
)
def test_a_constant_is_that_of_python(path: str, name: str, value: object) -> None:
    assert constant(path, name) == value


@pytest.mark.parametrize(
    ("path", "attribute", "values"),
    [
        ("together/Chat.svelte", "maxlength", [2 * MAX_CHAT]),
        ("table/VisitorView.svelte", "maxlength", [2 * MAX_NAME]),
        ("start/ClockChoice.svelte", "max", [MAX_SECONDS]),
        ("together/Options.svelte", "max", [MAX_SECONDS]),
        ("start/SettingFields.svelte", "max", [MAX_OF_A_KIND]),
        ("start/SettingFields.svelte", "min", [0]),
    ],
)
def test_a_field_takes_what_python_takes(path: str, attribute: str, values: list[int]) -> None:
    """The browser counts letters before they are composed, and most emoji as two."""
    assert [*map(int, re.findall(rf'\b{attribute}="(-?\d+)"', source(path)))] == values


def test_every_bot_that_people_are_offered_has_a_face_and_a_character() -> None:
    assert tuple(re.findall(r"(?m)^  (\w+): {", source("cards/faces.ts"))) == OFFERED
    characters = re.findall(r"'bot\.(\w+)\.about'", source("table/explaining.ts"))
    assert tuple(characters) == OFFERED
    for language in LANGUAGES:
        assert len({text(f"bot.{bot}.about", language) for bot in OFFERED}) == len(OFFERED)


def test_a_word_that_was_typed_fits_with_what_the_browser_adds() -> None:
    (most,) = re.findall(r'maxlength="(\d+)"', source("table/ShuffleWord.svelte"))
    assert int(most) + 1 + 2 * constant("fair/shuffle.ts", "RANDOM_BYTES") <= MAX_WORD


def test_the_reasons_to_close_a_connection_are_those_of_the_server() -> None:
    (block,) = re.findall(r"const CLOSE = \{([^}]+)\}", source("game/socket.ts"))
    (elsewhere,) = re.findall(r"ELSEWHERE = (\d+);", source("alone/home.ts"))
    written = block.replace("ELSEWHERE", elsewhere)
    assert {name: int(code) for name, code in re.findall(r"(\w+): (\d+)", written)} == {
        "elsewhere": messages.ELSEWHERE,
        "foreign": messages.FOREIGN,
        "none": messages.NO_TABLE,
        "removed": messages.REMOVED,
        "broken": messages.BROKEN,
    }


def test_a_table_of_the_page_has_the_usual_options_but_for_the_pause() -> None:
    (block,) = re.findall(r"function usualOptions.*?return (\{.*?\});", source("start/opening.ts"),
                          re.DOTALL)  # fmt: skip
    written = re.sub(
        r"(\w+):", r'"\1":', block.replace("'", '"').replace("__ALONE__ ? null : PAUSE", "0")
    )
    chosen = json.loads(re.sub(r",(\s*\})", r"\1", written))
    assert {**chosen, "between": 0} == {**msgspec.to_builtins(DEFAULT_OPTIONS), "between": 0}
