"""``rage sheet``: the score sheet that a browser prints."""

from __future__ import annotations

import contextlib
import re
import resource
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from rage import ruleset
from rage.cli import main
from rage.say import LANGUAGES, text
from rage.score.file import write_sheet
from refusals import refused
from score.entering import add_player, begin_round, enter, new_sheet

LONG = "Annegret Müller-Lüdenscheidt,Benedikt-Maximilian,Çelik,Donaudampfschifffahrtsgesellsch"


def made(folder: Path, *words: str) -> str:
    """The page that a command writes."""
    path = folder / "sheet.html"
    assert main(["sheet", *words, "--out", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def words_of(page: str) -> str:
    """The words of a page, in one line."""
    shown = re.sub(r"<(title|style).*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"[ \n]+", " ", unescape(re.sub("<[^>]*>", " ", shown))).strip()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 5, 10])
def test_a_blank_sheet(language: str, players: int, tmp_path: Path) -> None:
    page = made(
        tmp_path, "--players", str(players), "--lang", language, "--rules", "poof+sweep"
    )  # fmt: skip
    words = words_of(page)
    assert text("score.printed.title", language) in words
    assert text("rules.score.sweep", language) in words
    long = [text(f"score.csv.{name}", language) for name in ("bid", "tricks", "points", "total")]
    short = [text(f"tui.sheet.{name}", language) for name in ("bid", "won", "points", "total")]
    assert " ".join((short if players > 5 else long) * players) in words
    for number in range(1, 11):
        assert f"{number} {text('sheet.hand', language, n=11 - number)}" in words
    assert ("size: 297mm 210mm" if players > 4 else "size: 210mm 297mm") in page
    assert page.count('class="side dealer"') == 10
    assert "<script" not in page
    assert "http" not in page


def test_names_the_scoring_of_the_rules_and_letter_paper(tmp_path: Path) -> None:
    page = made(tmp_path, "--rules", "amigo+plus-minus-one", "--names", LONG, "--paper", "letter")
    words = words_of(page)
    assert " ".join(LONG.split(",")) in words
    assert "Rage (AMIGO 00990) + Plus/minus one" in words
    assert "may not add up to the number of tricks" in words
    assert "Bid missed, by too many or too few: −5." in words
    assert "size: 216mm 279mm" in page


def test_teams_share_points(tmp_path: Path) -> None:
    names = ["--names", "Ann,Ben,Cem,Dora"]
    words = words_of(made(tmp_path, "--rules", "poof+two-teams", *names))
    assert "Team I Team II Ann Cem Ben Dora bid tricks bid tricks points total" in words
    words = words_of(made(tmp_path, "--rules", "poof+three-teams"))
    assert "Team I Team II Team III" in words


def test_a_sheet_is_filled_in_from_its_file(tmp_path: Path) -> None:
    sheet = new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"], started="2026-11-20T20:00:00Z")
    sheet = enter(begin_round(sheet), bids=[3, 4, 2])
    sheet = add_player(enter(sheet, won=[3, 5, 2], bonus=[0, 1, 0], mad=[0, 0, 1]), "Dora")
    sheet = begin_round(sheet, seats=[0, 1, 2, 3])
    file = tmp_path / "evening.rage-score.json"
    file.write_bytes(write_sheet(sheet))
    assert "Datum: 20.11.2026" in words_of(made(tmp_path, str(file), "--lang", "de"))
    page = made(tmp_path, str(file))
    words = words_of(page)
    assert "Date: 2026-11-20" in words
    assert "1 10 cards 3 3 13 13 4 5 +5 5 5 2 2 −5 7 7 – – – –" in words
    assert "Total 13 5 7 0" in words
    assert page.count('class="met"') == 3  # one explains the two others


def test_what_is_no_date_is_left_out(tmp_path: Path) -> None:
    """A file may say anything about when it was begun."""
    file = tmp_path / "evening.rage-score.json"
    for started in ("日本語日本語", "last Friday", 7):
        sheet = new_sheet(ruleset("poof"), ["Ann", "Ben"])._replace(extra={"started": started})
        file.write_bytes(write_sheet(sheet))
        assert "Date: ____" in words_of(made(tmp_path, str(file)))


def test_names_are_text_in_any_script_and_never_markup(tmp_path: Path) -> None:
    names = ["Żaneta", "שלום", "محمد", "😀 Zoë", "<b>&", "\u202eevil"]
    page = made(tmp_path, "--names", ",".join(names))
    for name in (*names[:4], "&lt;b&gt;&amp;", r"\u202eevil"):
        assert f"<bdi>{name}</bdi>" in page


def test_without_a_place_it_is_kept_here_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    for display, opened in (("", []), (":0", [(tmp_path / "rage-sheet.html").as_uri()])):
        monkeypatch.setenv("DISPLAY", display)
        assert main(["sheet", "--players", "3"]) == 0
        assert "The sheet is in rage-sheet.html" in capsys.readouterr().out
        assert shown == opened
    assert words_of((tmp_path / "rage-sheet.html").read_text("utf-8"))


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--players", "11"], 1, "2 to 10 players, not 11"),
        (["--players", "2", "--names", "A,B,C"], 1, "3 names for 2 players"),
        (["--names", "A,A"], 2, "Two players would be called A"),
        (["nowhere.rage-score.json"], 2, "nowhere.rage-score.json"),
        (["nowhere.rage-score.json", "--players", "3"], 1, "The file already sets --players"),
        (["--out", "no/such/folder.html"], 2, "cannot be written"),
        (["--out", "x.pdf"], 1, "prints or saves as PDF"),
        (["--static", "x", "--out", "x.html"], 1, "leave --out out"),
        (["--static", "x", "evening.rage-score.json"], 1, "leave evening.rage-score.json out"),
        ([__file__], 2, "not valid JSON"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    words: list[str],
    status: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert says in refused(capsys, "sheet", *words, status=status)
    assert not [*tmp_path.iterdir()]


@contextlib.contextmanager
def full_disk(most: int) -> Iterator[None]:
    """A disk on which no file can be larger than ``most`` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_what_cannot_be_written_whole_replaces_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A sheet, the page as a folder, and a picture of a match."""
    pytest.importorskip("matplotlib")
    sheet, folder, picture = tmp_path / "s.html", tmp_path / "page", tmp_path / "m.svg"
    match = ["random,steady", "--rules", "poof+schedule:1", "--deals", "2", "--processes", "1"]
    commands = (
        ["sheet", "--out", str(sheet)],
        ["sheet", "--static", str(folder)],
        ["arena", *match, "--plot", str(picture)],
    )
    for words in commands:
        assert main(words) == 0
    files = [each for each in tmp_path.rglob("*") if each.is_file()]
    before = {each: each.read_bytes() for each in files}
    (other := tmp_path / "other").touch()
    assert sheet.stat().st_mode == other.stat().st_mode  # as for any file
    other.unlink()
    capsys.readouterr()
    with full_disk(4096):
        for words in commands:
            assert main(["--lang", "en", *words]) == 2
            assert "cannot be written" in capsys.readouterr().err
    assert {each: each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()} == before
