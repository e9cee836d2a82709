"""Who played what in the earlier tricks of a round, as numbers beside those of `encode`.

A position remembers of the tricks that are over which cards were seen, and who is void; who played
which card is in the history of a view. This is a block of its own, for bots and research that want
it: the vector of :func:`rage.encode.encode` stays as it is.
"""

from __future__ import annotations

from array import array
from typing import Final

from rage.features.encode import colour_places
from rage.features.meanings import canonical_move
from rage.game.view import View
from rage.rules.cards import N_CARDS, N_COLOURED
from rage.rules.ruleset import MAX_PLAYERS
from rage.say import NotAllowed

#: Seats, relative to that of the view, and cards: 96 coloured ones in canonical colours, by colour
#: and rank, then Wild, Change, Out, Bonus and Mad.
EARLIER_SHAPE: Final = (MAX_PLAYERS, N_CARDS)
EARLIER_SIZE: Final = MAX_PLAYERS * N_CARDS


def encode_earlier(view: View) -> array[int]:
    """By seat, how many of each card it has played in the tricks of this round that are over:
    ``EARLIER_SIZE`` numbers of 16 bits, in the shape ``EARLIER_SHAPE``, with the seats and the
    colours of ``encode(view.position, view.seat)``. Raises :class:`rage.NotAllowed` for a
    spectator."""
    seat = view.seat
    if seat is None:
        raise NotAllowed("encode.spectator")
    out = array("h", bytes(2 * EARLIER_SIZE))
    places = colour_places(view.position, seat)
    tricks = view.rounds[-1].tricks if view.rounds else []
    for trick in tricks:
        if trick.winner is None:
            continue
        for turn, move in enumerate(trick.moves):
            card = move.card
            assert card is not None
            if card < N_COLOURED:
                card = canonical_move(card, places)
            relative = (trick.leader + turn - seat) % view.players
            out[relative * N_CARDS + card] += 1
    return out
