"""The files in which ``rage play`` keeps a game: what is refused, and when it is on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rage.game import Game
from rage.say import NotReadable
from rage.tui import saved


@pytest.mark.parametrize(
    "bots",
    [
        (None, None, "random"), (None, None, None), (None, "steady", None),
        ("random", "steady", "random"), (None, "random"),
    ],
)  # fmt: skip
def test_a_game_is_resumed_only_with_one_person_at_the_table(
    bots: tuple[str | None, ...], tmp_path: Path
) -> None:
    game = Game("poof+schedule:2.1", 3, seed=b"kept")
    path = saved.keep(tmp_path / "one.rage.json", game, (None, "steady", "random"), 0, "")
    assert saved.load(path).seat == 0
    path = saved.keep(tmp_path / "other.rage.json", game, bots, 0, "")
    written = path.read_bytes()
    with pytest.raises(NotReadable, match="other"):
        saved.load(path)
    assert path.read_bytes() == written


def test_a_game_is_on_the_disk_before_it_takes_the_place_of_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens to the machine, one of the two is whole: the new file is synced with all
    that is in it, and only then renamed."""
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
    game = Game("poof+schedule:1", 2, seed=b"kept")
    path = tmp_path / "one.rage.json"
    while True:
        done.clear()
        written = saved.keep(path, game, (None, "random"), 0, "")
        size = written.stat().st_size
        # A system may want the folder synced as well, after the renaming.
        assert done[:2] == [("sync", size), ("replace", size)]
        if game.over:
            break
        game.play(game.legal_moves()[0])
    assert written.parent.name == "games"
