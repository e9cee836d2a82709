"""``rage sheet``: the printed score sheet."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import matplotlib
import pypdfium2
import pytest
import reportlab

from rage import extras, ruleset
from rage.cli import main
from rage.say import LANGUAGES, text
from rage.score.entering import add_player, begin_round, enter, new_sheet
from rage.score.file import write_sheet

LONG = "Annegret Müller-Lüdenscheidt,Benedikt-Maximilian,Çelik,Donaudampfschifffahrtsgesellsch"


def pages(path: Path) -> list[str]:
    """The words on each page, in one line."""
    document = pypdfium2.PdfDocument(path)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def size(path: Path) -> tuple[int, int]:
    """The size of the first page in millimetres."""
    width, height = pypdfium2.PdfDocument(path)[0].get_size()
    return round(width / 72 * 25.4), round(height / 72 * 25.4)


def made(folder: Path, *words: str) -> Path:
    path = folder / "sheet.pdf"
    assert main(["sheet", *words, "--out", str(path)]) == 0
    return path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_blank_sheet(language: str, players: int, tmp_path: Path) -> None:
    path = made(tmp_path, "--players", str(players), "--lang", language, "--rules", "poof+sweep")
    (page,) = pages(path)
    assert text("score.printed.title", language) in page
    assert text("rules.score.sweep", language) in page
    long = [text(f"score.csv.{name}", language) for name in ("bid", "tricks", "points", "total")]
    short = [text(f"tui.sheet.{name}", language) for name in ("bid", "won", "points", "total")]
    assert page.count(" ".join(long)) + page.count(" ".join(short)) == players
    for number in range(1, 11):
        assert f"{number} {text('sheet.hand', language, n=11 - number)}" in page
    assert size(path) == ((297, 210) if players > 4 else (210, 297))


def test_names_the_scoring_of_the_rules_and_letter_paper(tmp_path: Path) -> None:
    path = made(tmp_path, "--rules", "amigo+plus-minus-one", "--names", LONG, "--paper", "letter")
    (page,) = pages(path)
    for name in ("Annegret", "Müller-Lüdenscheidt", "Benedikt-", "Maximilian", "Çelik"):
        assert name in page
    assert "Rage (AMIGO 00990) + Plus/minus one" in page
    assert "may not add up to the number of tricks" in page
    assert "Bid missed, by too many or too few: -5." in page
    assert size(path) == (216, 279)


def test_a_long_schedule_takes_more_pages(tmp_path: Path) -> None:
    schedule = ".".join(["5"] * 30)
    first, second = pages(made(tmp_path, "--rules", f"poof+schedule:{schedule}", "--players", "8"))
    assert "15 5 cards" in first
    assert "Total" not in first
    assert "30 5 cards" in second
    assert "Total" in second


def test_teams_share_points(tmp_path: Path) -> None:
    names = ["--names", "Ann,Ben,Cem,Dora"]
    (page,) = pages(made(tmp_path, "--rules", "poof+two-teams", *names))
    assert "Team I Ann bid tricks Cem bid tricks points total" in page
    (page,) = pages(made(tmp_path, "--rules", "poof+three-teams"))
    assert all(f"Team {number} " in page for number in ("I", "II", "III"))


def test_a_sheet_is_filled_in_from_its_file(tmp_path: Path) -> None:
    sheet = new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"], started="2026-11-20T20:00:00Z")
    sheet = enter(begin_round(sheet), bids=[3, 4, 2])
    sheet = add_player(enter(sheet, won=[3, 5, 2], bonus=[0, 1, 0], mad=[0, 0, 1]), "Dora")
    sheet = begin_round(sheet, seats=[0, 1, 2, 3])
    file = tmp_path / "evening.rage-score.json"
    file.write_bytes(write_sheet(sheet))
    (page,) = pages(made(tmp_path, str(file), "--lang", "de"))
    assert "Datum: 20.11.2026" in page
    (page,) = pages(made(tmp_path, str(file)))
    assert "Date: 2026-11-20" in page
    for shown in ("3 3 13 13", "4 5 +5 5 5", "2 2 -5 7 7", "Dora", "bid met"):
        assert shown in page, shown


def test_what_is_no_date_is_left_out(tmp_path: Path) -> None:
    """A file may say anything about when it was begun, also what no font shows."""
    file = tmp_path / "evening.rage-score.json"
    for started in ("日本語日本語", "last Friday", 7):
        sheet = new_sheet(ruleset("poof"), ["Ann", "Ben"])._replace(extra={"started": started})
        file.write_bytes(write_sheet(sheet))
        (page,) = pages(made(tmp_path, str(file)))
        assert "Date: ____" in page


def test_names_in_any_script_and_which_letters_no_font_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    font = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    names = "Żaneta,שלום,Ann محمد,😀 Zoë,Ann 李\U000f0000,E\u0301va"
    path = made(tmp_path, "--names", names)
    assert main(["sheet", "--names", names, "--font", str(font), "--out", str(path)]) == 0
    (page,) = pages(path)
    for shown in ("Żaneta", "שלום", "Ann محمد", "Éva", " Zoë", "Ann "):
        assert shown in page, shown
    said = capsys.readouterr().err
    assert ("李" in page) != ("李" in said)  # as this system has a font for it, or has not
    assert "?" in page
    assert said.count("name a TrueType font with --font\n") == 2
    assert main(["sheet", "--font", __file__]) == 2
    assert "cannot be read as a TrueType font" in capsys.readouterr().err


@pytest.mark.parametrize("size", [100, 5_000, 50_000])
def test_a_font_that_was_cut_short_is_refused(
    size: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    font = tmp_path / "cut.ttf"
    font.write_bytes((Path(reportlab.__file__).parent / "fonts" / "Vera.ttf").read_bytes()[:size])
    assert main(["sheet", "--font", str(font), "--out", str(tmp_path / "sheet.pdf")]) == 2
    assert capsys.readouterr().err == f"rage: {font} cannot be read as a TrueType font\n"
    assert not (tmp_path / "sheet.pdf").exists()


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--players", "9"], 1, "2 to 8 players, not 9"),
        (["--players", "2", "--names", "A,B,C"], 1, "3 names for 2 players"),
        (["--names", "A,A"], 2, "Two players would be called A"),
        (["nowhere.rage-score.json"], 2, "nowhere.rage-score.json"),
        (["nowhere.rage-score.json", "--players", "3"], 1, "The file already sets --players"),
        (["--out", "no/such/folder.pdf"], 2, "cannot be written"),
        (["--static", "x", "--out", "x.pdf"], 1, "leave --out out"),
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
    assert main(["sheet", *words]) == status
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not [*tmp_path.iterdir()]


def test_without_the_library_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "rage.score.pdf", raising=False)
    for name in [*sys.modules]:
        if name.partition(".")[0] == "reportlab":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    assert main(["sheet", "--players", "3"]) == 1
    assert re.search(r"-m pip install .*'reportlab>=", capsys.readouterr().err)


def test_the_libraries_of_each_extra_are_named_or_else_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "ray>=" in extras.install_command("cluster")
    assert "extra ==" not in extras.install_command("cluster")
    libraries = extras.install_command("arena")
    assert "matplotlib>=" in libraries
    assert "openskill>=" in libraries
    monkeypatch.setattr(extras, "requires", lambda _name: None)
    assert (
        extras.install_command("arena").rstrip("'").endswith(f"{Path(__file__).parents[2]}[arena]")
    )
