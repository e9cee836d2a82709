"""A position as numbers in Python, checked so that the kernel can play on from there.

Whether a game could have come to it is not asked in full.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from rage.rules.cards import (
    BONUS,
    CARD_CODES,
    CARD_OF_MOVE,
    CHANGE,
    LETTERS,
    MAD,
    MOVE_CODES,
    N_COLOURED,
    PLAY_CHANGE,
    PLAY_CHANGE_TURNED_UP,
    PLAY_OUT,
)
from rage.rules.ruleset import RuleSet, pack
from rage.say import NotAllowed, NotReadable

PHASES: Final = ("deal", "bid", "play", "over")
MARKS: Final = ("whole", "due", "short")
#: The most cards of a stock that a position keeps (``STOCK_KEPT`` in the kernel, which is not seen
#: from outside once compiled), and the most of anything counted in a byte.
MAX_STOCK: Final = 32
#: The most of anything counted in half a byte.
MOST: Final = 15
#: That a trick has set no trump (:func:`trump_of`), which is not the same as no colour.
UNSET: Final = -1
#: The most that 16 bits hold.
MOST_POINTS: Final = 32_767

Cards = tuple[int, ...]


class Moment(NamedTuple):
    """A position as numbers: cards, moves and colours as in :mod:`rage.rules.cards`. A hand is
    ``None`` if it is hidden; ``None`` also stands for no seat, no bid and no colour. The fields are
    in the order of the text."""

    rules: RuleSet
    players: int
    round: int
    hands: tuple[Cards | None, ...]
    bids: tuple[int | None, ...]
    phase: str
    dealer: int | None
    won: Cards
    leader: int | None
    trick: Cards
    before: Cards
    turn: int | None
    stock: Cards
    shown: int
    turned: int
    up: int
    trump: int | None
    seen: Cards
    voids: tuple[Cards, ...]
    bonus: Cards
    mad: Cards
    points: Cards
    met: Cards
    marks: tuple[str, ...]

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each player in the round under way, or the last one."""
        at = self.round - (1 if self.phase in ("bid", "play") else 2)
        return self.rules.schedule[at] if at >= 0 else 0


def trump_of(trick: Cards) -> int | None:
    """The trump that a trick has set so far: by the last Change that names one, or by an Out.
    :data:`UNSET` if by neither, or by a Change that turns it up."""
    for move in reversed(trick):
        if move == PLAY_OUT:
            return None
        if PLAY_CHANGE <= move <= PLAY_CHANGE_TURNED_UP:
            return move - PLAY_CHANGE if move < PLAY_CHANGE_TURNED_UP else UNSET
    return UNSET


def check_moment(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` for an impossible moment. Each number must be in the range of
    its field in a text."""
    _check_round(moment)
    _check_stock(moment)
    _check_cards(moment)


def _wrong(field: str, due: object) -> NotAllowed:
    return NotAllowed("position.text.due", field=field, due=str(due))


def _check_round(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless round, seats, bids and tricks are consistent."""
    players, rounds = moment.players, len(moment.rules.schedule)
    at_work, over = moment.phase in ("bid", "play"), moment.phase == "over"
    if not (rounds + 1 if over else 1) <= moment.round <= rounds + over:
        raise _wrong("round", rounds + over)
    begun = at_work or moment.round > 1
    for name in ("dealer", "leader", "turn"):
        if (getattr(moment, name) is not None) != begun:
            raise _wrong(name, "0" if begun else "-")
    most = 0 if moment.phase == "bid" else moment.hand_size - (moment.phase == "play")
    if sum(moment.won) > most:
        raise _wrong("won", most)
    most = players - 1 if moment.phase == "play" else 0
    if len(moment.trick) > most:
        raise _wrong("trick", most)
    if len(moment.before) not in (0, players - len(moment.trick)):
        raise _wrong("before", players - len(moment.trick))
    set_by_trick = trump_of(moment.trick)
    if set_by_trick not in (UNSET, moment.trump):
        raise _wrong("trump", "-" if set_by_trick is None else LETTERS[set_by_trick])
    if not begun:
        return
    assert moment.leader is not None
    assert moment.dealer is not None
    assert moment.turn is not None
    if moment.phase == "bid" and moment.leader != (moment.dealer + 1) % players:
        raise _wrong("leader", (moment.dealer + 1) % players)
    if moment.phase != "bid" and moment.turn != (moment.leader + len(moment.trick)) % players:
        raise _wrong("turn", (moment.leader + len(moment.trick)) % players)
    made = players if moment.phase != "bid" else (moment.turn - moment.leader) % players
    open_bids, secret = (moment.rules.bidding == each for each in ("open", "secret"))
    hidden = secret if moment.phase == "play" else moment.phase == "bid" and not open_bids
    for seat, bid in enumerate(moment.bids):
        has_bid = (seat - moment.leader) % players < made
        if bid is not None and not has_bid and open_bids:
            raise NotAllowed("position.text.bid.early", seat=seat)
        if bid is None and has_bid and at_work and not hidden:
            raise NotAllowed("position.text.bid.missing", seat=seat)
        if (bid or 0) > moment.hand_size:
            raise NotAllowed("position.text.bid.high", seat=seat, most=moment.hand_size)


def _check_stock(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless the size of the stock fits its limit and counts."""
    if len(moment.stock) > MAX_STOCK:
        raise _wrong("stock", MAX_STOCK)
    most = {"shown": len(moment.stock), "turned": moment.shown, "up": len(moment.stock)}
    for name, limit in most.items():
        if getattr(moment, name) > limit:
            raise _wrong(name, limit)


def _check_cards(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless the hands have their sizes and the pack has the
    cards."""
    players = moment.players
    for seat, hand in enumerate(moment.hands):
        due = 0
        if moment.phase in ("bid", "play"):
            assert moment.leader is not None
            played = (seat - moment.leader) % players < len(moment.trick)
            due = moment.hand_size - sum(moment.won) - played
        if hand is not None and len(hand) != due:
            raise NotAllowed("position.hand_size", seat=seat, cards=len(hand), due=due)
    names_change = moment.rules.change == "choose"
    moves = [("trick", move) for move in moment.trick]
    for field, move in (*moves, *[("before", move) for move in moment.before]):
        if CARD_OF_MOVE[move] == CHANGE and (move == PLAY_CHANGE_TURNED_UP) == names_change:
            raise NotReadable("position.text.card", field=field, value=MOVE_CODES[move])
    seen, on_table = Counter(moment.seen), [CARD_OF_MOVE[move] for move in moment.trick]
    for field, cards in (("trick", on_table), ("stock", moment.stock[: moment.shown])):
        for card, n in Counter(cards).items():
            if seen[card] < n:
                raise NotAllowed("position.text.unseen", field=field, card=CARD_CODES[card])
    held = [card for hand in moment.hands for card in hand or ()]
    hidden = [*held, *moment.stock[moment.shown :]]
    _check_pack(moment, [*moment.seen, *hidden])
    # The cards of earlier tricks may be forgotten (Position.forgetful), but not what they brought.
    _check_pack(moment, [*on_table, *(CARD_OF_MOVE[move] for move in moment.before), *held])
    won = [BONUS] * sum(moment.bonus) + [MAD] * sum(moment.mad)
    _check_pack(moment, [*won, *on_table, *hidden])
    for seat, hand in enumerate(moment.hands):
        for card in hand or ():
            if card < N_COLOURED and card >> 4 in moment.voids[seat]:
                raise NotAllowed("position.text.void", seat=seat, card=CARD_CODES[card])


def _check_pack(moment: Moment, cards: list[int]) -> None:
    """Raise :class:`rage.NotAllowed` unless the pack has all of these cards."""
    left = Counter(pack(moment.rules))
    for card in cards:
        left[card] -= 1
        if left[card] < 0:
            raise NotAllowed("position.too_often", card=CARD_CODES[card])
