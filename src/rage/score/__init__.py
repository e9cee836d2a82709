"""The score sheet of a game with real cards (``docs/score.md``).

A :class:`Sheet` never changes. :mod:`rage.score.checking` says what it may hold,
:mod:`rage.score.bidding` whose bids may be seen, :mod:`rage.score.standing` points and winners;
:mod:`rage.score.file`, :mod:`rage.score.link` and :mod:`rage.score.spreadsheet` read and write
sheets. People fill them in on the page (``web/src/sheet``)."""

from rage.score.file import read_sheet, write_sheet
from rage.score.sheet import Sheet, SheetRound

__all__ = [
    "Sheet",
    "SheetRound",
    "read_sheet",
    "write_sheet",
]
