"""``rage score``: sheets that it reads, prints, and hands to the page (``tests/page/test_score.py``
has the page)."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings

from rage import Game
from rage.cli import main
from rage.cli.arguments import read_game_file
from rage.notation import example_record, write_game
from rage.rules.editions import ruleset
from rage.say import NotReadable, signed
from rage.score.file import read_sheet, write_sheet
from rage.score.link import read_link
from rage.score.sheet import Sheet
from rage.score.standing import scores
from refusals import refused
from score.entering import begin_round, enter, new_sheet
from score.sheets import sheets

FILE = "evening.rage-score.json"
Say = Callable[..., str]


@pytest.fixture(autouse=True)
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """What ``rage score`` says to some words in an empty folder; of a refusal, the error."""
    monkeypatch.chdir(tmp_path)

    def say(*words: str, status: int = 0) -> str:
        assert main(["score", *words]) == status
        said, error = capsys.readouterr()
        return error if status else said

    return say


def write(sheet: Sheet, name: str = FILE) -> None:
    Path(name).write_bytes(write_sheet(sheet))


def begun(rules: str = "amigo") -> Sheet:
    """A round with all bids."""
    sheet = begin_round(new_sheet(ruleset(rules), ["Ann", "Ben", "Cem"]))
    return enter(sheet, bids=[2, 3, 4])


def over(rules: str = "amigo") -> Sheet:
    """A sheet with a round that is over."""
    return enter(begun(rules), won=[2, 3, 5], bonus=[0, 1, 0])


def test_a_sheet_is_printed_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte by byte: a spreadsheet wants a mark at the beginning."""
    write(over())
    fragment = ""
    for option, starts in (("--link", b"1."), ("--csv", b"\xef\xbb\xbfRunde;"), ("--json", b"{\n"),
                           ("--show", b"Runde")):  # fmt: skip
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        monkeypatch.setattr(sys, "stdout", output)
        assert main(["score", FILE, option, "--lang", "de"]) == 0
        output.seek(0)
        printed = output.buffer.read()
        assert printed.startswith(starts)
        fragment = fragment or printed.decode().strip()
    assert read_link(fragment) == over()


def test_a_table_says_how_things_stand(say: Say) -> None:
    write(over())
    said = say(FILE, "--show")
    assert "*2/2 +12   12   3/3 (+5) +18   18   5/4  +0    0" in said
    assert "Ben leads with 18 points." in said
    assert "Most bids met: Ann and Ben (1)." in said
    write(over()._replace(stopped=True))
    assert "Ben wins the game with 18 points." in say(FILE, "--show")


@pytest.mark.parametrize("variant", ["hidden-bids", "secret-bids"])
def test_no_hidden_bid_is_printed(say: Say, variant: str) -> None:
    """Hidden ones are shown once all have bid, secret ones with the tricks."""
    write(enter(begin_round(begun(f"amigo+{variant}")._replace(rounds=())), bids=[None, 3, 4]))
    assert "/3" not in say(FILE, "--show")
    assert set(read_link(say(FILE, "--link")).rounds[0].bids) == {None}
    write(begun(f"amigo+{variant}"))
    assert ("?/3" in say(FILE, "--show")) == (variant == "hidden-bids")


def test_any_sheet_is_shown(say: Say) -> None:
    shown = 0

    @settings(max_examples=25)
    @given(sheets())
    def each(sheet: Sheet) -> None:
        nonlocal shown
        write(sheet)
        said = say(FILE, "--show")
        assert all(signed(total) in said for total in scores(sheet) if sheet.finished)
        shown += len(sheet.finished)

    each()
    assert shown


def test_a_name_reorders_no_line(say: Say) -> None:
    write(over()._replace(players=("A\u202enn", "Ben", "Cem")))
    shown = say(FILE, "--show")
    assert "A\\u202enn" in shown
    assert "\u202e" not in shown


def test_every_form_of_sheet_is_read_or_said_to_be_another(
    tmp_path: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input, all sheets of the page, and games; and commands for games are told of it."""
    data = write_sheet(over())
    each = json.loads(data)
    for name, several in (("one", [each]), ("two", [each, each])):
        said = json.dumps({"format": "rage-scores", "version": 1, "sheets": several})
        Path(f"{name}.json").write_text(said)
    Path("a.json").write_bytes(data)
    (tmp_path / "game.txt").write_text(write_game(example_record(), "text"))
    table = say("--show", "a.json")
    assert say("--show", "one.json") == table
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert say("--show", "-") == table
    assert "holds 2 score sheets" in say("--show", "two.json", status=2)
    for words in (("--show", "game.txt"), ("game.txt",)):
        assert re.search("is a game, not a score sheet: .*replay reads", say(*words, status=2))
    for command in ("replay", "verify", "convert", "analyse"):
        for name in ("a.json", "two.json"):
            with pytest.raises(NotReadable, match=r"is a score sheet, not a game: .*sheet read it"):
                read_game_file(name)
            assert main([command, name]) == 2


def test_a_sheet_is_read_as_people_paste_and_save_it(tmp_path: Path, say: Say) -> None:
    """The link that it prints, also in a file of PowerShell, and its own file from there."""
    write(over())
    (fragment,) = say(FILE, "--link").split()
    link = f"http://home:8000/sheet#{fragment}"
    mail = tmp_path / "mail.txt"
    mail.write_text(f"Our evening: <{link[:40]}\n{link[40:]}>.\n", encoding="utf-16")
    copied = tmp_path / "copy.rage-score.json"
    copied.write_text((tmp_path / FILE).read_text(), encoding="utf-16")
    for given_ in (link, fragment, str(mail), str(copied)):
        assert read_sheet(say(given_, "--json").encode()).rounds == over().rounds


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_rules_it_is_the_edition_of_the_language_and_then_of_the_last_game(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
) -> None:
    """For judge and printed sheet alike."""
    monkeypatch.setenv("RAGE_DATA", str(tmp_path))
    edition = {"en": "Poof", "de": "AMIGO"}[language]

    def made() -> str:
        assert main(["sheet", "--out", "-", "--lang", language]) == 0
        return "Poof" if "Poof" in capsys.readouterr().out else "AMIGO"

    assert made() == edition
    (tmp_path / "games").mkdir()
    other = {"Poof": "amigo", "AMIGO": "poof"}[edition]
    game = Game(other, ["Ann", "Ben", "Cem"], seed=1)
    (tmp_path / "games" / "last.rage.json").write_text(write_game(game), "utf-8")
    assert made().lower() == other


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--names", "Ann,Ann"), 2, "Two players would be called Ann"),
        (("--names", "Ann,,Ben"), 2, "at least one character"),
        (("--rules", "uno"), 2, "uno"),
        (("--rules", "amigo", "--names", "Ann,Ben"), 1, "3 to 10 players, not 2"),
        (("--names", "Ann,Ben", "--dealer", "Cem"), 2, "one of --names, not Cem"),
        (("--dealer", "Cem"), 2, "one of --names, not Cem"),
        (("--show",), 1, "--show prints a sheet: name its file or link"),
        (("nowhere.rage-score.json", "--link"), 2, "nowhere.rage-score.json"),
        (("nowhere.rage-score.json",), 2, "nowhere.rage-score.json"),
        (("taken.rage-score.json", "--rules", "poof"), 1, "The file already sets --rules"),
        (("taken.rage-score.json",), 2, "not valid JSON"),
        (("large.rage-score.json",), 1, "too large to hand to a browser"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_before_anything_opens(
    words: tuple[str, ...], status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("taken.rage-score.json").write_text("no sheet", "utf-8")
    noise = bytes(range(32, 127)).decode() * 3 + "".join(map(chr, range(0x4E00, 0x9FFF))) * 3
    write(over()._replace(extra={"comment": noise}), "large.rage-score.json")
    with patch("rage.cli.commands.serve.serve_until_ended", side_effect=AssertionError):
        assert says in refused(capsys, "score", *words, status=status)
