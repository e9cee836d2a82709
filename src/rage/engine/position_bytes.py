"""A position from its 256 bytes, once it is certain that they hold one of these rules.

The kernel trusts what is in its record: a count out of place would lead it, or a bot, to memory
that is not its own. So every field is checked here, and each against the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rage.engine.kernel import Phase, Rules
from rage.engine.position import RECORD, Position
from rage.engine.uncompiled import State
from rage.rules.cards import (
    BID,
    CARD_OF_MOVE,
    N_CARDS,
    N_COLOURED,
    PLAY_CHANGE,
    PLAY_CHANGE_TURNED_UP,
    PLAY_WILD,
    WILD,
    colour_of_move,
)  # fmt: skip
from rage.rules.ruleset import MAX_HAND, pack
from rage.say import NotAllowed

#: What stands for no colour, for a bid that is not there or not shown, and for nobody.
_NONE: Final = 6
_NO_BID: Final = 255
_NOBODY: Final = 255
#: How much of a stock is kept.
_STOCK_KEPT: Final = 32
#: The bits of the second half of a hand: the cards of two colours, one for each kind of action card
#: that is there, and from here on how many of each kind, in three bits.
_PRESENT: Final = 32
_COUNTS: Final = 48


def from_bytes(rules: Rules, data: bytes) -> Position:
    """The position of these rules whose record is ``data``, as :meth:`Position.to_bytes` wrote it;
    it may be masked, forgetful, or filled in from a world.

    Raises :class:`rage.NotAllowed` for anything that is not a position: wherever fields do not fit
    the rules or each other. Whether a game can lead to it is not checked beyond that."""
    if len(data) != RECORD.size:
        raise NotAllowed("position.size", size=len(data), due=RECORD.size)
    f = State()
    f.read(RECORD.unpack(data))
    for field, fits in _checks(f, rules):
        if not fits:
            raise NotAllowed("position.out_of_range", field=field)
    columns = (f.trick, f.bids, f.won, f.bonus_mad, f.voids, f.met)
    seats = [(*f.held[2 * i : 2 * i + 2], *(each[i] for each in columns)) for i in range(8)]
    this_round = (*f.seen, f.phase, f.round, f.dealer, f.turn, f.leader, f.trump, f.led)
    counts = (f.count, f.tricks, f.hand, f.stock_size, f.turned, f.shown, f.up, f.flags)
    position = Position(rules)
    position.restore((seats, f.scores, f.stock, this_round, counts))
    if not position.hands_fit():
        raise NotAllowed("position.out_of_range", field="held")
    return position


def _checks(f: State, rules: Rules) -> Iterator[tuple[str, bool]]:
    """What has to be so, by the field that is wrong where it is not: in this order, for each check
    relies on those before it."""
    n, sides = rules.players, rules.ruleset.teams or rules.players
    schedule = rules.ruleset.schedule
    dealt = f.hand > 0
    acting = f.phase in (Phase.BIDDING, Phase.PLAYING)
    yield "phase", f.phase <= Phase.OVER
    yield "round", f.round < len(schedule) if f.phase != Phase.OVER else f.round == len(schedule)
    yield "hand", f.hand == (schedule[f.round - (not acting)] if acting or f.round else 0)
    yield "dealer", f.dealer < n if dealt else f.dealer == _NOBODY
    yield "leader", f.leader < n if dealt else f.leader == _NOBODY
    yield "trump", f.trump < rules.ruleset.colours or f.trump == _NONE
    yield "count", f.count < n and (f.phase == Phase.PLAYING or f.count == 0)
    yield "trick", max(f.trick) < BID and not any(f.trick[n:])
    yield "trick", all(_is_a_play(move, rules) for move in f.trick[: f.count])
    yield "led", f.led == _led(f.trick[: f.count])
    yield "tricks", _tricks_fit(f)
    yield "won", sum(f.won) == f.tricks and not any(f.won[n:])
    yield "turn", _turn_fits(f, n)
    yield "bids", _bids_fit(f, rules)
    yield "voids", all(each < 1 << _NONE for each in f.voids[:n]) and not any(f.voids[n:])
    yield "met", all(each <= f.round for each in f.met[:sides]) and not any(f.met[sides:])
    most = f.round * _most_points(rules)
    yield "scores", all(abs(each) <= most for each in f.scores[:sides])
    yield "scores", not any(f.scores[sides:])
    size = f.stock_size
    yield "stock", max(f.turned, f.shown, f.up) <= size <= _STOCK_KEPT and max(f.stock) < N_CARDS
    # What lies face up ends with the turn-up. (It may be more than stands before that place in the
    # stock, which can come round again.)
    yield "turned", f.turned <= f.shown
    yield "turned", f.up == 0 or (f.turned > 0 and f.stock[f.turned - 1] < N_COLOURED)
    yield "flags", f.flags < 8
    yield from _cards_fit(f, rules)


def _led(trick: Sequence[int]) -> int:
    """The led colour of a trick: that of its first coloured card or Wild."""
    for move in trick:
        if move < N_COLOURED:
            return move >> 4
        if move < PLAY_CHANGE:
            return move - PLAY_WILD
    return _NONE


def _is_a_play(move: int, rules: Rules) -> bool:
    """Whether a card can be played so: a Wild or a Change that names a colour, one that there is,
    and a Change only in the way of these rules."""
    colour, chosen = colour_of_move(move), rules.ruleset
    named = colour is None or colour < chosen.colours
    change = PLAY_CHANGE <= move <= PLAY_CHANGE_TURNED_UP
    return named and (not change or (move == PLAY_CHANGE_TURNED_UP) == (chosen.change != "choose"))


def _tricks_fit(f: State) -> bool:
    if f.phase == Phase.BIDDING:
        return f.tricks == 0
    return f.tricks < f.hand if f.phase == Phase.PLAYING else f.tricks == f.hand


def _turn_fits(f: State, n: int) -> bool:
    """Whether the turn is that of the seat after those that have played to the trick, or have bid;
    between rounds, that of the leader, who won the last trick."""
    if f.phase == Phase.PLAYING:
        return f.turn == (f.leader + f.count) % n
    if f.phase == Phase.BIDDING:
        return f.turn < n and f.leader == (f.dealer + 1) % n
    return f.turn == f.leader


def _bids_fit(f: State, rules: Rules) -> bool:
    """Whether those have bid whose turn it was, and what they may; a bid that is hidden from
    somebody may be masked."""
    n, bidding = rules.players, rules.ruleset.bidding
    hides = bidding == "secret" if f.phase == Phase.PLAYING else bidding != "open"
    made = (f.turn - f.leader) % n if f.phase == Phase.BIDDING else n if f.hand else 0
    for seat, bid in enumerate(f.bids):
        if seat < n and (seat - f.leader) % n < made:
            if bid > f.hand and not (hides and bid == _NO_BID):
                return False
        elif bid != _NO_BID:
            return False
    return True


def _most_points(rules: Rules) -> int:
    """More points than a side can win or lose in a round."""
    chosen = rules.ruleset
    cards = chosen.pack
    for_bids = max(abs(each) for each in (chosen.exact, chosen.exact_zero, chosen.miss))
    return for_bids + 2 * MAX_HAND * rules.players + 5 * (cards.bonus + cards.mad)


def _cards_fit(f: State, rules: Rules) -> Iterator[tuple[str, bool]]:
    """Whether every card is where it can be: no more of it than in the pack, in hands that have
    their sizes or are masked, of no colour in which their seat is void."""
    n = rules.players
    played = [CARD_OF_MOVE[move] for move in f.trick[: f.count]]
    shown = Counter([*f.stock[: f.shown], *played])
    seen = _cards(*f.seen)
    yield "seen", not (f.seen[1] >> _PRESENT & 0xFFFF or f.seen[1] >> 63) and shown <= seen
    yield "seen", seen.total() <= f.tricks * n + f.count + f.shown
    everywhere = seen + Counter(f.stock[f.shown : f.stock_size])
    for seat in range(8):
        hand = _cards(*f.held[2 * seat : 2 * seat + 2])
        due = f.hand - f.tricks - ((seat - f.leader) % n < f.count) if seat < n else 0
        yield "held", hand.total() in (0, due)
        yield "voids", not any(f.voids[seat] >> (card >> 4) & 1 for card in hand if card < WILD)
        everywhere += hand
    whole = Counter(pack(rules.ruleset))
    yield "bonus_mad", _actions_won(f, whole)
    yield "held", everywhere <= whole
    in_hands = n * (f.hand - f.tricks) - f.count
    yield "seen", whole.total() - seen.total() >= in_hands


def _actions_won(f: State, whole: Counter[int]) -> bool:
    """Whether at most twice as many Bonus and Mad cards were won as the pack holds: in a world of a
    position that has forgotten them, those that were won may be dealt and won again."""
    bonus, mad = sum(each & 15 for each in f.bonus_mad), sum(each >> 4 for each in f.bonus_mad)
    return bonus <= 2 * whole[WILD + 3] and mad <= 2 * whole[WILD + 4]


def _cards(lo: int, hi: int) -> Counter[int]:
    """How many there are of each card among 128 bits."""
    coloured = lo | (hi & (1 << _PRESENT) - 1) << 64
    found = Counter(card for card in range(N_COLOURED) if coloured >> card & 1)
    for kind in range(5):
        if count := hi >> (_COUNTS + 3 * kind) & 7:
            found[WILD + kind] = count
    return found
