"""A table as text and as a picture, for the render modes of environments."""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rage.engine.position import Position
from rage.rules.cards import CARD_CODES, LETTERS, MOVE_CODES

MODES: Final = ("ansi", "human", "rgb_array")

#: The size of a card, and the height of a line, in pixels.
_CARD: Final = (34, 48)
_LINE: Final = 64
#: Where the columns begin: the cards of the trick, and the hands.
_TRICK, _HAND = 210, 260
#: The colours of the picture: the cloth, paper and ink, and the colours of the cards.
_CLOTH, _PAPER, _INK = "#141b23", "#f7f1e6", "#0b0d12"
_COLOURS: Final = ("#bc3344", "#e37b0a", "#f1ea21", "#7bd1a5", "#16729f", "#bc8ce3")


#: Red and blue, on which paper is easier to read than ink.
_DARK: Final = (0, 4)


def rendered(mode: str | None, position: Position) -> str | NDArray[np.uint8] | None:
    """The table: as text (``ansi``), printed (``human``), or as a picture (``rgb_array``)."""
    if mode == "rgb_array":
        return picture(position)
    if mode == "human":
        sys.stdout.write(f"{text(position)}\n\n")
        return None
    return text(position) if mode == "ansi" else None


def text(position: Position) -> str:
    """The table in plain text, with the hands that the position has."""
    lines = [_head(position)]
    for seat in range(position.rules.players):
        hand = " ".join(CARD_CODES[card] for card in position.hand(seat))
        lines.append(f"{_line(position, seat)}  {_played(position, seat):3} {hand}".rstrip())
    return "\n".join(lines)


def picture(position: Position) -> NDArray[np.uint8]:
    """The table as an RGB picture (height, width, 3)."""
    from PIL import Image, ImageDraw

    players = position.rules.players
    cards = max(position.rules.ruleset.schedule)
    size = (_HAND + cards * (_CARD[0] + 4) + 12, (players + 1) * _LINE)
    image = Image.new("RGB", size, _CLOTH)
    draw = ImageDraw.Draw(image)
    draw.text((12, 22), _head(position), _PAPER, font_size=16)
    for seat in range(players):
        top = (seat + 1) * _LINE
        draw.text((12, top + 14), _line(position, seat), _PAPER, font_size=16)
        if played := _played(position, seat):
            _draw_card(draw, _TRICK, top, played)
        for at, card in enumerate(position.hand(seat)):
            _draw_card(draw, _HAND + at * (_CARD[0] + 4), top, CARD_CODES[card])
    return np.array(image)


def _head(position: Position) -> str:
    trump = "none" if position.trump is None else LETTERS[position.trump]
    number = min(position.round + 1, len(position.rules.ruleset.schedule))
    return f"round {number}, {position.hand_size} cards, trump {trump}"


def _line(position: Position, seat: int) -> str:
    """A seat: whether it is to act, its bid, its tricks and its points so far."""
    bid = position.bids[seat]
    score = position.scores[seat % len(position.scores)]
    return (
        f"{'>' if position.to_act == seat else ' '} {seat}: bid {'-' if bid is None else bid}, "
        f"won {position.won[seat]}, {score} points"
    )


def _played(position: Position, seat: int) -> str:
    """The move of a seat in the trick under way."""
    at = (seat - (position.leader or 0)) % position.rules.players
    trick = position.trick
    return MOVE_CODES[trick[at]] if at < len(trick) else ""


def _draw_card(draw: Any, left: int, top: int, code: str) -> None:
    """Draw a card with its code; action cards are white, with a frame in the colour they call."""
    colour = LETTERS.find(code[0])
    called = LETTERS.find(code[1:2]) if len(code) == 2 and colour < 0 else -1
    box = (left, top + 4, left + _CARD[0], top + 4 + _CARD[1])
    edge = _COLOURS[called] if called >= 0 else _INK
    fill = _COLOURS[colour] if colour >= 0 else _PAPER
    draw.rounded_rectangle(box, 6, fill, edge, 3 if called >= 0 else 1)
    label = code[1:] if colour >= 0 else code[0]
    middle = (left + _CARD[0] / 2, top + 4 + _CARD[1] / 2)
    ink = _PAPER if colour in _DARK else _INK
    draw.text(middle, label, ink, font_size=18, anchor="mm")
