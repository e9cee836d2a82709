"""Games kept on this computer: written durably, read back exactly, never lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rage.game.game import Game
from rage.notation.fair import verify
from rage.notation.reader import parse_record
from rage.rules.editions import ruleset
from rage.say import NotAllowed, NotReadable
from rage.table import Create, GiveSeat, Start, Table
from rage.tui import game_files, saved
from rage.tui.opening import PERSON
from rage.tui.session import Session


def session(rules: str = "amigo+schedule:3.2", seed: bytes | None = b"s") -> Session:
    return Session.start(ruleset(rules), ["A", "B", "C"], ["random"], seed)


def game(of: Session) -> Game:
    return of._table.state.require_play().game


def act(of: Session) -> None:
    """One decision, of any player."""
    of.play(of.view().legal_moves[0] if of.my_turn else of.bot_move())


def test_a_resumed_game_deals_the_same_rounds_and_its_bots_play_alike() -> None:
    one = session()
    for _ in range(5):
        act(one)
    again = Session.resume(one.path)
    while not one.over:
        if not one.my_turn:
            assert one.bot_move() == again.bot_move()
        move = one.view().legal_moves[0] if one.my_turn else one.bot_move()
        one.play(move)
        again.play(move)
    assert [each.deal for each in game(again).rounds] == [each.deal for each in game(one).rounds]
    assert game(again).scores == game(one).scores


@pytest.mark.parametrize("seed", [None, b"a", b"open in the end", b"long " * 100])
def test_a_finished_game_is_a_public_record_with_its_seed(
    seed: bytes | None, data_folder: Path
) -> None:
    one = session(seed=seed)
    while not one.over:
        act(one)
    assert not list(data_folder.glob("*.rage.json*"))
    record = parse_record(one.path.read_bytes())
    assert one.path.parent == data_folder / "games"
    assert one.path.name.endswith(".rage.json")
    assert seed is None or record.extra["seed"] == seed.hex()
    assert record.extra["bots"] == [None, "random", "random"]
    assert record.winners == game(one).winners
    assert all(finding.ok is not False for finding in verify(record))


def test_a_clock_that_is_set_back_damages_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    one = session()
    act(one)
    monkeypatch.setattr("rage.tui.session._now", lambda: 1_000_000_000_000)  # years before
    act(one)
    again = Session.resume(one.path)
    assert again.ply == one.ply
    while not again.over:
        act(again)
    record = parse_record(again.path.read_bytes())
    assert record.extra["started"] == record.extra["ended"] == "2001-09-09T01:46:40Z"


def test_unfinished_games_are_found_the_last_played_first(data_folder: Path) -> None:
    first, second = session(), session()
    os.utime(first.path, (3, 3))
    os.utime(second.path, (1, 1))
    (data_folder / "notes.txt").write_text("not a game")
    assert game_files.unfinished_games() == [first.path, second.path]


def lines(change: Callable[[list[Any]], None]) -> Callable[[bytes], bytes]:
    """A change of the data in a file, line by line."""

    def changed(data: bytes) -> bytes:
        values = [json.loads(line) for line in data.splitlines()]
        change(values)
        return b"".join(json.dumps(value).encode() + b"\n" for value in values)

    return changed


def fact(values: list[Any], kind: str) -> Any:
    return next(each for line in values[1:] for each in line if each["type"] == kind)


def setting(kind: str, **fields: object) -> Callable[[bytes], bytes]:
    """A change of the fields of the first fact of a kind."""
    return lines(lambda values: fact(values, kind).update(fields))


def swap_hands(values: list[Any]) -> None:
    hands = fact(values, "dealt")["hands"]
    hands[0], hands[1] = hands[1], hands[0]


SPOILT: Sequence[Callable[[bytes], bytes]] = [
    lambda data: data[: len(data) // 3],
    lambda data: b"",
    lambda data: data.splitlines(keepends=True)[0],
    lambda data: data.split(b"\n", 1)[1],
    lambda data: b"\xff\xfe" + data,
    lambda data: b"[" * 10000,
    lambda data: data.replace(b'"version": 1', b'"version": 2', 1),
    lambda data: data.replace(b"\n[", b"\n" + b"[" * 100_000, 1),
    lambda data: data.replace(b'"seq":2', b'"seq":' + b"9" * 5000, 1),
    lambda data: data.replace(b"},{", b"}\0{", 1),
    lambda data: data[:300] + b"\0" * 200 + data[500:],
    lines(lambda values: values.insert(2, 7)),
    lines(lambda values: values.insert(2, [7])),
    lines(lambda values: values.insert(2, [])),
    lines(lambda values: values.append({})),
    lines(lambda values: values.append(values[-1])),
    lines(lambda values: values.pop(2)),
    lines(lambda values: values[1].pop()),  # the deal
    lines(lambda values: values[1].pop(1)),
    lines(swap_hands),
    setting("created", players=10**15),
    setting("created", players=4),
    setting("created", rules="sphinx"),
    setting("seed_committed", hash="0" * 64),
    setting("seed_stored", seed="zz"),
    setting("seed_stored", seed=73),
    setting("seed_stored", seed="74"),
    setting("sat", seat=1),
    setting("sat", person="sphinx"),
    setting("bot_sat", seat=9),
    setting("bot_sat", bot="sphinx"),
    setting("started", at=10**15),
    setting("started", at=-(10**15)),
    setting("dealt", stock="Q9"),
    setting("played", move="15"),
    setting("played", seat="x"),
]


@pytest.mark.parametrize("spoil", SPOILT)
def test_a_damaged_file_is_named_and_left_alone(spoil: Callable[[bytes], bytes]) -> None:
    one = session()
    for _ in range(4):
        act(one)
    path = one.path
    spoiled = spoil(path.read_bytes())
    assert spoiled != path.read_bytes()
    path.write_bytes(spoiled)
    with pytest.raises(NotReadable) as refused:
        Session.resume(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == spoiled


def test_whatever_can_be_read_can_be_played() -> None:
    """A file with anything changed in it is refused, or is a game that goes on to its end."""
    one = session("poof+hidden-bids+schedule:2.1")
    for _ in range(7):
        act(one)
    whole = one.path.read_bytes()
    rng = Random(3)
    refused = 0
    for number in range(600):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            data[at] = rng.choice(b'0123456789"[]{},:\n -ABGRXWnt\0')
        path = one.path.with_name(f"{number}.rage.jsonl")
        path.write_bytes(data)
        try:
            again = Session.resume(path)
        except NotReadable:
            refused += 1
            continue
        while not again.over:
            act(again)
        assert again.problem is None
    assert 100 < refused < 600


def test_a_line_that_breaks_off_was_never_seen() -> None:
    """A crash in the middle of a write loses what nobody had seen, and nothing else."""
    one = session()
    for _ in range(4):
        act(one)
    before, seq = one.path.read_bytes(), one._table.seq
    act(one)
    written = one.path.read_bytes()
    for end in range(len(before), len(written)):
        one.path.write_bytes(written[:end])
        assert saved.load(one.path).table.seq == seq
    again = Session.resume(one.path)
    assert again.path.read_bytes() == before, "and what is left of it is gone"
    act(again)
    assert again.path.read_bytes().splitlines()[:-1] == before.splitlines()
    assert saved.load(again.path).table.seq == again._table.seq > seq


def full(*_args: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_said_and_made_good_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there stays; the game goes on, and is all there as soon as there is room."""
    one = session()
    before = one.path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    act(one)
    assert one.problem is not None
    assert one.problem.params["error"] == "No space left on device"
    assert one.path.read_bytes().startswith(before)
    assert [each.name for each in one.path.parent.iterdir()] == [one.path.name]
    act(one)
    monkeypatch.undo()
    act(one)
    assert one.problem is None
    assert saved.load(one.path).table.seq == one._table.seq


@pytest.mark.parametrize("harm", [b"", b"more"])
def test_a_file_that_is_gone_or_changed_is_written_anew(harm: bytes) -> None:
    one = session()
    act(one)
    if harm:
        with open(one.path, "ab") as file:
            file.write(harm)
    else:
        one.path.unlink()
    act(one)
    assert one.problem is None
    assert saved.load(one.path).table.seq == one._table.seq


def test_a_folder_that_cannot_be_made_does_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("RAGE_DATA", str(tmp_path / "file" / "rage"))
    one = session()
    assert one.problem is not None
    while not one.over:
        act(one)


def test_one_game_is_played_once_at_a_time() -> None:
    one = session()
    refused = pytest.raises(NotAllowed, match="already being played")
    with game_files.lock_game(one.path), refused, game_files.lock_game(one.path):
        pass
    with game_files.lock_game(one.path):
        pass
    assert [each.name for each in one.path.parent.iterdir()] == [one.path.name]


def test_names_of_any_kind_are_kept() -> None:
    """Also those that only a file that was changed by hand can have."""
    names = ["Zoë", "👩\u200d🚀", "李"]
    one = Session.start(ruleset("poof+schedule:1"), names, ["random"], b"x")
    assert one.problem is None
    assert saved.load(one.path).table.state.names == tuple(names)
    edited = one.path.read_text(encoding="utf-8").replace('"Zoë"', r'"\u202eevil"')
    one.path.write_text(edited, encoding="utf-8")
    assert saved.load(one.path).table.state.names == ("\u202eevil", *names[1:])


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "\x1b[31mEve", "\u202eevil"])
def test_a_name_that_no_table_takes_is_refused(name: str, data_folder: Path) -> None:
    with pytest.raises(NotReadable, match="name"):
        Session.start(ruleset("poof"), [name, "B"], ["random"], b"x")
    assert not list(data_folder.iterdir())


# --- custom bots ---------------------------------------------------------------------------


@pytest.fixture
def own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot that plays the first legal move."""
    (tmp_path / "saved_own_bots.py").write_text(
        "class First:\n"
        "    def __init__(self, seed): pass\n"
        "    def choose(self, view):\n"
        "        return view.legal_moves[0]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    return "python:saved_own_bots:First"


def test_a_bot_of_ones_own_sits_down_and_is_there_again_when_a_game_is_resumed(
    own_bots: str,
) -> None:
    names, bots = ["A", "B", "C"], [own_bots, "steady"]
    current = Session.start(ruleset("poof+schedule:2.1"), names, bots, b"x")
    while not current.over:
        if not current.my_turn:
            turn = current.bot_turn()
            assert turn.bot == bots[(turn.view.seat or 0) - 1]
            if turn.view.seat == 1:
                assert current.bot_move() == turn.view.legal_moves[0]
        current.play(current.view().legal_moves[0] if current.my_turn else current.bot_move())
        if not current.over:
            current = Session.resume(current.path)


def test_a_bot_of_ones_own_is_not_tried_before_it_plays(own_bots: str, tmp_path: Path) -> None:
    """A list of games runs nobody's program."""
    started = Session.start(ruleset("poof"), ["A", "B"], [own_bots], b"x")
    (tmp_path / "saved_own_bots.py").unlink()
    assert Session.resume(started.path).view().rules == ruleset("poof")


def test_no_command_at_a_table_asks_for_a_bot_of_ones_own(own_bots: str) -> None:
    table = Table()
    table.do(Create("poof", 3, "A"), PERSON, 0, seed=bytes(16))
    for command in (GiveSeat(1, bot=own_bots, name="B"), Start(bot="program:true")):
        with pytest.raises(NotReadable, match="there is no bot called"):
            table.do(command, PERSON, 0)
