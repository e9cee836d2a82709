"""The files in which ``rage score`` keeps sheets: links, modes, and others that write them."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from cli.keeping import FILE, Keeper
from rage.cli import main
from rage.cli.files import read_game_file
from rage.cli.score import _new
from rage.notation import sample, write_game
from rage.rules.editions import ruleset
from rage.say import NotReadable
from rage.score.entering import new_sheet
from rage.score.file import read_sheet, write_sheet
from rage.score.sheet import Sheet
from rage.tui.kept_sheets import lock_sheet

NAMES = ("--names", "Ann,Ben,Cem")


@pytest.fixture(autouse=True)
def keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Keeper:
    return Keeper(tmp_path, monkeypatch, capsys)


def sheet_of(path: Path) -> Sheet:
    return read_sheet(path.read_bytes())


def test_a_link_to_a_sheet_stays_one(tmp_path: Path, keep: Keeper) -> None:
    real, link = tmp_path / "real" / FILE, tmp_path / FILE
    real.parent.mkdir()
    real.write_bytes(write_sheet(new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"])))
    link.symlink_to(Path("real") / FILE)
    keep("3", "quit")
    assert link.is_symlink()
    assert sheet_of(real).rounds[0].bids == (None, 3, None)
    assert os.listdir(real.parent) == [FILE]


def test_a_sheet_is_kept_once_whichever_link_leads_to_it(tmp_path: Path, keep: Keeper) -> None:
    real, link = tmp_path / FILE, tmp_path / "link.rage-score.json"
    keep.begin("quit")
    link.symlink_to(real)
    with lock_sheet(real):
        error = keep("3", "quit", words=(link.name,), status=1)
    assert "is already being kept in another window" in error


def test_every_form_of_sheet_is_read_or_said_to_be_another(
    tmp_path: Path, keep: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input, all sheets of the page, and games; and commands for games are told of it."""
    sheet = new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"])
    data = write_sheet(sheet)
    each = json.loads(data)
    for name, sheets in (("one", [each]), ("two", [each, each])):
        said = json.dumps({"format": "rage-scores", "version": 1, "sheets": sheets})
        Path(f"{name}.json").write_text(said)
    Path("a.json").write_bytes(data)
    (tmp_path / "game.txt").write_text(write_game(sample(), "text"))
    table = keep(words=("--show", "a.json"))
    assert keep(words=("--show", "one.json")) == table
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["score", "--show", "-"]) == 0
    assert "holds 2 score sheets" in keep(words=("--show", "two.json"), status=2)
    for words in (("--show", "game.txt"), ("game.txt",)):
        assert re.search(
            "is a game, not a score sheet: .*replay reads", keep(words=words, status=2)
        )
    for command in ("replay", "verify", "convert", "analyse"):
        for name in ("a.json", "two.json"):
            with pytest.raises(NotReadable, match=r"is a score sheet, not a game: .*sheet read it"):
                read_game_file(name)
            assert main([command, name]) == 2


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_files_can_be_read_by_those_who_could_read_them(tmp_path: Path, keep: Keeper) -> None:
    """A new file by those whom the system's mask leaves."""
    sheet, table = tmp_path / FILE, tmp_path / "out.csv"

    def modes() -> list[str]:
        return [oct(path.stat().st_mode & 0o777) for path in (sheet, table)]

    before = os.umask(0o027)
    try:
        keep.begin("csv out.csv", "quit")
        assert modes() == ["0o640", "0o640"]
        sheet.chmod(0o664)
        table.chmod(0o604)
        keep("3", "csv out.csv", "quit")
        assert modes() == ["0o664", "0o604"]
    finally:
        os.umask(before)


def test_a_sheet_begun_meanwhile_is_not_written_over(
    keep: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who is asked for names takes their time."""
    other = write_sheet(new_sheet(ruleset("poof"), ["X", "Y", "Z"]))

    def slowly(arguments: Namespace) -> Sheet | None:
        Path(FILE).write_bytes(other)
        return _new(arguments)

    monkeypatch.setattr("rage.cli.score._new", slowly)
    error = keep("A,B,C", "quit", status=1)
    assert f"{FILE} has been started in another window in the meantime" in error
    assert Path(FILE).read_bytes() == other


def test_a_sheet_is_read_as_people_paste_and_save_it(tmp_path: Path, keep: Keeper) -> None:
    """The link that it prints, also in a file of PowerShell, and its own file from there."""
    keep.begin("3", "quit")
    (fragment,) = keep(words=(FILE, "--link")).split()
    link, due = f"http://home:8000/sheet#{fragment}", sheet_of(tmp_path / FILE)
    mail = tmp_path / "mail.txt"
    mail.write_text(f"Our evening: <{link[:40]}\n{link[40:]}>.\n", encoding="utf-16")
    copied = tmp_path / "copy.rage-score.json"
    copied.write_text((tmp_path / FILE).read_text(), encoding="utf-16")
    for given in (link, fragment, str(mail), str(copied)):
        told = read_sheet(keep(words=(given, "--json")).encode())
        assert (told.players, told.rounds) == (due.players, due.rounds)
    said = keep("quit", words=(link,))  # goes on with it, in a file of its own
    (kept,) = (tmp_path / "data" / "sheets").iterdir()
    assert f"({kept}). To continue it: rage score\n" in said
    assert sheet_of(kept).rounds == due.rounds


def test_the_command_that_goes_on_with_a_sheet_can_be_copied(keep: Keeper) -> None:
    said = keep("quit", words=("our evening.rage-score.json", *NAMES))
    words = shlex.split(said.partition("continue it: ")[2])
    assert words == ["rage", "score", "our evening.rage-score.json"]
