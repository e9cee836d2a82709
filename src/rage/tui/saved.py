"""Games saved on this computer, one file each.

An unfinished game lies in the data folder itself: the log of its table (``docs/table.md``), seed
and all hands included. Its first line names the format; each further line holds the events of one
command as a JSON list, and counts as a whole or not at all. A line is on disk before anybody sees
its effect, so an incomplete last line, left by a crash, was never seen and is ignored. A finished
game is a game record (``docs/record.md``) under ``games/``."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from rage.bots import bot
from rage.bots.custom import is_custom
from rage.engine.deal import commitment
from rage.files import InUse, data_folder, lock
from rage.notation.record import Record
from rage.notation.writing import write_record
from rage.say import NotAllowed, NotReadable, RageError, Reason
from rage.table import Event, Table, write_event
from rage.table.events import event_of
from rage.tui.opening import PERSON

RECORD: Final = ".rage.json"
LOG: Final = ".rage.jsonl"
HEAD: Final = b'{"format": "rage-table", "version": 1}\n'
#: The last millisecond that a record can name.
_MAX_TIME: Final = 253402300799999
#: What reading and folding events may raise if they were damaged or made elsewhere.
_DAMAGE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


class SavedGame(NamedTuple):
    """A game read back: its table, and the events of each command that made it."""

    table: Table
    commands: list[list[Event]]


def storage_problem() -> str | None:
    """Why games cannot be saved, as the system words it; ``None`` if they can."""
    place = data_folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return None
    except OSError as error:
        return error.strerror or str(error)


def new_path() -> Path:
    """A file for a new game; its name begins with the time, so that names sort by it."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    return data_folder() / f"{stamp}-{secrets.token_hex(3)}{LOG}"


def unfinished_games() -> list[Path]:
    """The files of unfinished games, the last one played first."""
    return sorted(data_folder().glob(f"*{LOG}"), key=changed_at, reverse=True)


def finished_games() -> list[Path]:
    """The records of finished games, the last one first."""
    return sorted((data_folder() / "games").glob(f"*{RECORD}"), key=changed_at, reverse=True)


def name_of_game(path: Path) -> str:
    """The name of a saved game: its file's name without the ending."""
    return _sibling(path, "").name


def games_named(name: str, among: Iterable[str]) -> list[str]:
    """The games that a name stands for: the one with exactly that name, or else all whose names
    contain it."""
    names = list(among)
    return [name] if name in names else [each for each in names if name and name in each]


def remove(path: Path) -> None:
    """Delete all files of a game. Raises ``OSError``, and :class:`rage.NotAllowed` while it is
    being played."""
    log = data_folder() / f"{name_of_game(path)}{LOG}"
    with lock_game(log):
        for each in (log, _record_of(log)):
            each.unlink(missing_ok=True)
            if each.parent.exists():
                _sync(each.parent)


def _sibling(path: Path, ending: str) -> Path:
    """The file with another ending that belongs to the same game."""
    return path.with_name(path.name.removesuffix(LOG).removesuffix(RECORD) + ending)


def _record_of(path: Path) -> Path:
    """Where the record of an unfinished game will be."""
    return _sibling(path.parent / "games" / path.name, RECORD)


def changed_at(path: Path) -> float:
    """When a file was last changed; 0 if unknown."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


class Log:
    """The file of an unfinished game, for writing. It begins with the events of ``commands``."""

    def __init__(self, path: Path, commands: Sequence[Sequence[Event]]) -> None:
        self.path = path
        self._lines = [HEAD, *map(_line, commands)]
        # How long the file is, where all of it is known to be on the disk.
        self._size: int | None = None

    def keep(self, events: Sequence[Event]) -> None:
        """Write the events of a command to disk, and any before them that are missing there. After
        an ``OSError`` the next call tries all of them again."""
        size, self._size = self._size, None
        if events:
            self._lines.append(_line(events))
            if size is not None and self._appended(size, self._lines[-1]):
                self._size = size + len(self._lines[-1])
                return
        whole = b"".join(self._lines)
        write_file(self.path, whole)
        self._size = len(whole)

    def _appended(self, size: int, line: bytes) -> bool:
        """Append a line if the file is as it was left. Returns ``False`` if that failed."""
        try:
            with open(self.path, "r+b") as file:
                if file.seek(0, os.SEEK_END) != size:
                    return False
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return False
        return True


def _line(events: Sequence[Event]) -> bytes:
    return b"[%b]\n" % b",".join(map(write_event, events))


def finish(path: Path, record: Record) -> Path:
    """Write the record of a finished game under ``games/``, delete its log and return the record's
    file. Raises ``OSError``."""
    done = _record_of(path)
    write_file(done, write_record(record))
    _sync(path.parent)  # it may be the first one there
    path.unlink(missing_ok=True)
    return done


def write_file(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replace a file durably, as a whole or not at all; a link stays a link. The file keeps its
    permissions; a new one is private to its owner, unless ``mode`` says otherwise."""
    path = Path(os.path.realpath(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}{secrets.token_hex(4)}.part")
    try:
        with open(part, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):  # there is none yet, or no modes here
            shutil.copymode(path, part)
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    _sync(path.parent)


def _sync(place: Path) -> None:
    """Make the names of the files in a folder durable."""
    if os.name != "posix":  # other systems cannot open a folder
        return
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def lock_game(path: Path) -> Iterator[None]:
    """A context in which no other process can play the game of a file. It locks a file beside it,
    which the system releases however the program ends. Raises :class:`rage.NotAllowed` if another
    process plays it. Without locks or the folder, nothing is locked."""
    beside = _sibling(path, f"{LOG}.lock")
    with contextlib.ExitStack() as stack:
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(lock(beside, keep=False))
        except InUse:
            raise NotAllowed("saved.busy", file=str(path)) from None
        except OSError:
            pass
        yield


def load(path: Path) -> SavedGame:
    """The unfinished game of a file, ready to continue. Raises :class:`rage.NotReadable`, naming
    the file, if it is damaged; the file stays as it is."""
    try:
        return _read(path.read_bytes())
    except OSError as error:
        why = Reason("saved.os", {"error": error.strerror or str(error)})
        raise NotReadable("saved.damaged", file=str(path), why=why) from None
    except RageError as error:
        raise NotReadable("saved.damaged", file=str(path), why=error.reason) from None


def _read(data: bytes) -> SavedGame:
    """The game of a log; anything after its last line feed never counted."""
    if not data.startswith(HEAD):
        raise NotReadable("saved.no_log")
    table, commands = Table(), list[list[Event]]()
    for number, line in enumerate(data.split(b"\n")[1:-1], 2):
        try:
            commands.append(_apply(table, msgspec.json.decode(line)))
        except _DAMAGE:
            raise NotReadable("saved.line", line=number) from None
    _check(table)
    return SavedGame(table, commands)


def _apply(table: Table, data: object) -> list[Event]:
    """The events of a line, folded. Raises any of ``_DAMAGE`` where they don't fit."""
    if not isinstance(data, list) or not data:
        raise TypeError
    events = [event_of(each) for each in data]
    for event in events:
        if not 0 <= event.at <= _MAX_TIME:  # a clock that was set back dates earlier than before
            raise ValueError
        table.apply(event)
    return events


def _check(table: Table) -> None:
    """Raises :class:`rage.NotReadable` unless this is a game of one person and bots that can
    continue or is over, and its deals come from its seed."""
    state = table.state
    play = state.play
    if play is None or not (table.to_act is not None or (play.game.over and state.phase == "over")):
        raise NotReadable("saved.no_game")
    if [seat.person for seat in state.seats if seat.bot is None] != [PERSON]:
        raise NotReadable("saved.no_seat")
    for seat in state.seats:
        if seat.bot is not None and not is_custom(seat.bot):  # those are not tried before they play
            bot(seat.bot)
    dealt = all(each.deal == play.dealer.deal(each.number) for each in play.game.rounds)
    if not dealt or commitment(play.dealer.seed) != state.commitment:
        raise NotReadable("saved.other_seed")
