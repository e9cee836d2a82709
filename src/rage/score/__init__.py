"""The score sheet of a game with real cards (``docs/score.md``).

A :class:`Sheet` never changes: :mod:`rage.score.entering` returns a new one for each entry,
correction or change of seats, checked by :mod:`rage.score.checking`, so undoing means keeping the
old one. :mod:`rage.score.standing` computes points and winners; :mod:`rage.score.file`,
:mod:`rage.score.link` and :mod:`rage.score.spreadsheet` read and write sheets."""

from rage.score.entering import begin_round, correct, new_sheet
from rage.score.file import read_sheet, write_sheet
from rage.score.sheet import Sheet, SheetRound

__all__ = [
    "Sheet",
    "SheetRound",
    "begin_round",
    "correct",
    "new_sheet",
    "read_sheet",
    "write_sheet",
]
