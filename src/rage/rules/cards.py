"""Colours, ranks, action cards and moves as small integers, and their codes as text.

A *card* is a number from 0 to 100: the coloured cards are ``16 * colour + rank`` (0..95), then come
the five kinds of action card (96..100). A *move* is a number from 0 to 127: one decision, so a Wild
and the colour it is called are one move, and so are a Change and the colour named. Their codes are
defined in ``docs/record.md``.
"""

from __future__ import annotations

from typing import Final

LETTERS: Final = "ROYGBP"  # of the colours: red, orange, yellow, green, blue, purple
N_COLOURS: Final = 6
N_RANKS: Final = 16
N_COLOURED: Final = 96

#: The five kinds of action card, in the order of the pack, as card numbers.
WILD: Final = 96
CHANGE: Final = 97
OUT: Final = 98
BONUS: Final = 99
MAD: Final = 100
N_CARDS: Final = 101
ACTIONS: Final = ("wild", "change", "out", "bonus", "mad")

#: Where the moves of each kind begin.
PLAY_WILD: Final = 96  # + colour called
PLAY_CHANGE: Final = 102  # + colour named
PLAY_CHANGE_TURNED_UP: Final = 108  # a Change that turns up the new trump
PLAY_OUT: Final = 109
PLAY_BONUS: Final = 110
PLAY_MAD: Final = 111
BID: Final = 112  # + number bid
N_MOVES: Final = 128
MAX_BID: Final = N_MOVES - BID - 1

CARD_CODES: Final = tuple(f"{c}{r}" for c in LETTERS for r in range(N_RANKS)) + tuple("WCX+-")
MOVE_CODES: Final = (
    CARD_CODES[:N_COLOURED]
    + tuple(f"W{c}" for c in LETTERS)
    + tuple(f"C{c}" for c in LETTERS)
    + ("C", "X", "+", "-")
    + tuple(str(bid) for bid in range(MAX_BID + 1))
)
CARD_NUMBERS: Final = {code: card for card, code in enumerate(CARD_CODES)}
MOVE_NUMBERS: Final = {code: move for move, code in enumerate(MOVE_CODES)}

#: The card that each move except a bid puts on the table.
CARD_OF_MOVE: Final = tuple(range(N_COLOURED)) + (WILD,) * 6 + (CHANGE,) * 7 + (OUT, BONUS, MAD)


def colour_of_move(move: int) -> int | None:
    """The colour a played card has or names: a coloured card's own, the one a Wild is called, or
    the one a Change names; ``None`` for any other move."""
    if move < N_COLOURED:
        return move >> 4
    if move < PLAY_CHANGE_TURNED_UP:
        return (move - PLAY_WILD) % N_COLOURS
    return None
