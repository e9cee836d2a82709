"""``rage score``: a sheet kept line by line, as another program or a screen reader has it."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from cli.keeping import FILE, Keeper, kept
from rage.cli import main
from rage.game.history import bidding_order
from rage.rules.editions import ruleset
from rage.say import LANGUAGES, catalogue
from rage.score.entering import begin_round, new_sheet
from rage.score.file import read_sheet, write_sheet
from rage.score.link import read_link
from rage.score.sheet import Sheet
from rage.score.standing import scores
from rage.tui.kept_sheets import KeptSheet
from rage.tui.score_commands import COMMANDS
from rage.tui.scorer import Scorer
from score.sheets import sheets

ROUND = ["3 4 2", "3 5", "Ben", ""]  # bids from Ben on, tricks, Bonus, Mad


@pytest.fixture(autouse=True)
def keep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Keeper:
    return Keeper(tmp_path, monkeypatch, capsys)


def test_a_round_is_entered_and_told(keep: Keeper) -> None:
    said = keep.begin(*ROUND)
    assert "Round 1, 10 cards each. Ann deals." in said
    assert "9 bid for 10 tricks: under." in said
    assert "Ann gets the rest: 2." in said
    assert "Ben met the bid: 3 tricks + 5 for +5 + 10 for the bid = 18 points." in said
    assert "Ben leads with 18 points." in said
    assert "Round 2, 9 cards each. Ben deals." in said
    saved = f"The sheet is saved ({FILE}). To continue it:"
    assert saved in said
    assert said.rstrip().endswith(f"score {FILE}")
    assert scores(kept()) == [12, 18, 0]


@pytest.mark.parametrize("variant", ["hidden-bids", "secret-bids"])
def test_nothing_is_said_of_hidden_bids(keep: Keeper, variant: str) -> None:
    said = keep.begin("3", "4", "sheet", rules=f"amigo+{variant}")
    assert "Cem's bid" not in said.split("Ben's bid")[0]
    assert "2 of 3 have bid" in said
    assert not re.search("so far|/3|/4", said)
    assert "/3" not in keep(words=(FILE, "--show"))
    said = keep("2", "sheet", "3 5", "", "")
    shown = "Ben 3, Cem 4 and Ann 2" in said and "9 bid for 10 tricks: under." in said
    assert shown == (variant == "hidden-bids")
    assert ("?/3" in said) == shown
    assert "Ben met the bid: 3 tricks" in said


def test_nobody_is_asked_for_tricks_once_none_is_left(keep: Keeper) -> None:
    said = keep.begin("3 4 2", "10", "", "")
    assert "Cem gets the rest: 0.\nAnn gets the rest: 0.\nWho has won +5 cards" in said
    assert kept().rounds[0].won == (0, 10, 0)


def test_a_terminal_breaks_no_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "40")
    begun = begin_round(new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"]))
    kept, screen = KeptSheet(tmp_path / FILE, begun), Terminal()
    Scorer(kept, "en", io.StringIO("help\nfoo\n"), screen, "rage score").run()
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= max(40, len(f"({tmp_path / FILE})."))
    assert "Each entry is saved at once. Type help" in lines
    assert "at any time to see the commands." in lines


def test_every_entry_is_saved_before_the_next_is_asked_for(keep: Keeper) -> None:
    """Whatever ends the program, it goes on where it was."""
    lines = [word for line in ROUND[:2] for word in line.split()]
    keep.begin()
    for at, line in enumerate(lines):
        keep(line)
        entered = [*kept().rounds[0].bids, *kept().rounds[0].won]
        assert sum(each is not None for each in entered) == at + 1
    keep(*ROUND[2:])
    assert scores(kept()) == [12, 18, 0]


def test_what_cannot_be_is_refused_and_asked_again(keep: Keeper) -> None:
    said = keep.begin("11", "x", "3 4", "3", "2", "4 11 5", "6", "Dora", "Ann, Ann, Ann, Ann",
                      rules="amigo+plus-minus-one")  # fmt: skip
    assert "Ben cannot bid 11: a bid is 0 to 10." in said
    assert "x is not a whole number." in said
    assert "Ann's bid, 0 to 10, but not 3 (7 bid so far):" in said
    assert "The bids may not add up to 10" in said
    assert "Cem cannot win 11 tricks" in said
    assert "No one here is called Dora" in said
    assert kept().rounds[0].bids == (2, 3, 4)
    assert kept().rounds[0].won == (None, 4, 6)


def test_any_round_is_corrected_and_entries_are_undone(keep: Keeper) -> None:
    keep.begin(*ROUND)
    said = keep("2 2 2", "correct 1", "3 4 4", "", "-", "", "sheet")
    assert "*2/4" in said
    assert scores(kept()) == [-3, 13, 0]
    keep("undo", "undo")  # of an earlier time: the bids, then the results before them
    assert [each.over for each in kept().rounds] == [False]
    assert kept().rounds[0].bids == (4, 3, 4)
    said = keep("3 5", "Ben", "", "undo", "undo", "quit")
    assert said.count("Taken back.") == 2
    assert kept().rounds[0].won == (None, 3, None)
    said = keep("undo", "undo", "undo")
    assert "nothing to take back" in said


def test_commands_in_the_middle_of_a_correction_are_no_names(keep: Keeper) -> None:
    keep.begin(*ROUND)
    before = kept()
    said = keep("correct 1", "help", "3 4 4", "", "help", "-", "quit", "Ann")
    assert said.count("csv evening.csv") == 2
    assert "No one here" not in said
    assert said.count("−5 cards") == 1
    assert kept().rounds[0] == before.rounds[0]


def test_a_correction_in_the_middle_of_which_the_input_ends_changes_nothing(keep: Keeper) -> None:
    keep.begin(*ROUND)
    before = kept()
    keep("correct 1", "3 4 4")
    assert kept() == before


def test_an_entry_during_whose_writing_it_is_interrupted_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin_round(new_sheet(ruleset("amigo"), ["Ann", "Ben", "Cem"]))
    kept, write = KeptSheet(tmp_path / FILE, begun), KeptSheet.write

    def interrupted(self: KeptSheet) -> None:
        monkeypatch.setattr(KeptSheet, "write", write)
        raise KeyboardInterrupt

    monkeypatch.setattr(KeptSheet, "write", interrupted)
    assert Scorer(kept, "en", io.StringIO("3\n"), io.StringIO(), "rage score").run() == 130
    assert read_sheet((tmp_path / FILE).read_bytes()) == kept.sheet
    assert 3 in kept.sheet.rounds[0].bids


def test_a_correction_that_cannot_be_changes_nothing(keep: Keeper) -> None:
    keep.begin(*ROUND)
    before = kept()
    said = keep(
        "correct 1",
        "3 4 2",
        "9 9 9",
        "",
        "",
        "correct 0012",
        "correct 2",
        "correct",
        "1 2",
        "",
        "",
        "",
        "",
    )
    assert "The tricks won add up to 27" in said
    assert "2 is not a round that is over: those are 1 to 1." in said
    _, again = said.split("One line takes 3 numbers, one for each player, not 2.")
    assert again.strip().startswith("Bids of")
    assert kept() == before


def test_people_come_leave_and_change_places(keep: Keeper) -> None:
    keep.begin(*ROUND)
    said = keep("seats Cem, Dora, Ann, Ben", "dealer dora", "cards 5", "rename Ann = Anna", "1",
                "seats Ann, Ben, Cem")  # fmt: skip
    assert "Round 2, 5 cards each. Dora deals." in said
    assert "New on the sheet: Dora." in said
    assert "No longer playing" not in said
    assert "only before the first bid" in said
    sheet = kept()
    assert sheet.players == ("Anna", "Ben", "Cem", "Dora")
    assert sheet.rounds[1].seats == (2, 3, 0, 1)
    assert (sheet.rounds[1].dealer, sheet.rounds[1].hand_size) == (3, 5)
    assert sheet.rounds[1].bids == (None, None, 1, None)


def test_who_has_left_is_named(keep: Keeper) -> None:
    keep.begin(*ROUND)
    assert "No longer playing: Ann and Ben.\n" in keep("seats Cem, Dora, Eva")


def test_where_too_many_have_come_for_the_schedule_the_round_is_smaller(keep: Keeper) -> None:
    rules = "poof+schedule:1.15"
    names = "A,B,C,D,E,F"
    words = (FILE, "--rules", rules, "--names", names)
    said = keep("seats A,B,C,D,E,F,G,H", "0 0 0 0 0 0 0", "1", "0 0 0 0 0 0 0", "", "", words=words)
    assert "not enough cards for 15 each" in said
    assert "Round 2, 11 cards each." in said


def test_a_game_is_stopped_and_goes_on_or_ends(keep: Keeper) -> None:
    said = keep.begin(*ROUND, "stop", "sheet", "stop", "rules poof", "stop", "")
    assert "Ben wins the game with 18 points." in said
    assert kept().stopped
    assert scores(kept()) == [12, 18, 5]
    assert "Ben wins the game" in keep()


def test_exports(keep: Keeper) -> None:
    said = keep.begin(*ROUND, "csv table", "link", "csv /no/such\0/x")
    assert "/no/such\\x00/x.csv cannot be written" in said
    assert Path("table.csv").read_bytes().startswith(b"\xef\xbb\xbfround,cards,player")
    link = next(word for word in said.split() if word.startswith("1."))
    assert read_link(link).players == ("Ann", "Ben", "Cem")
    for option, starts in (("--csv", b"\xef\xbb\xbfRunde;"), ("--link", link.encode()),
                           ("--json", b"{\n"), ("--show", b"Runde")):  # fmt: skip
        command = [sys.executable, "-m", "rage", "score", FILE, option, "--lang", "de"]
        done = subprocess.run(command, capture_output=True, check=True, timeout=30)
        assert done.stdout.startswith(starts)


@pytest.mark.parametrize("language", ["en", "de"])
def test_without_rules_it_is_the_edition_of_the_language_and_then_the_last(
    keep: Keeper, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    """For sheet, judge and printed sheet alike."""
    usual, other = ("AMIGO", "Poof") if language == "de" else ("Poof", "AMIGO")

    def judged() -> str:
        words = ["judge", "R7", "--players", "2", "--trump", "none", "--lang", language]
        main([*words, "--hand", "X R3", "--card", "X"])
        return capsys.readouterr().out

    said = keep("A,B,C", words=("--lang", language))
    assert usual in said
    first = judged()
    rules = {"AMIGO": "amigo", "Poof": "poof"}[other]
    keep(words=("--new", "--rules", rules, "--names", "A,B,C"))
    assert other in keep("no", "A,B,C", words=())
    assert judged() != first


def test_the_last_unfinished_sheet_is_offered(keep: Keeper) -> None:
    said = keep("Ann, Ann", "Ann, Ben, Cem", "4", words=("--rules", "amigo"))
    assert "Two players would be called Ann" in said
    said = keep("", "4", words=())
    assert "an unfinished sheet: Ann, Ben and Cem, amigo, round 1 of 10" in said
    assert "Ann's bid, 0 to 10 (8 bid so far):" in said
    assert "(8 bid so far)" not in keep("no", "Dora, Emil", words=())
    assert "Dora, Emil" not in keep(words=("--show",))


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_in_every_language(keep: Keeper, language: str) -> None:
    texts = catalogue(language)
    keep.begin(*ROUND)
    said = keep(texts["scorer.command.help"].split(", ")[0], words=(FILE, "--lang", language))
    for command in COMMANDS:
        name = texts[f"scorer.command.{command}"].split(", ")[0]
        assert f"{name}: {texts[f'scorer.help.{command}']}" in said
    names = [n for c in COMMANDS for n in texts[f"scorer.command.{c}"].split(", ")]
    assert len({*names}) == len(names)


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("--names", "Ann,Ann"), 2, "Two players would be called Ann"),
        (("--rules", "amigo", "--names", "Ann,Ben"), 1, "3 to 8 players, not 2"),
        (("--names", "Ann,Ben", "--dealer", "Cem"), 2, "No one here is called Cem"),
        (("--show",), 1, "No sheet is saved here yet"),
        (("--csv", "--names", "Ann,Ben"), 1, "--names is for a new sheet"),
        (("nowhere.rage-score.json", "--link"), 2, "nowhere.rage-score.json"),
        (("taken.rage-score.json", "--new"), 1, "is there already"),
        (("taken.rage-score.json",), 2, "not valid JSON"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    keep: Keeper, words: tuple[str, ...], status: int, says: str
) -> None:
    Path("taken.rage-score.json").write_text("no sheet", "utf-8")
    error = keep(words=words, status=status)
    assert says in error
    assert error.count("\n") == 1
    assert Path("taken.rage-score.json").read_text("utf-8") == "no sheet"


def test_a_file_that_cannot_be_written_is_said_and_nothing_typed_is_lost(
    keep: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep.begin()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("rage.tui.kept_sheets.write_file", full)
        typed = io.StringIO("3\n")
        patched.setattr("sys.stdin", typed)
        assert main(["score", FILE]) == 1
    assert "3" not in str(kept().rounds[0].bids)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_loses_nothing(keep: Keeper) -> None:
    keep.begin()
    command = [sys.executable, "-m", "rage", "score", FILE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("3 4\n")
        process.stdin.flush()
        deadline = time.monotonic() + 20
        while kept().rounds[0].bids.count(None) > 1:
            assert time.monotonic() < deadline
        busy = subprocess.run([*command], input="", capture_output=True, text=True, check=False)
        assert (busy.returncode, "another window" in busy.stderr) == (1, True)
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
        assert process.wait(timeout=20) == 130
    assert "The sheet is saved" in said
    assert kept().rounds[0].bids == (None, 3, 4)


def test_a_name_reorders_no_line(keep: Keeper, tmp_path: Path) -> None:
    keep.begin(*ROUND)
    sheet = kept()
    (tmp_path / FILE).write_bytes(write_sheet(sheet._replace(players=("A\u202enn", "Ben", "Cem"))))
    shown = keep(words=(FILE, "--show"))
    assert "A\\u202enn" in shown
    assert "\u202e" not in shown


def test_any_sheet_is_shown_and_can_be_entered(keep: Keeper) -> None:
    """A sheet typed in again, round by round, is the same sheet."""
    typed = 0

    @settings(max_examples=25)
    @given(sheets())
    def each(sheet: Sheet) -> None:
        nonlocal typed
        # A comma separates names.
        sheet = sheet._replace(players=tuple(name.replace(",", ".") for name in sheet.players))
        for path in (Path(FILE), Path(f"{FILE}.lock")):
            path.unlink(missing_ok=True)
        Path(FILE).write_bytes(write_sheet(_begun(sheet)))
        keep(*_lines(sheet))
        assert scores(kept()) == scores(sheet)
        assert kept().finished == sheet.finished
        typed += len(sheet.finished)

    each()
    assert typed


def _begun(sheet: Sheet) -> Sheet:
    """The sheet with nothing entered. All who are on it may be more than can play."""
    nothing = Sheet(sheet.rules, sheet.players)
    most = min(len(sheet.players), sheet.rules.players[1])
    return begin_round(nothing, seats=range(most), hand_size=1)


def _lines(sheet: Sheet) -> Iterator[str]:
    """What to type for the rounds of a sheet that are over."""
    for current in sheet.finished:
        names = [sheet.players[each] for each in current.seats]
        yield from (f"seats {', '.join(names)}", f"cards {current.hand_size}")
        yield f"dealer {sheet.players[current.dealer]}"
        order = bidding_order(current.seats.index(current.dealer), len(current.seats))
        yield " ".join(str(current.bids[place]) for place in order)
        if len(order) > 1:
            yield " ".join(str(current.won[place]) for place in order[:-1])
        for pile, most in (
            (current.bonus, sheet.rules.pack.bonus),
            (current.mad, sheet.rules.pack.mad),
        ):
            if most:
                yield ", ".join(name for name, n in zip(names, pile, strict=True) for _ in range(n))
