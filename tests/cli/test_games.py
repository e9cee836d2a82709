"""``rage games``: the games that ``rage play`` has kept, listed, resumed and deleted."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
from pathlib import Path

import pytest

from rage.cli import main
from rage.rules.editions import ruleset
from rage.tui import game_files
from rage.tui.session import Session
from refusals import refused

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path))
    return tmp_path


def begun(name: str, seed: bytes = b"games") -> Session:
    """A game whose file is called so, after the first bid."""
    session = Session.start(ruleset("poof+schedule:1"), ["Ann", "Ben"], ["random"], seed)
    while not session.my_turn:
        session.play(session.bot_move())
    path = session.path.rename(session.path.with_name(f"{name}{game_files.LOG}"))
    return Session.resume(path)


def finished(name: str) -> Path:
    session = begun(name)
    while not session.over:
        session.play(session.view().legal_moves[0] if session.my_turn else session.bot_move())
    return session.path


def type_in(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))


def test_a_finished_game_is_analysed_and_replayed_by_its_name(capsys: Captured) -> None:
    path = finished("20260101-120000-abcdef")
    for words in (["analyse", "--worlds", "5"], ["replay"], ["convert"]):
        assert main([words[0], game_files.name_of_game(path), *words[1:]]) == 0
        by_name = capsys.readouterr().out
        assert main([words[0], str(path), *words[1:]]) == 0
        assert capsys.readouterr().out == by_name
    assert main(["replay", "120000"]) == 0
    capsys.readouterr()
    assert main(["replay", "2027"]) == 2
    assert "2027 cannot be read" in capsys.readouterr().err
    finished("20260102-120000-abcdef")
    assert main(["replay", "120000"]) == 2
    assert "120000 cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["analyse", "replay", "convert", "verify"])
def test_of_a_game_that_goes_on_it_is_said_that_it_does(command: str, capsys: Captured) -> None:
    name = "20260101-120000-abcdef"
    session = begun(name)
    for named in (str(session.path), name):
        error = refused(capsys, command, named, status=2)
        assert f"is a saved game that is not over yet: rage games resume {name} continues" in error


def test_without_any_it_says_how_to_play_one(place: Path, capsys: Captured) -> None:
    assert main(["games"]) == 0
    assert capsys.readouterr().out == f"No games are saved in {place}. To play one: rage play\n"
    assert main(["games", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_the_list_tells_what_is_kept(place: Path, capsys: Captured) -> None:
    one, over = begun("one"), finished("two")
    (place / f"three{game_files.LOG}").write_text("{")
    assert main(["games"]) == 0
    said = capsys.readouterr().out.splitlines()
    heads = [line for line in said if not line.startswith(" ")]
    assert heads[:3] == ["Unfinished", "Finished", "Unreadable"]
    assert "rage games resume GAME" in heads[3]
    assert said[1].startswith("  one  poof+schedule:1, 2 players, round 1 of 1, begun 20")
    assert said[3].startswith("  two  poof+schedule:1, 2 players, 20")
    assert ", won by " in said[3]
    assert said[5].startswith("  three  cannot be read: it does not begin")
    assert main(["games", "--json"]) == 0
    listed = {each["game"]: each for each in json.loads(capsys.readouterr().out)}
    assert {name: each["state"] for name, each in listed.items()} == {
        "one": "unfinished", "two": "finished", "three": "damaged",
    }  # fmt: skip
    assert listed["one"]["players"] == ["Ann", "Ben"]
    assert listed["one"]["file"] == str(one.path)
    assert (listed["one"]["round"], listed["one"]["rounds"], listed["one"]["ended"]) == (1, 1, None)
    assert listed["two"]["file"] == str(over)
    assert set(listed["two"]["winners"]) <= {"Ann", "Ben"}
    assert listed["two"]["winners"]
    assert "error" in listed["three"]


def test_a_game_is_told_with_all_who_held_its_seats(capsys: Captured) -> None:
    path = finished("one")
    record = json.loads(path.read_text())
    earlier = {"round": 1, "players": ["Cleo", "Dan"], "bots": [None, None]}
    path.write_text(json.dumps({**record, "earlier": [earlier]}))
    assert main(["games"]) == 0
    told = " and ".join(["Cleo, then Ann", "Dan, then Ben"][side] for side in record["winners"])
    assert f"won by {told}" in capsys.readouterr().out
    assert main(["replay", str(path)]) == 0
    said = capsys.readouterr().out
    assert "Cleo, then Ann" in said.splitlines()[0]
    assert "Cleo bids" in said
    assert "Ann bids" not in said
    assert main(["convert", str(path)]) == 0
    assert "; Ann" not in capsys.readouterr().out


def test_any_of_them_is_resumed_by_a_part_of_its_name(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("20260101-aa"), begun("20260102-bb", b"other")
    type_in(monkeypatch, "bids\n")
    assert main(["games", "resume", "0101", "--plain"]) == 0
    assert "20260101-aa.rage.jsonl" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_the_programs_of_a_resumed_game_end_with_a_closed_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The full screen asks them in another thread, where that cannot be seen to."""
    rules, seed = ruleset("poof+schedule:1"), b"games 6"
    session = Session.start(rules, ["Ann", "Ben"], ["program:cat"], seed)
    assert session.my_turn  # no bot is asked before the terminal is closed
    endings = (signal.SIGHUP, signal.SIGTERM)
    before = [signal.signal(each, signal.SIG_DFL) for each in endings]
    try:
        type_in(monkeypatch, "")
        name = game_files.name_of_game(session.path)
        assert main(["games", "resume", name, "--plain"]) == 0
        assert signal.SIG_DFL not in map(signal.getsignal, endings)
    finally:
        for each, handler in zip(endings, before, strict=True):
            signal.signal(each, handler)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("resume on", 2, "on may be any of "),
        ("resume tow", 2, "did you mean two?"),
        ("resume zzz", 2, "there is no game zzz in "),
        ("resume two", 1, "two is over; to see it again: rage replay "),
        ("resume three", 2, "cannot be read"),
        ("delete zzz one", 2, "there is no game zzz"),
        ("delete one --json", 2, "unrecognized arguments: --json"),
        ("--foo bar", 2, "unrecognized arguments: --foo"),
        ("--foo=bar baz", 2, "unrecognized arguments: --foo"),
        ("--lang en listen", 2, "there is no command listen"),
        ("--json delete one", 1, "--json prints the list"),
        ("delete", 2, "required: GAME"),
        ("resume one --plain --pause off", 1, "--pause is for the full screen"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    words: str, status: int, said: str, place: Path, capsys: Captured
) -> None:
    begun("one"), begun("gone"), finished("two")
    (place / f"three{game_files.LOG}").write_text("{")
    if "on " in f"{words} ":
        (place / f"one{game_files.LOG}").rename(place / f"bone{game_files.LOG}")
    before = sorted(place.rglob("*"))
    assert said in refused(capsys, "games", *words.split(), status=status)
    assert sorted(place.rglob("*")) == before


@pytest.mark.parametrize(("answer", "gone"), [("y\n", True), ("n\n", False), ("\n", False),
                                              ("", False), ("what\nyes\n", True)])  # fmt: skip
def test_a_game_is_deleted_only_after_a_yes(
    answer: str, gone: bool, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, over = begun("one"), finished("two")
    type_in(monkeypatch, answer)
    assert main(["games", "delete", "one", "two", "one"]) == (0 if gone else 1)
    said = capsys.readouterr().out
    assert said.count("one  poof+schedule:1") == 1
    assert "Delete these games for good? [yes/no, Enter: no]" in said
    assert (one.path.exists(), over.exists()) == (not gone, not gone)
    assert ("Nothing was deleted." in said) != gone
    assert ("two is deleted." in said) == gone


def test_a_yes_given_beforehand_is_enough(place: Path, capsys: Captured) -> None:
    begun("one")
    (place / f"three{game_files.LOG}").write_text("{")
    assert main(["games", "delete", "--yes", "one", "three"]) == 0
    assert "?" not in capsys.readouterr().out
    assert [path for path in place.rglob("*") if path.is_file()] == []


def test_a_game_that_is_being_played_is_not_deleted(capsys: Captured) -> None:
    one = begun("one")
    with game_files.lock_game(one.path):
        assert main(["games", "delete", "--yes", "one"]) == 1
    assert "already being played" in capsys.readouterr().err
    assert one.path.exists()


def test_a_file_that_cannot_be_deleted_is_named_and_the_others_go(
    place: Path, capsys: Captured
) -> None:
    odd = place / f"one{game_files.LOG}"
    odd.mkdir()  # what no system unlinks
    begun("two")
    assert main(["games", "delete", "--yes", "one", "two"]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"rage: {odd} cannot be deleted: ")
    assert err.count("\n") == 1
    assert "two is deleted." in out
    assert list(place.iterdir()) == [odd]


@pytest.mark.parametrize("ended", [5, None, ["now"], "tomorrow", 1e300])
def test_a_time_that_is_none_is_a_question_mark(ended: object, capsys: Captured) -> None:
    """Records are not refused for it, wherever they come from."""
    path = finished("one")
    record = json.loads(path.read_bytes())
    path.write_text(json.dumps({**record, "ended": ended}), "utf-8")
    assert main(["games"]) == 0
    assert "one  poof+schedule:1, 2 players, ?, won by " in capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)
    assert listed["ended"] == (ended if isinstance(ended, str) else None)


def test_a_finished_game_whose_log_is_still_there_is_one(
    place: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the machine has stopped between writing the one and deleting the other."""
    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", lambda *_, **__: None)
        over = finished("one")
    assert (place / f"one{game_files.LOG}").exists()
    assert main(["games", "--json"]) == 0
    assert [(each["game"], each["state"]) for each in json.loads(capsys.readouterr().out)] == [
        ("one", "finished")
    ]
    assert main(["games", "resume", "one"]) == 1
    assert f"one is over; to see it again: rage replay {over}\n" in capsys.readouterr().err
    assert main(["games", "delete", "--yes", "one"]) == 0
    assert [path for path in place.rglob("*") if path.is_file()] == []


def test_a_command_in_a_hint_can_be_copied(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "my games"))
    finished("one")
    assert main(["games", "resume", "one"]) == 1
    words = shlex.split(capsys.readouterr().err.partition("again: ")[2])
    assert words[:2] == ["rage", "replay"]
    assert main(words[1:]) == 0
