"""Games kept on this computer: written durably, read back exactly, never lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from rage.editions import ruleset
from rage.game import Game
from rage.notation.reading import read_record
from rage.say import NotAllowed, NotReadable
from rage.tui import saved
from rage.tui.session import Session


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGE_DATA", str(tmp_path))
    return tmp_path


def session(rules: str = "amigo+schedule:3.2", seed: bytes = b"s") -> Session:
    return Session.start(ruleset(rules), ["A", "B", "C"], ["random"], seed)


def act(of: Session) -> None:
    """One decision, whoever makes it."""
    of.play(of.view().legal_moves()[0] if of.my_turn else of.thought())


def test_every_decision_is_on_the_disk_before_the_next() -> None:
    one = session()
    while not one.over:
        act(one)
        if one.over:
            break
        again = saved.load(one.path)
        assert again.game.position.fields() == one._game.position.fields()
        assert again.bots == (None, "random", "random")
        assert again.seat == 0


def test_a_resumed_game_deals_the_same_rounds() -> None:
    one = session()
    for _ in range(5):
        act(one)
    again = Session.resume(one.path)
    while not one.over:
        move = one.view().legal_moves()[0] if one.my_turn else one.thought()
        one.play(move)
        again.play(move)
    assert [each.deal for each in again._game.rounds] == [each.deal for each in one._game.rounds]
    assert again._game.scores == one._game.scores


def test_a_finished_game_is_a_public_record_with_its_seed(data_folder: Path) -> None:
    one = session(seed=b"open in the end")
    while not one.over:
        act(one)
    assert not list(data_folder.glob("*.rage.json"))
    record = read_record(one.path.read_bytes())
    assert one.path.parent == data_folder / "games"
    assert record.extra["seed"] == b"open in the end".hex()
    assert record.extra["bots"] == [None, "random", "random"]
    assert "private" not in record.extra
    assert record.winners == one._game.winners


def test_the_seed_stays_private_while_the_game_is_under_way() -> None:
    record = read_record(session().path.read_bytes())
    assert "seed" not in record.extra
    assert record.extra["private"]["seed"] == b"s".hex()


def test_unfinished_games_are_found_the_last_played_first(data_folder: Path) -> None:
    first, second = session(), session()
    os.utime(first.path, (2, 2))
    os.utime(second.path, (1, 1))
    (data_folder / "notes.txt").write_text("not a game")
    assert saved.unfinished() == [first.path, second.path]


def damaged(data: bytes) -> bytes:
    value = json.loads(data)
    value["rounds"][0]["hands"][0], value["rounds"][0]["hands"][1] = (
        value["rounds"][0]["hands"][1],
        value["rounds"][0]["hands"][0],
    )
    return json.dumps(value).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[: len(data) // 2],
        lambda data: b"",
        lambda data: b"\xff\xfe" + data,
        lambda data: b"[" * 10000,
        lambda data: data.replace(b'"private"', b'"forgotten"'),
        lambda data: data.replace(b'"seed": "73"', b'"seed": "zz"'),
        lambda data: data.replace(b'"seed": "73"', b'"seed": 73'),
        lambda data: data.replace(b'"seed": "73"', b'"seed": "74"'),
        lambda data: data.replace(b'"seat": 0', b'"seat": 1'),
        lambda data: data.replace(b'"seat": 0', b'"seat": "x"'),
        lambda data: data.replace(b"[null,", b"[null, null,"),
        lambda data: data.replace(b'"random"', b'{"a": 1}'),
        damaged,
    ],
)
def test_a_damaged_file_is_named_and_left_alone(spoil: object) -> None:
    path = session().path
    assert callable(spoil)
    spoiled = spoil(path.read_bytes())
    assert spoiled != path.read_bytes()
    path.write_bytes(spoiled)
    with pytest.raises(NotReadable) as refused:
        Session.resume(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == spoiled


def test_an_unknown_bot_in_a_file_is_named() -> None:
    path = session().path
    path.write_bytes(path.read_bytes().replace(b'"random"', b'"sphinx"'))
    with pytest.raises(NotReadable, match="sphinx") as refused:
        Session.resume(path)
    assert str(path) in str(refused.value)


def test_a_broken_write_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    one = session()
    before = one.path.read_bytes()

    def fails(_from: str, _to: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    act(one)
    assert one.path.read_bytes() == before
    assert one.problem is not None
    assert one.problem.params["error"] == "No space left on device"
    assert [each.name for each in one.path.parent.iterdir()] == [one.path.name]
    monkeypatch.undo()


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
    with saved.played(one.path), refused, saved.played(one.path):
        pass
    with saved.played(one.path):
        pass
    assert [each.name for each in one.path.parent.iterdir()] == [one.path.name]


def test_where_games_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert saved.folder() == tmp_path
    monkeypatch.delenv("RAGE_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert saved.folder() == tmp_path / "xdg" / "rage"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert saved.folder() == tmp_path / ".local" / "share" / "rage"


def test_names_of_any_kind_are_kept() -> None:
    names = ["\x1b[31mEve", "‮evil", ""]
    one = Session.start(ruleset("poof+schedule:1"), names, ["random"], b"x")
    assert one.problem is None
    assert isinstance(saved.load(one.path).game, Game)
    assert saved.load(one.path).game.names == tuple(names)
