"""Games that an earlier version kept go on, and are kept as tables are now."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rage.notation.fair import verify
from rage.notation.reading import read_record
from rage.notation.replaying import replay
from rage.say import NotReadable
from rage.tui import saved
from rage.tui.session import Session

OLDER = sorted((Path(__file__).parent / "older").glob("*.rage.json"))
kept_before = pytest.mark.parametrize("source", OLDER, ids=lambda path: path.name.split(".")[0])


def changed(folder: Path, change: Callable[[Any], object], source: Path = OLDER[0]) -> Path:
    """A file of an earlier version with something changed in it."""
    data = json.loads(source.read_bytes())
    change(data)
    path = folder / "changed.rage.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def play_out(session: Session) -> None:
    while not session.over:
        session.play(session.view().legal_moves()[0] if session.my_turn else session.bot_move())


def test_there_are_some() -> None:
    assert len(OLDER) == 3


@kept_before
def test_an_older_game_goes_on_where_it_was(source: Path, data_folder: Path) -> None:
    record = read_record(source.read_bytes())
    before = replay(record).view(0).as_data()
    path = Path(shutil.copy(source, data_folder))
    assert saved.unfinished() == [path]
    session = Session.resume(path)
    if session.hurries:  # nobody waits for others to bid: as at the person's turn
        now = session.view().as_data()
        before |= {name: now[name] for name in ("to_act", "has_bid", "legal")}  # type: ignore[typeddict-item]
    assert session.view().as_data() == before
    assert session.names == tuple(record.players)
    assert [each.bot for each in session._table.state.seats] == record.extra["bots"]
    assert session.commitment == record.extra["commitment"]
    assert saved.unfinished() == [session.path] == list(data_folder.iterdir())
    assert Session.resume(session.path).view().as_data() == before
    play_out(session)
    finished = read_record(session.path.read_bytes())
    assert session.path == data_folder / "games" / source.name
    assert finished.extra["started"] == record.extra["started"]
    assert finished.extra["seed"] == record.extra["private"]["seed"]
    assert [each.deal for each in finished.rounds[: len(record.rounds)]] == [
        each.deal for each in record.rounds
    ]
    assert all(finding.ok is not False for finding in verify(finished))


@kept_before
def test_a_crash_between_the_new_file_and_the_end_of_the_old_one_leaves_one_game(
    source: Path, data_folder: Path
) -> None:
    path = Path(shutil.copy(source, data_folder))
    session = Session.resume(path)
    shutil.copy(source, data_folder)
    assert saved.unfinished() == [session.path]
    play_out(Session.resume(session.path))
    assert saved.unfinished() == []


def test_an_older_game_stays_where_its_new_form_cannot_be_written(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(shutil.copy(OLDER[0], data_folder))
    before = path.read_bytes()

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    session = Session.resume(path)
    assert session.problem is not None
    assert [each.read_bytes() for each in data_folder.iterdir()] == [before]


def test_the_person_may_sit_in_any_seat(data_folder: Path) -> None:
    def move(data: Any) -> None:
        data["bots"] = ["random", "steady", None, "random"]
        data["private"]["seat"] = 2

    session = Session.resume(changed(data_folder, move))
    assert session.seat == 2
    assert session.view().seat == 2
    assert session.names == ("Jürgen", "Ada", "Ben", "Cleo")


def test_names_that_a_table_does_not_take_are_made_to_fit(data_folder: Path) -> None:
    given = ["", "x" * 80, "X" * 80, "\ud800 half"]
    path = changed(data_folder, lambda data: data.update(players=given))
    names = Session.resume(path).names
    assert names == ("1", "x" * 40, "X" * 36 + " 2", "? half")


@pytest.mark.parametrize("started", [None, 7, "yesterday", "9999-12-31T23:59:59Z", "0001-01-01"])
def test_a_beginning_that_is_no_moment_does_no_harm(started: object, data_folder: Path) -> None:
    session = Session.resume(changed(data_folder, lambda data: data.update(started=started)))
    play_out(session)
    assert session.problem is None
    read_record(session.path.read_bytes())


def swap_hands(data: Any) -> None:
    hands = data["rounds"][0]["hands"]
    hands[0], hands[1] = hands[1], hands[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("private"),
        lambda data: data.update(private=[]),
        lambda data: data["private"].pop("seed"),
        lambda data: data["private"].update(seed="zz"),
        lambda data: data["private"].update(seed=73),
        lambda data: data["private"].update(seed=""),
        lambda data: data["private"].update(seed="74"),
        lambda data: data["private"].update(seed="00" * 5000),
        lambda data: data["private"].update(seat=1),
        lambda data: data["private"].update(seat=True),
        lambda data: data["private"].update(seat="x"),
        lambda data: data.update(bots=[None, None, "random", "random"]),
        lambda data: data.update(bots=[None, None, None, None]),
        lambda data: data.update(bots=["random"] * 4),
        lambda data: data.update(bots=[None, "random"]),
        lambda data: data.update(bots=[None, {"a": 1}, "random", "random"]),
        lambda data: data.update(first_round=2),
        swap_hands,
    ],
)
def test_a_damaged_file_is_named_and_left_alone(
    change: Callable[[Any], object], data_folder: Path
) -> None:
    path = changed(data_folder, change)
    written = path.read_bytes()
    with pytest.raises(NotReadable) as refused:
        Session.resume(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == written


@pytest.mark.parametrize("data", [b"", b"{", b"[" * 10000, b"\xff", b"7"])
def test_what_is_no_record_is_named(data: bytes, data_folder: Path) -> None:
    path = data_folder / "odd.rage.json"
    path.write_bytes(data)
    with pytest.raises(NotReadable, match="odd"):
        Session.resume(path)
    assert path.read_bytes() == data


def test_an_unknown_bot_in_a_file_is_named(data_folder: Path) -> None:
    bots = [None, "sphinx", "random", "random"]
    with pytest.raises(NotReadable, match="sphinx"):
        Session.resume(changed(data_folder, lambda data: data.update(bots=bots)))
