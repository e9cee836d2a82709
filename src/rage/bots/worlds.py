"""Worlds: deals that fit what a seat has seen.

A world places every unseen card in another hand or in the stock, respecting hand sizes and known
voids, and assigns a number to every hidden bid. All such deals are (nearly) equally likely. Nothing
more is inferred from the play: in a world, every move of the public history is possible.

Cards are placed, those with the fewest open places first, then exchanged at random to remove the
bias of that order: more often if a hand can hold few of them, because then most exchanges fail.
"""

from __future__ import annotations

from typing import NamedTuple

from rage.bots.interface import Budget, check_budget
from rage.rules.number import whole_number
from rage.say import NotAllowed, check_kind

try:
    import cython
except ImportError:
    from rage.engine import uncompiled as cython

if not cython.compiled:
    from rage.bots.steady import DEFAULT_WEIGHTS, canonical_move
    from rage.bots.uncompiled import Unseen, Weights
    from rage.engine.kernel import (
        BIDDING,
        COUNTS,
        NO_BID,
        NONE,
        PLAYING,
        STOCK_KEPT,
        WHOLE_STOCK,
        Simulation,
        bids_hidden,
        copy_state,
        next_below,
        popcount,
        take_card,
    )
    from rage.engine.position import Position, card_list, number_of
    from rage.engine.uncompiled import Generator, RuleTable, State
    from rage.rules.cards import BID, N_COLOURED, WILD

    N_GROUPS = 7  # six colours, and the action cards, which any hand can hold
    EXCHANGES = 4  # for each card
    MORE_EXCHANGES = 40  # if a hand can hold fewer than a quarter of the cards


# --- unseen cards --------------------------------------------------------------------------


def note_unseen(u: Unseen, s: State, r: RuleTable, seat: int) -> bool:
    """List the cards that a seat has not seen, and where they can be: hands are places 0 to n - 1,
    the stock is place n. Returns whether there are enough cards."""
    u.places = r.n + 1
    lacking = note_needs(u, s, r, seat)
    u.bound = 0
    for group in range(N_GROUPS):
        u.open_to[group] = 0
        for place in range(u.places):
            void = group < 6 and place < r.n and (s.voids[place] >> group) & 1
            if u.needs[place] or place == r.n:
                u.open_to[group] |= (1 - void) << place
                u.bound |= void
    u.size = 0
    # Cards with the fewest places come first.
    for places in range(1, u.places + 1):
        for group in range(N_GROUPS):
            if popcount(u.open_to[group]) == places:
                note_group(u, s, r, seat, group)
    u.needs[r.n] = u.size - lacking if u.size > lacking else 0
    u.exchanges = EXCHANGES
    for place in range(r.n):
        if u.needs[place] and 4 * count_open(u, place) < u.size:
            u.exchanges = MORE_EXCHANGES
    return u.size >= lacking


def count_open(u: Unseen, place: int) -> int:
    """The number of unseen cards that can be in a place."""
    count = 0
    for i in range(u.size):
        count += (u.open_to[group_of(u.cards[i])] >> place) & 1
    return count


def note_needs(u: Unseen, s: State, r: RuleTable, seat: int) -> int:
    """Count the cards that each other hand holds. Returns their sum."""
    lacking = 0
    for place in range(u.places):
        u.needs[place] = 0
    for i in range(r.n):
        place = (s.leader + i) % r.n
        if place != seat:
            u.needs[place] = s.hand - s.tricks - (i < s.count)
            lacking += u.needs[place]
    return lacking


def note_group(u: Unseen, s: State, r: RuleTable, seat: int, group: int) -> None:
    """Add the unseen cards of a colour, or the unseen action cards."""
    for kind in range(5):
        u.known[kind] = (s.seen[1] >> (COUNTS + 3 * kind)) & 7
        u.known[kind] += (s.held[2 * seat + 1] >> (COUNTS + 3 * kind)) & 7
    for i in range(r.pack_size):
        card = r.pack[i]
        if card >= N_COLOURED:
            if group < 6:
                break
            if u.known[card - WILD]:
                u.known[card - WILD] -= 1
                continue
        elif card >> 4 != group:
            continue
        else:
            half = card >> 6
            if ((s.seen[half] | s.held[2 * seat + half]) >> (card & 63)) & 1:
                continue
        u.cards[u.size] = card
        u.size += 1


# --- one world -----------------------------------------------------------------------------


def group_of(card: int) -> int:
    """The colour of a card, 6 for an action card."""
    return card >> 4 if card < N_COLOURED else 6


def swap_cards(u: Unseen, i: int, j: int) -> None:
    """Exchange two cards in the list."""
    card = u.cards[i]
    u.cards[i] = u.cards[j]
    u.cards[j] = card


def draw_world(u: Unseen, g: Generator) -> bool:
    """Deal the unseen cards at random. Returns whether a deal is possible."""
    for place in range(u.places):
        u.left[place] = u.needs[place]
    if u.bound:
        for i in range(u.size):
            if not put_card(u, g, i) and not make_room(u, i):
                return False
        exchange_cards(u, g)
        return True
    at = 0
    for place in range(u.places - 1):
        for _ in range(u.needs[place]):
            swap_cards(u, at, at + next_below(g, u.size - at))
            u.place[at] = place
            at += 1
    for i in range(at, u.size):
        u.place[i] = u.places - 1
    return True


def put_card(u: Unseen, g: Generator, i: int) -> bool:
    """Put a card into one of the places open to it; each free slot is equally likely. Returns
    whether there was one."""
    free = u.open_to[group_of(u.cards[i])]
    slots = 0
    for place in range(u.places):
        if (free >> place) & 1:
            slots += u.left[place]
    if slots == 0:
        return False
    k = next_below(g, slots)
    for place in range(u.places):
        if (free >> place) & 1:
            k -= u.left[place]
            if k < 0:
                u.left[place] -= 1
                u.place[i] = place
                break
    return True


def make_room(u: Unseen, i: int) -> bool:
    """Make room for a card whose open places are all full: others move, each to another place open
    to it, the last of them to one with room. Returns whether there is a way."""
    reached = u.open_to[group_of(u.cards[i])]
    searched = 0
    for place in range(u.places):
        u.moved[place] = i
    while reached & ~searched:
        place = 0
        while ((reached & ~searched) >> place) & 1 == 0:
            place += 1
        searched |= 1 << place
        for j in range(i):
            if u.place[j] != place:
                continue
            further = u.open_to[group_of(u.cards[j])] & ~reached
            reached |= further
            for other in range(u.places):
                if (further >> other) & 1:
                    u.moved[other] = j
                    if u.left[other]:
                        u.left[other] -= 1
                        move_along(u, i, other)
                        return True
    return False


def move_along(u: Unseen, i: int, place: int) -> None:
    """Move each card of the path that ends at ``place``, and card ``i`` to its beginning."""
    while True:
        j = u.moved[place]
        before = u.place[j]
        u.place[j] = place
        if j == i:
            return
        place = before


def exchange_cards(u: Unseen, g: Generator) -> None:
    """Exchange random pairs of cards that can both be in the other's place."""
    for _ in range(u.exchanges * u.size):
        i = next_below(g, u.size)
        j = next_below(g, u.size)
        here = u.place[i]
        there = u.place[j]
        if (u.open_to[group_of(u.cards[i])] >> there) & 1 == 0:
            continue
        if (u.open_to[group_of(u.cards[j])] >> here) & 1:
            u.place[i] = there
            u.place[j] = here


def fill_world(u: Unseen, g: Generator, target: State, s: State, r: RuleTable) -> None:
    """Copy ``s`` into ``target`` with the current world, which replaces everything ``mask``
    removed."""
    copy_state(target, s)
    u.in_stock = 0
    for i in range(u.size):
        if u.place[i] < r.n:
            take_card(target, r, u.place[i], u.cards[i])
        else:
            u.stock[u.in_stock] = u.cards[i]
            u.in_stock += 1
    target.flags |= WHOLE_STOCK
    if r.lazy_stock:  # nothing more will be turned over
        return
    kept = STOCK_KEPT - s.stock_size
    if kept < u.in_stock:
        target.flags &= ~WHOLE_STOCK
    else:
        kept = u.in_stock
    shuffle_stock(u, g, kept)
    for i in range(kept):
        target.stock[s.stock_size + i] = u.stock[i]
    target.stock_size += kept


def shuffle_stock(u: Unseen, g: Generator, count: int) -> None:
    """Draw the first ``count`` cards of the stock at random from all of it."""
    for i in range(count):
        j = i + next_below(g, u.in_stock - i)
        card = u.stock[j]
        u.stock[j] = u.stock[i]
        u.stock[i] = card


def fill_bids(weights: Weights, target: State, scratch: State, r: RuleTable, observer: int) -> None:
    """Make up every bid hidden from the observer: steady's bid with the hand of this world. After
    the bidding, it is the tricks won plus steady's bid with the cards left."""
    if not bids_hidden(target, r):
        return
    seat = target.leader
    for i in range(r.n):
        if target.phase == BIDDING and seat == target.turn:
            break
        if seat != observer:
            copy_state(scratch, target)
            scratch.turn = seat
            if target.phase == PLAYING:
                back_to_bidding(scratch, target.hand - target.tricks - (i < target.count))
            target.bids[seat] = target.won[seat] if target.phase == PLAYING else 0
            if scratch.hand:
                target.bids[seat] += canonical_move(weights, scratch, r) - BID
        seat = (seat + 1) % r.n


def back_to_bidding(s: State, left: int) -> None:
    """Turn a state into one in which the cards left have just been dealt."""
    s.phase = BIDDING
    s.hand = left
    s.tricks = s.count = 0
    s.led = NONE
    for i in range(8):
        s.won[i] = s.bonus_mad[i] = 0
        s.bids[i] = NO_BID


# --- for Python ----------------------------------------------------------------------------


class World(NamedTuple):
    """A deal that fits what a seat has seen: the cards that each seat holds now, by seat; the part
    of the stock not turned over yet, top first; and the bids by seat, 255 if there is none yet.
    Only hidden cards and bids are made up."""

    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    bids: tuple[int, ...]


def sample_worlds(position: Position, seat: int, count: int, seed: int) -> list[World]:
    """Draw worlds for a seat, independently of each other; equal arguments give equal worlds.
    Nothing hidden from the seat is read, even if the position is not masked.

    Raises :class:`rage.NotAllowed` if no round is under way, for a seat that does not exist, if
    there is only one player, for more than a billion worlds, and if no world fits (in a position
    that no game can reach); and :class:`rage.NotReadable` for anything but a position and
    integers."""
    check_kind(position, Position, "position")
    if position.phase not in (BIDDING, PLAYING):
        raise NotAllowed("world.no_round")
    if seat is None:
        raise NotAllowed("view.no_seat", seat=seat, last=position.rules.players - 1)
    masked = position.masked(seat)
    number = number_of(seat)
    if masked.r.sides < 2:
        raise NotAllowed("bot.alone")
    worlds = whole_number(count)
    check_budget(Budget(worlds))
    made = Simulation(whole_number(seed))
    if cython.compiled:
        u = cython.address(unseen)
        world = cython.address(own_world)
        scratch = cython.address(own_scratch)
    else:
        u = Unseen()
        world = State()
        scratch = State()
    if not note_unseen(u, masked.s, masked.r, number):
        raise NotAllowed("world.none")
    found = []
    for _ in range(worlds):
        if not draw_world(u, made.generator):
            raise NotAllowed("world.none")
        fill_world(u, made.generator, world, masked.s, masked.r)
        fill_bids(DEFAULT_WEIGHTS.w, world, scratch, masked.r, number)
        shuffle_stock(u, made.generator, u.in_stock)
        found.append(as_world(u, world, masked.r))
    return found


def as_world(u: Unseen, s: State, r: RuleTable) -> World:
    """The world in a state, for Python, with the whole stock (the state may hold only a part)."""
    return World(
        tuple([tuple(card_list(s.held[2 * i], s.held[2 * i + 1])) for i in range(r.n)]),
        tuple([u.stock[i] for i in range(u.in_stock)]),
        tuple([s.bids[i] for i in range(r.n)]),
    )
