"""The person's hand and the row of possible bids, and which cells belong to which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.style import Style
from rich.text import Text

from rage.game.scene import Scene, moves_of
from rage.tui import look
from rage.tui.look import Look

_MIN_CARD_WIDTH = 4
_CURSOR = Style(color=look.WARM, bold=True)


class Row(NamedTuple):
    """A drawn row of cards or bids, with the first cell, last cell and index of each."""

    text: Text
    places: tuple[tuple[int, int, int], ...]

    def at(self, x: int) -> int | None:
        """The index of the card or bid in column ``x``; ``None`` between them."""
        return next((index for first, last, index in self.places if first <= x <= last), None)


def hand(scene: Scene, looks: Look, cursor: int, width: int, height: int) -> Row:
    """The sorted hand in ``width`` by ``height`` cells; playable cards are raised and brighter, and
    the chosen one has a mark under it."""
    cards = scene.hand
    if not cards:
        return Row(Text(), ())
    show = scene.my_turn and not scene.bidding
    playable = [show and bool(moves_of(scene.view, card)) for card in cards]
    wide, start, count = _spread(len(cards), cursor, width, height)
    rise = 1 if height >= 5 else 0
    tall = max(height - 1 - rise, 1)
    pad = (width - wide * count) // 2
    blocks = []
    places = []
    for index in range(start, start + count):
        code = str(cards[index])
        face = wide - (1 if wide > _MIN_CARD_WIDTH else 0)
        block = _card(code, looks, face, tall, rise, playable[index], show)
        if face == wide and tall > 1 and index + 1 < start + count:
            _separate(block[tall - 1 + (0 if playable[index] else rise)], looks)
        block.append(_marker(looks, index == cursor, playable[index], face))
        blocks.append([Text.assemble(line, " " * (wide - face)) for line in block])
        left = pad + (index - start) * wide
        places.append((left, left + wide - 1, index))
    lines = [
        _edge(looks, pad, start > 0 and row == rise).append_text(Text().join(parts))
        for row, parts in enumerate(zip(*blocks, strict=True))
    ]
    return Row(Text("\n").join(lines), tuple(places))


def _edge(looks: Look, pad: int, more: bool) -> Text:
    return Text((looks.glyph("dots")[:1] if more and pad else "").ljust(pad), look.QUIET)


def _spread(cards: int, cursor: int, width: int, height: int) -> tuple[int, int, int]:
    """The width of a card, the first card shown and the number shown, around the chosen one if not
    all fit."""
    widest = max(6, min(12, height + 3))
    wide = max(min(width // cards, widest), _MIN_CARD_WIDTH)
    count = max(min(cards, width // wide), 1)
    start = max(0, min(cursor - count // 2, cards - count))
    return wide, start, count


def _card(
    code: str, looks: Look, wide: int, tall: int, rise: int, playable: bool, show: bool
) -> list[Text]:
    dim = show and not playable
    lines = [looks.chip(code, wide)] if tall == 1 else looks.face(code, wide, tall, dim=dim)
    if tall == 1 and dim:
        lines[0].stylize("dim")
    gap = [Text(" " * wide)] * rise
    return [*lines, *gap] if playable else [*gap, *lines]


def _separate(band: Text, looks: Look) -> None:
    """Mark the end of a card without a gap after it, in the last cell of its band."""
    band.right_crop(1)
    band.append(looks.glyph("part"), Style(color=look.PAPER, bgcolor=look.INK))


def _marker(looks: Look, chosen: bool, playable: bool, wide: int) -> Text:
    if chosen:
        return Text((looks.glyph("point") * (1 if wide < 5 else 3)).center(wide), _CURSOR)
    return Text((looks.glyph("dot") if playable else " ").center(wide), look.QUIET)


def bids(scene: Scene, cursor: int, width: int) -> Row:
    """The possible bids in one line, the chosen one marked, illegal ones struck out."""
    size = scene.round.hand_size
    legal = {move.tricks for move in scene.view.legal_moves} if scene.bidding else set()
    wide = 4 if (size + 1) * 4 <= width else 3
    count = max(min(size + 1, width // wide), 1)
    start = max(0, min(cursor - count // 2, size + 1 - count))
    pad = (width - wide * count) // 2
    line = Text(" " * pad)
    places = []
    for bid in range(start, start + count):
        line.append(_number(bid, bid == cursor, wide - 1), _bid_style(bid in legal, bid == cursor))
        line.append(" ")
        left = pad + (bid - start) * wide
        places.append((left, left + wide - 1, bid))
    return Row(line, tuple(places))


def _number(bid: int, chosen: bool, wide: int) -> str:
    return f"[{bid}]"[: wide + 1].center(wide) if chosen and bid < 10 else str(bid).center(wide)


def _bid_style(legal: bool, chosen: bool) -> Style:
    if chosen:
        return Style(color=look.INK, bgcolor=look.WARM if legal else look.BAD, bold=True)
    if legal:
        return Style(color=look.PAPER, bgcolor=look.LINE)
    return Style(color=look.QUIET, bgcolor=look.RAISED, strike=True)


def nearest(legal: Sequence[int], cursor: int) -> int:
    """The legal index nearest to the cursor; the cursor itself if nothing is legal."""
    return min(legal, key=lambda index: abs(index - cursor)) if legal else cursor
