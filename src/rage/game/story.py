"""A game told in order: what happened, as reasons, for logs, replays and screen readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rage.game.history import (
    Round,
    Trick,
    TrumpChange,
    bidding_order,
    seat_after,
    seats_of,
    side_of,
)
from rage.game.rulings import ruling
from rage.rules.ruleset import RuleSet
from rage.rules.values import Colour, letter_of
from rage.say import Reason


def tell_round(current: Round, rules: RuleSet) -> Iterator[Reason]:
    """Everything public about a round so far, in order."""
    yield tell_deal(current)
    yield tell_trump_change(current.trump_changes[0])
    # Secret bids are shown after the last trick; until then only their bidder sees one.
    revealed = rules.bidding == "secret" and current.points is not None
    if not revealed:
        yield from tell_bids(current)
    for index, trick in enumerate(current.tricks):
        for card in range(len(trick.moves)):
            yield from tell_card(current, index, card, rules)
    if current.points is not None:
        if revealed:
            yield from tell_bids(current)
        yield from tell_points(current)


def tell_deal(current: Round) -> Reason:
    """Who dealt, and how many cards."""
    params = {"round": current.number, "dealer": current.dealer, "n": current.hand_size}
    return Reason("event.deal.one" if current.hand_size == 1 else "event.deal", params)


def tell_bids(current: Round) -> Iterator[Reason]:
    """The bids that are shown, from eldest on."""
    for seat in bidding_order(current.dealer, len(current.bids)):
        bid = current.bids[seat]
        if bid is not None:
            yield Reason("event.bid", {"player": seat, "n": bid})


def tell_card(current: Round, index: int, card: int, rules: RuleSet) -> Iterator[Reason]:
    """One card played to a trick, and its consequences; both indices count from 0."""
    trick, players = current.tricks[index], len(current.bids)
    yield tell_play(trick, card, players)
    before = None
    for change in current.trump_changes:
        if (change.trick, change.card) == (index, card) and is_told(change, before):
            yield tell_trump_change(change)
        before = change.trump
    if card == players - 1 and trick.winner is not None:
        yield ruling(current, index, rules.second_wild)
        after = (each for each in current.trump_changes if each[1:3] == (index, players))
        yield from map(tell_trump_change, after)


def tell_play(trick: Trick, card: int, players: int) -> Reason:
    """One card played; ``card`` counts from 0."""
    seat = seat_after(trick.leader, card, players)
    code = "event.lead" if card == 0 else "event.play"
    return Reason(code, {"player": seat, "card": str(trick.moves[card])})


def is_told(change: TrumpChange, before: Colour | None) -> bool:
    """Whether a trump change is worth a line: not an Out that changes nothing."""
    return change.cause != "out" or change.trump != before


def trump_cause(change: TrumpChange) -> str:
    """What set the trump, as the end of a code; ``none`` if no coloured card was left to do so."""
    if change.trump is None and change.cause != "out":
        return "none"
    if change.cause == "change":
        return "change_turned" if change.cards else "change_named"
    return change.cause


def tell_trump_change(change: TrumpChange) -> Reason:
    """How the trump was set."""
    params = {
        "by": change.seat,
        "cards": str(change.cards),
        "colour": letter_of(change.trump),
    }
    return Reason(f"event.trump.{trump_cause(change)}", params)


def tell_points(current: Round) -> Iterator[Reason]:
    """The points of each side for a finished round."""
    assert current.points is not None
    assert current.won is not None
    met = current.met or ()
    for side, points in enumerate(current.points):
        seats = seats_of(side, len(current.points), len(current.bids))
        bid = sum(current.bids[seat] or 0 for seat in seats)
        won = sum(current.won[seat] for seat in seats)
        code = "event.points.met" if side in met else "event.points.missed"
        yield Reason(code, {"players": seats, "bid": bid, "won": won, "points": points})


def tell_end(scores: Sequence[int], winners: Sequence[int], players: int) -> Reason:
    """Who won the game; ``winners`` are sides (seats, or teams)."""
    sides = len(scores)
    seats = [seat for seat in range(players) if side_of(seat, sides) in winners]
    return Reason("event.end", {"players": seats, "n": len(seats), "points": scores[winners[0]]})
