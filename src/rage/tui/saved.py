"""Games saved on this computer, one file each.

An unfinished game is in the data folder itself: the log of its table (``docs/table.md``), including
the seed and all hands. Its first line names the format; each further line holds the events of one
command as a JSON list, and counts as a whole or not at all. A line is on disk before anyone sees
its effect, so an incomplete last line, left by a crash, was never seen and is ignored. A finished
game is a game record (``docs/record.md``) under ``games/``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from rage.bots import bot
from rage.bots.custom import is_custom
from rage.engine.deal import commitment
from rage.files import write_file
from rage.say import NotReadable, RageError, Reason
from rage.table import Event, Table, write_event
from rage.table.facts.events import event_of
from rage.tui.game_files import HEAD
from rage.tui.opening import PERSON

#: The last millisecond that a record can name.
_MAX_TIME: Final = 253402300799999
#: Errors that reading and folding events can raise if they are damaged or made elsewhere.
_DAMAGE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip


class SavedGame(NamedTuple):
    """A game read back: its table, and the events of each command that made it."""

    table: Table
    commands: list[list[Event]]


class Log:
    """The file of an unfinished game, for writing. It begins with the events of ``commands``."""

    def __init__(self, path: Path, commands: Sequence[Sequence[Event]]) -> None:
        self.path = path
        self._lines = [HEAD, *map(_line, commands)]
        # The size of the file, if all of it is known to be on disk.
        self._size: int | None = None

    def keep(self, events: Sequence[Event]) -> None:
        """Write the events of a command to disk, with any earlier ones missing there. After an
        ``OSError`` the next call tries all of them again."""
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
        """Append a line if the file is unchanged. Returns whether that succeeded."""
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


def load(path: Path) -> SavedGame:
    """The unfinished game of a file, ready to continue. Raises :class:`rage.NotReadable`, naming
    the file, if it is damaged, and leaves it unchanged."""
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
    """Fold the events of a line, and return them. Raises any of ``_DAMAGE`` if they don't fit."""
    if not isinstance(data, list) or not data:
        raise TypeError
    events = [event_of(each) for each in data]
    for event in events:
        if not 0 <= event.at <= _MAX_TIME:  # a clock that was set back dates earlier than before
            raise ValueError
        table.apply(event)
    return events


def _check(table: Table) -> None:
    """Raise :class:`rage.NotReadable` unless this is a game of one person and bots that can
    continue or is over, and its deals come from its seed."""
    state = table.state
    play = state.play
    if play is None or not (table.to_act is not None or (play.game.over and state.phase == "over")):
        raise NotReadable("saved.no_game")
    if [seat.person for seat in state.seats if seat.bot is None] != [PERSON]:
        raise NotReadable("saved.no_seat")
    for seat in state.seats:
        if seat.bot is not None and not is_custom(seat.bot):  # a custom one is not tried yet
            bot(seat.bot)
    dealt = all(each.deal == play.dealer.deal(each.number) for each in play.game.rounds)
    if not dealt or commitment(play.dealer.seed) != state.commitment:
        raise NotReadable("saved.other_seed")
