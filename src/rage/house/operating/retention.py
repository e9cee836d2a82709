"""How long unused tables and finished games are kept."""

from __future__ import annotations

from typing import Final, NamedTuple

from rage.house.limits import REPORT_DAYS
from rage.house.people.identity import COOKIE_SECONDS
from rage.house.store import Expiry
from rage.rules.number import read_number
from rage.say import NotReadable

MAX_DAYS: Final = 36_500
_FOREVER: Final = "forever"
_DAY: Final = 24 * 3600 * 1000


class Retention(NamedTuple):
    """How many days (``None``: forever) these are kept: tables where no game was begun, tables
    where one was begun but not finished, tables whose game is over, and finished games."""

    unstarted: int | None = 2
    abandoned: int | None = 60
    finished: int | None = 30
    games: int | None = 400

    def expiry(self, now: int) -> Expiry:
        """The times before which something must have been last used to be removed ``now``
        (milliseconds). A name is kept as long as games are, counted from when it was chosen; if
        games are kept forever, for 400 days, like a cookie."""

        def before(days: int | None) -> int | None:
            return None if days is None else now - days * _DAY

        games = before(self.games)
        return Expiry(
            before(self.unstarted),
            before(self.abandoned),
            before(self.finished),
            games,
            names=now - 1000 * COOKIE_SECONDS if games is None else games,
            reports=now - REPORT_DAYS * _DAY,
        )


#: How long things are kept unless configured.
DEFAULT_RETENTION: Final = Retention()


def read_retention(text: str) -> Retention:
    """The value of ``--keep``, such as ``unstarted=1,games=forever``; anything it does not name
    keeps its default. Raises :class:`rage.NotReadable`."""
    found: dict[str, int | None] = {}
    for term in filter(None, (each.strip() for each in text.split(","))):
        name, _, days = (part.strip() for part in term.partition("="))
        if name not in Retention._fields or name in found:
            raise NotReadable("serve.keep", term=term, allowed=", ".join(Retention._fields))
        number = read_number(days, 0, MAX_DAYS)
        if number is None and days != _FOREVER:
            raise NotReadable("serve.keep_days", term=term, most=MAX_DAYS)
        found[name] = number
    return Retention(**found)
