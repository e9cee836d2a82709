"""The files in which ``rage score`` keeps sheets: links, modes, and others that write them."""

from __future__ import annotations

import io
import os
import shlex
from argparse import Namespace
from pathlib import Path

import pytest

from rage.cli import main
from rage.cli.score import _new
from rage.editions import ruleset
from rage.score.entering import new_sheet
from rage.score.file import read_sheet, write_sheet
from rage.score.sheet import Sheet
from rage.tui.kept_sheets import lock_sheet

FILE = "evening.rage-score.json"
NAMES = ["--names", "Ann,Ben,Cem"]


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("RAGE_LANG", "en")
    monkeypatch.chdir(tmp_path)


def keep(monkeypatch: pytest.MonkeyPatch, words: list[str], *lines: str) -> int:
    """Run ``rage score`` with lines to type."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["score", *words])


def sheet_of(path: Path) -> Sheet:
    return read_sheet(path.read_bytes())


def test_a_link_to_a_sheet_stays_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, link = tmp_path / "real" / FILE, tmp_path / FILE
    real.parent.mkdir()
    real.write_bytes(write_sheet(new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"])))
    link.symlink_to(Path("real") / FILE)
    assert keep(monkeypatch, [FILE], "3", "quit") == 0
    assert link.is_symlink()
    assert sheet_of(real).rounds[0].bids == (None, 3, None)
    assert os.listdir(real.parent) == [FILE]


def test_a_sheet_is_kept_once_whichever_link_leads_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real, link = tmp_path / FILE, tmp_path / "link.rage-score.json"
    assert keep(monkeypatch, [FILE, *NAMES], "quit") == 0
    link.symlink_to(real)
    with lock_sheet(real):
        assert keep(monkeypatch, [link.name], "3", "quit") == 1
    assert "is already being kept in another window" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_files_can_be_read_by_whoever_could_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new file by those whom the system's mask leaves."""
    sheet, table = tmp_path / FILE, tmp_path / "out.csv"

    def modes() -> list[str]:
        return [oct(path.stat().st_mode & 0o777) for path in (sheet, table)]

    before = os.umask(0o027)
    try:
        assert keep(monkeypatch, [FILE, *NAMES], "csv out.csv", "quit") == 0
        assert modes() == ["0o640", "0o640"]
        sheet.chmod(0o664)
        table.chmod(0o604)
        assert keep(monkeypatch, [FILE], "3", "csv out.csv", "quit") == 0
        assert modes() == ["0o664", "0o604"]
    finally:
        os.umask(before)


def test_a_sheet_begun_meanwhile_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever is asked for names takes their time."""
    other = write_sheet(new_sheet(ruleset("poof"), ["X", "Y", "Z"]))

    def slowly(arguments: Namespace) -> Sheet | None:
        Path(FILE).write_bytes(other)
        return _new(arguments)

    monkeypatch.setattr("rage.cli.score._new", slowly)
    assert keep(monkeypatch, [FILE], "A,B,C", "quit") == 1
    assert f"{FILE} has been begun in another window meanwhile" in capsys.readouterr().err
    assert Path(FILE).read_bytes() == other


def test_the_command_that_goes_on_with_a_sheet_can_be_copied(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert keep(monkeypatch, ["our evening.rage-score.json", *NAMES], "quit") == 0
    words = shlex.split(capsys.readouterr().out.partition("continue it: ")[2])
    assert words == ["rage", "score", "our evening.rage-score.json"]
