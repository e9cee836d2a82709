"""Advice in a terminal: a sentence, and a bar for each move."""

from __future__ import annotations

from rich.text import Text

from rage.bots.advice import Advice, MoveAdvice
from rage.bots.advice_text import move_name, trick_chances, worlds_code
from rage.say import decimal, sentence, text
from rage.tui import look
from rage.tui.look import Look

#: The longest bar, in cells.
_BAR = 24


def advice_page(found: Advice, looks: Look) -> Text:
    """The sentence, the moves with their points and a bar each, and the number of worlds."""
    edition = looks.edition
    page = looks.highlight(sentence(found.reason, looks.language, edition=edition), look.WARM)
    page.append(f"\n\n{text('advice.head', looks.language)}\n")
    names = [move_name(each, looks.language, edition) for each in found.moves]
    widest = max(map(len, names))
    for name, each in zip(names, found.moves, strict=True):
        style = look.GOOD if each is found.best else look.PAPER
        points = decimal(each.points, "+6.1f", looks.language)
        page.append(f"{name:>{widest}} {points} ", style)
        page.append(f"{looks.glyph('bar') * bar_length(found, each)}\n", style)
    if chances := trick_chances(found, looks.language, edition):
        page.append(f"\n{chances}\n")
    return page.append(text(worlds_code(found), looks.language, n=found.worlds), look.QUIET)


def bar_length(found: Advice, each: MoveAdvice) -> int:
    """The length of a bar: one cell for the worst move, the full length for the best."""
    range_ = found.best.points - found.moves[-1].points
    share = (each.points - found.moves[-1].points) / range_ if range_ else 1.0
    return 1 + round(share * (_BAR - 1))
