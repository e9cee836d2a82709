"""Whether the rows of a store are still what was written: each has a checksum.

SQLite notices pages that it cannot read, but no database notices readable rows with other content.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import msgpack

from rage.house.base.codes import table_fingerprint
from rage.say import Reason

_encode: Final = msgpack.Encoder().encode
#: Columns outside of the checksum, which is the last column of each table: a summary has its own.
UNCHECKED: Final = {"tables": ("summary", "stale")}


def checksum(name: str, *values: object) -> int:
    """The checksum of a row of a table, from its values in the order of the columns; one that is
    never stored if a text is damaged."""
    try:
        return zlib.crc32(_encode((name, values)))
    except UnicodeEncodeError:
        return -1


def sealed(name: str, *values: object) -> tuple[object, ...]:
    """The values of a row of a table, and its checksum."""
    return (*values, checksum(name, *values))


def seal_summary(table: str, summary: bytes) -> bytes:
    """A summary of a table as stored, with its checksum."""
    return b"%08x" % checksum("summary", table, summary) + summary


def stored_summary(table: str, stored: bytes | None) -> bytes | None:
    """The stored summary of a table; ``None``, so that it is derived again, if it is missing or
    damaged."""
    if stored is None or stored != seal_summary(table, stored[8:]):
        return None
    return stored[8:]


def _summarized(table: str, stored: bytes | None) -> int:
    """The number of the last event of a table as its stored summary has it, in the last place (0:
    there is no summary, or one in another form)."""
    summary = stored_summary(table, stored)
    seq = None if summary is None else json.loads(summary)[-1]
    return seq if isinstance(seq, int) else 0


def snapshot_json(data: bytes) -> bytes:
    """A snapshot as JSON; a finished table's is stored compressed."""
    return data if data[:1] == b"{" else zlib.decompress(data)


class Look:
    """Checks the rows of a store: its events in order, then its snapshots, then the rest. ``name``
    names a game table in the problems; ``old``: whether rows may lack checksums, because an earlier
    version wrote them; ``at_once``: whether all rows are of one moment, so that a row is missing if
    another names it."""

    def __init__(
        self,
        name: Callable[[str], str] = table_fingerprint,
        *,
        old: bool = True,
        at_once: bool = False,
    ) -> None:
        self._name = name
        self._old = old
        self._at_once = at_once
        # By game table: the first and the last number of each gap in its events, and what else
        # cannot be read.
        self._gaps: dict[str, list[tuple[int, int]]] = {}
        self._unreadable: dict[str, object] = {}
        self._others: dict[object, Reason] = {}
        self._damaged: Counter[str] = Counter()  # by table of the store, its other damaged rows
        self._last: tuple[str, int] = "", 0  # of the events
        self._ends: dict[str, int] = {}  # by game table, the last number of an event or snapshot
        self._listed: set[str] = set()  # game tables that have an entry, sound or not
        self._games: set[tuple[str, int]] = set()  # sound finished games

    @property
    def suspects(self) -> list[str]:
        """The game tables that cannot be read."""
        return [*self._places]

    @property
    def _places(self) -> dict[str, object]:
        """By game table, the first unreadable place."""
        return {**self._unreadable, **{table: gaps[0][0] for table, gaps in self._gaps.items()}}

    @property
    def problems(self) -> list[Reason]:
        """All damage, once every row was checked."""
        tables = [
            Reason("store.unreadable", {"table": self._name(table), "place": place})
            for table, place in self._places.items()
        ]
        unlisted = sorted(self._ends.keys() - self._listed) if self._at_once else ()
        tables += [Reason("store.unlisted", {"table": self._name(each)}) for each in unlisted]
        return tables + self.others

    @property
    def others(self) -> list[Reason]:
        """The problems that are not about game tables."""
        return list(self._others.values())

    def note(self, problem: Reason) -> None:
        """Add a problem that was found by other means."""
        self._others[problem.code] = problem

    def sound(
        self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> list[tuple[Any, ...]]:
        """The undamaged rows of a table, with their checksums, which rows of an earlier version
        lack."""
        left_out = UNCHECKED.get(table, ())
        places = [n for n, each in enumerate(columns[:-1]) if each not in left_out]
        found = []
        for row in rows:
            *values, stored = row
            made = checksum(table, *[values[place] for place in places])
            whole = stored == made or (self._old and stored is None and is_readable(table, row))
            self._note(table, row, whole=whole)
            if whole and not (table == "players" and self._lacks_game(row[1], row[2])):
                if table == "tables" and stored_summary(row[0], values[-2]) is None:
                    values[-2:] = None, 1
                found.append((*values, made))
        return found

    def _note(self, table: str, row: Sequence[Any], *, whole: bool) -> None:
        """Note what a row says about a game table, and whether it is damaged."""
        key, place, *_ = row
        if table == "tables":
            self._listed.add(key)
        elif table == "games" and whole:
            self._games.add((key, place))
        if table in ("events", "snapshots") and type(key) is str and type(place) is int:
            self._ends[key] = max(place, self._ends.get(key, 0))
            if table == "events":
                self._follow(key, place, whole=whole)
            elif whole:
                gaps = self._gaps.pop(key, [])
                if after := [(max(a, place + 1), b) for a, b in gaps if b > place]:
                    self._gaps[key] = after  # the others are not needed
            else:
                self._unreadable[key] = "snapshot"
        elif table == "tables" and whole:
            end = self._ends.get(key, 0)
            if end < (max(1, _summarized(key, row[-3])) if self._at_once else 1):
                self._unreadable.setdefault(key, end + 1)
        elif not whole and table == "games":
            about = {"table": self._name(str(key)), "game": str(place)}
            self._others[key, place] = Reason("store.damaged_game", about)
        elif not whole:
            self._damaged[table] += 1
            n = self._damaged[table]
            self._others[table] = Reason("store.damaged_rows", {"rows": table, "n": n})

    def _lacks_game(self, table: str, game: int) -> bool:
        """Whether a game that somebody has in their list is missing, or damaged: notes it."""
        if missing := self._at_once and (table, game) not in self._games:
            about = {"table": self._name(table), "game": str(game)}
            self._others.setdefault((table, game), Reason("store.damaged_game", about))
        return missing

    def _follow(self, table: str, seq: int, *, whole: bool) -> None:
        """Note the gap before an event, if there is one, or which it makes itself."""
        before, self._last = self._last, (table, seq)
        first = before[1] + 1 if table == before[0] else 1
        if (last := seq - whole) >= first:
            self._gaps.setdefault(table, []).append((first, last))


def is_readable(table: str, row: Sequence[Any]) -> bool:
    """Return whether a row without a checksum can be read: an event, a snapshot, or a finished
    game, whose record must end as its line in a list of games says."""
    from rage.notation import parse_record, replay  # not for the process that writes
    from rage.table import Table, read_event

    try:
        if table == "events":
            return bool(read_event(row[3]).seq == row[1])
        if table == "snapshots":
            return bool(Table.from_snapshot(snapshot_json(row[3])).seq == row[1])
        if table == "games":
            record, said = parse_record(zlib.decompress(row[4])), json.loads(row[3])["scores"]
            replay(record)
            return list(record.scores or ()) == said and bool(said[0] == row[6])
    except Exception:  # whatever is wrong with it
        return False
    return True
