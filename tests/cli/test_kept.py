"""The files in which ``rage play`` keeps a game: when they are on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rage.bots import bot
from rage.files import write_file
from rage.rules.editions import ruleset
from rage.table import Play
from rage.tui import game_files, saved
from rage.tui.opening import PERSON, open_table


def test_a_game_is_on_the_disk_before_it_takes_the_place_of_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens to the machine, one of the two is whole: the new file is synced with all
    that is in it, and only then renamed; and the new name is synced too. A line that is added
    is synced as well."""
    done: list[tuple[str, int]] = []
    sync, replace = os.fsync, os.replace

    def note_sync(handle: int) -> None:
        sync(handle)
        done.append(("sync", os.fstat(handle).st_size))

    def note_replace(source: str, target: Path) -> None:
        done.append(("replace", os.stat(source).st_size))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_replace)
    rules = ruleset("poof+schedule:1")
    table, opening = open_table(rules, ["A", "B"], [None, "random"], bytes(16), 0)
    log = saved.Log(tmp_path / "one.rage.jsonl", [opening])
    log.keep(())
    size = log.path.stat().st_size
    assert done[:2] == [("sync", size), ("replace", size)]
    assert [what for what, _ in done[2:]] == ["sync"] * (os.name == "posix")
    while table.phase == "playing":
        turn = table.bot_to_act()
        if turn is None:
            view = table.game_view(PERSON)
            assert view is not None
            command, actor = Play(table.ply, str(view.legal_moves[0])), PERSON
        else:
            command, actor = Play(turn.ply, str(bot(turn.bot).choose(turn.view))), None
        done.clear()
        log.keep(table.do(command, actor, 0))
        assert done == [("sync", log.path.stat().st_size)]
    done.clear()
    written = game_files.finish(log.path, table.record())
    size = written.stat().st_size
    assert done[:2] == [("sync", size), ("replace", size)]
    assert written.parent.name == "games"
    assert not log.path.exists()


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_only_its_player_may_read_a_game(tmp_path: Path) -> None:
    """It has the seed and all hands."""
    before = os.umask(0)
    try:
        write_file(tmp_path / "one.rage.jsonl", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "one.rage.jsonl").stat().st_mode & 0o777 == 0o600
