"""What the features must say, read a second time: from the public face of a masked position."""

from __future__ import annotations

from collections.abc import Sequence

from rage.engine.kernel import Phase, Rules
from rage.engine.position import Position
from rage.features.encode import canonical_move, colour_places
from rage.rules.cards import (
    ACTIONS,
    BID,
    CARD_OF_MOVE,
    N_COLOURED,
    N_MOVES,
    PLAY_CHANGE,
    colour_of_move,
)

Blocks = dict[str, list[int]]


def one(length: int, *places: int | None) -> list[int]:
    """Zeros, with ones at some places."""
    return [int(i in places) for i in range(length)]


def expected(position: Position, seat: int) -> Blocks:
    """Every block of the features of a seat, by name."""
    known = position.masked(seat)
    places = colour_places(position, seat)
    return {
        **_cards(known, seat, places),
        **_trick(known, seat, places),
        **_seats(known, seat, places),
        **_round(known, seat, places),
        **_settings(known.rules),
    }


def _cards(known: Position, seat: int, places: Sequence[int]) -> Blocks:
    blocks = {}
    for name, cards in (("hand", known.hand(seat)), ("seen", known.seen)):
        coloured = {canonical_move(card, places) for card in cards if card < N_COLOURED}
        blocks[name] = one(N_COLOURED, *coloured)
        blocks[f"{name}_actions"] = [cards.count(N_COLOURED + kind) for kind in range(len(ACTIONS))]
    legal = known.legal_moves if known.to_act == seat else []
    blocks["legal"] = one(N_MOVES, *(canonical_move(move, places) for move in legal))
    return blocks


def _key(known: Position, move: int) -> tuple[int, int, int]:
    """Whether a card is trump, or of the led colour, and its rank (rule 6)."""
    if move >= PLAY_CHANGE:
        return (0, 0, 0)
    colour = colour_of_move(move)
    rank = move % 16 if move < N_COLOURED else 16
    return (int(colour == known.trump), int(colour == known.led), rank)


def _winner(known: Position) -> int:
    """Which card of the trick wins so far; of equal ones the first, or the last of the Wilds."""
    keys = [_key(known, move) for move in known.trick]
    last = known.rules.ruleset.second_wild == "higher" and max(keys)[2] == 16
    return max(range(len(keys)), key=lambda i: (keys[i], i if last else -i))


def _trick(known: Position, seat: int, places: Sequence[int]) -> Blocks:
    n = known.rules.players
    colours, ranks, kinds, winning, card = [0] * 48, [0] * 8, [0] * 40, [0] * 8, (0, 0, 0)
    for i, move in enumerate(known.trick):
        assert known.leader is not None
        slot = (known.leader + i - seat) % n
        colour = colour_of_move(move)
        if colour is not None:
            colours[6 * slot + places[colour]] = 1
        if move < PLAY_CHANGE:
            ranks[slot] = _key(known, move)[2]
        if move >= N_COLOURED:
            kinds[5 * slot + CARD_OF_MOVE[move] - N_COLOURED] = 1
        if i == _winner(known):
            winning[slot] = 1
            card = _key(known, move)
    return {
        "trick_colours": colours,
        "trick_ranks": ranks,
        "trick_kinds": kinds,
        "trick_bonus": [sum(CARD_OF_MOVE[move] == 99 for move in known.trick)],
        "trick_mad": [sum(CARD_OF_MOVE[move] == 100 for move in known.trick)],
        "winning": winning,
        "winning_colour": list(card[:2]),
        "winning_rank": [card[2]],
        "led": one(2, None if known.led is None else places[known.led]),
    }


def _seats(known: Position, seat: int, places: Sequence[int]) -> Blocks:
    n = known.rules.players
    sides = len(known.scores)
    own = seat % sides
    order = [(seat + slot) % n for slot in range(n)]
    members = {side: range(side, n, sides) for side in range(sides)}
    left = known.hand_size - known.tricks
    played = [((known.leader or 0) + i) % n for i in range(len(known.trick))]
    needs = [None if b is None else b - w for b, w in zip(known.bids, known.won, strict=True)]
    side_needs = [
        0 if None in (team := [needs[s] for s in members[side]]) else sum(x or 0 for x in team)
        for side in range(sides)
    ]
    by_seat: dict[str, list[int]] = {
        "bids": [known.bids[s] or 0 for s in order],
        "bids_known": [known.bids[s] is not None for s in order],
        "needs": [needs[s] or 0 for s in order],
        "side_needs": [side_needs[s % sides] for s in order],
        "won": [known.won[s] for s in order],
        "bonus": [known.bonus[s] for s in order],
        "mad": [known.mad[s] for s in order],
        "cards_left": [left - (s in played) for s in order],
        "partner": [s % sides == own and s != seat for s in order],
        "ahead": [known.scores[own] - known.scores[s % sides] for s in order],
        "met": [known.met[s % sides] for s in order],
    }
    voids = [v for s in order for v in one(6, *(places[c] for c in known.voids[s]))]
    return {
        **{name: [*map(int, values), *[0] * (8 - n)] for name, values in by_seat.items()},
        "voids": voids + [0] * (48 - 6 * n),
        "score": [known.scores[own]],
        "bid_surplus": [sum(bid or 0 for bid in known.bids) - known.hand_size],
    }


def _round(known: Position, seat: int, places: Sequence[int]) -> Blocks:
    n = known.rules.players
    under_way = known.phase in (Phase.BIDDING, Phase.PLAYING)
    later = known.rules.ruleset.schedule[known.round + under_way :]

    def slot(other: int | None) -> int | None:
        return (other - seat) % n if other is not None and under_way else None

    moment = known._moment
    dealer = known.dealer
    return {
        "leader": one(8, slot(known.leader)),
        "to_act": one(8, slot(known.to_act)),
        "trump": [int(known.trump is not None)],
        "turned_up": one(6, places[moment.stock[moment.turned - 1] // 16] if moment.up else None),
        "turn_up_due": [int("due" in moment.marks)],
        "hand_size": [known.hand_size],
        "place": one(8, None if dealer is None else (seat - dealer - 1) % n),
        "rounds_left": [len(known.rules.ruleset.schedule) - known.round],
        "later": [later.count(size) for size in range(1, N_MOVES - BID)],
        "phase": one(4, known.phase),
    }


def _settings(rules: Rules) -> Blocks:
    ruleset = rules.ruleset
    return {
        "players": one(7, rules.players - 2),
        "pack": ruleset.pack.counts,
        "change": [int(ruleset.change == "reveal")],
        "out": [int(ruleset.out == "trick")],
        "second_wild": [int(ruleset.second_wild == "higher")],
        "exact": [ruleset.exact],
        "exact_zero": [ruleset.exact_zero],
        "miss": [ruleset.miss],
        "tie": [int(ruleset.tie == "exact_bids")],
        "bidding": one(3, ("open", "hidden", "secret").index(ruleset.bidding)),
        "not_tricks": [int(ruleset.bid_total == "not_tricks")],
        "anytime_actions": [int(ruleset.anytime_actions)],
        "sweep": [int(ruleset.sweep)],
        "teams": one(2, None if ruleset.teams is None else ruleset.teams - 2),
        "colours": [ruleset.colours],
        "ranks": [ruleset.ranks],
    }
