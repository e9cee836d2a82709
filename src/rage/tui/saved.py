"""Games kept on this computer: one file a game, written after every decision.

An unfinished game lies in the data folder itself, a finished one under ``games/``. Both are game
records (``docs/record.md``). Only the private file of an unfinished game holds the seed of the
rounds that are still to come, in a field of its own.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from rage.bots import bot
from rage.deal import commitment
from rage.game import Game
from rage.notation.reading import read_record
from rage.notation.record import record_of
from rage.notation.replaying import replay
from rage.notation.writing import write_record
from rage.say import NotAllowed, NotReadable, RageError, Reason

ENDING: Final = ".rage.json"
_PRIVATE: Final = "private"


class Kept(NamedTuple):
    """A game read back: the game, the bot of each seat (``None``: a person), the person's seat,
    and its other fields."""

    game: Game
    bots: tuple[str | None, ...]
    seat: int
    started: str


def folder() -> Path:
    """Where games are kept: ``RAGE_DATA``, or this system's usual place for a user's data."""
    if chosen := os.environ.get("RAGE_DATA"):
        return Path(chosen)
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "rage"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "rage"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "rage"


def now() -> str:
    """This moment as RFC 3339 writes it, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_path() -> Path:
    """A file for a new game; its name begins with the time, so that names sort by it."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return folder() / f"{stamp}-{secrets.token_hex(3)}{ENDING}"


def unfinished() -> list[Path]:
    """The files of unfinished games, the last one played first."""
    return sorted(folder().glob(f"*{ENDING}"), key=_changed, reverse=True)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def keep(path: Path, game: Game, bots: Sequence[str | None], seat: int, started: str) -> Path:
    """Write a game durably and answer with its file; a finished one moves to ``games/``.
    Raises ``OSError``."""
    assert game.dealer is not None
    seed = game.dealer.seed
    fields: dict[str, Any] = {
        "started": started,
        "bots": list(bots),
        "commitment": commitment(seed),
    }
    if not game.over:
        fields[_PRIVATE] = {"seed": seed.hex(), "seat": seat}
        _write(path, write_record(record_of(game, **fields)))
        return path
    done = path.parent / "games" / path.name
    _write(done, write_record(record_of(game, ended=now(), seed=seed.hex(), **fields)))
    path.unlink(missing_ok=True)
    return done


def _write(path: Path, data: bytes) -> None:
    """All of it or none: to a file beside it, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=path.name, suffix=".part", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


@contextlib.contextmanager
def played(path: Path) -> Iterator[None]:
    """Nobody else plays the game of a file meanwhile: the system holds a lock on a file beside
    it, and lets go of it however this ends. Raises :class:`rage.NotAllowed` where somebody does.
    Where there are no such locks, or no such folder, there is none."""
    beside = path.with_name(f"{path.name}.lock")
    try:
        import fcntl

        beside.parent.mkdir(parents=True, exist_ok=True)
        file = open(beside, "a")  # noqa: SIM115  # closed below, after the game
    except (ImportError, OSError):
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise NotAllowed("saved.busy", file=str(path)) from None
        yield
        beside.unlink(missing_ok=True)


def load(path: Path) -> Kept:
    """The unfinished game of a file, ready to go on. Raises :class:`rage.NotReadable`, which
    names the file, where it is damaged; the file stays as it is."""
    try:
        record = read_record(path.read_bytes())
        private = record.extra.get(_PRIVATE)
        if not isinstance(private, dict):
            raise NotReadable("saved.no_seed")
        bots = _bots(record.extra.get("bots"), len(record.players))
        seat = private.get("seat")
        if type(seat) is not int or not 0 <= seat < len(bots) or bots[seat] is not None:
            raise NotReadable("saved.no_seat")
        game = _again(replay(record), _seed(private.get("seed")))
    except OSError as error:
        why = Reason("saved.os", {"error": error.strerror or str(error)})
        raise NotReadable("saved.damaged", file=str(path), why=why) from None
    except RageError as error:
        raise NotReadable("saved.damaged", file=str(path), why=error.reason) from None
    return Kept(game, bots, seat, str(record.extra.get("started", "")))


def _seed(value: object) -> bytes:
    try:
        return bytes.fromhex(value) if isinstance(value, str) and value else _no_seed()
    except ValueError:
        return _no_seed()


def _no_seed() -> bytes:
    raise NotReadable("saved.no_seed")


def _bots(value: object, players: int) -> tuple[str | None, ...]:
    """The bots by seat, with one person among them, if all of them are known."""
    if (
        isinstance(value, list)
        and len(value) == players
        and all(each is None or isinstance(each, str) for each in value)
        and value.count(None) == 1
    ):
        for each in value:
            if each is not None:
                bot(each)
        return tuple(value)
    raise NotReadable("saved.no_seat")


def _again(played: Game, seed: bytes) -> Game:
    """The same game from its seed, so that it can deal the rounds to come."""
    game = Game(played.rules, played.names, seed=seed, first_round=played.first_round)
    for current in played.rounds:
        if game.over or game.rounds[-1].deal != current.deal:
            raise NotReadable("saved.other_seed")
        for move in current.moves():
            game.play(move)
    return game
