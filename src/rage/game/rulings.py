"""Why a move is refused, and why a trick was won, as reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.game.history import Round, TrumpChange
from rage.rules.hands import hand_of
from rage.rules.ruleset import RuleSet
from rage.rules.values import COLOURS, Card, Colour, Move
from rage.say import Reason, ReasonData


def refusal(position: Position, move: Move, seat: int | None = None) -> Reason | None:
    """Why ``seat`` (by default the one to act) cannot make a move now, or ``None`` if it can.
    Works on a masked position too, for the seat that it was masked for."""
    to_act = position.to_act
    if to_act is None:
        return Reason("refuse.game_over" if position.phase == Phase.OVER else "refuse.not_dealt")
    if seat is not None and seat != to_act:
        return Reason("refuse.turn", {"player": to_act})
    if position.is_legal(move.number):
        return None
    if position.phase == Phase.BIDDING:
        return _refused_bid(position, move)
    return _refused_card(position, move, to_act)


def _refused_bid(position: Position, move: Move) -> Reason:
    most = position.hand_size
    if move.tricks is None:
        return Reason("refuse.bid_first", {"most": most})
    if move.tricks > most:
        return Reason("refuse.bid_range", {"bid": move.tricks, "most": most})
    others = sum(bid or 0 for bid in position.bids)
    return Reason("refuse.bid_total", {"bid": move.tricks, "others": others, "tricks": most})


def _refused_card(position: Position, move: Move, seat: int) -> Reason:
    card = move.card
    if card is None:
        return Reason("refuse.bids_made")
    hand, code, led = hand_of(position.hand(seat)), str(card), position.led
    if card not in hand:
        return Reason("refuse.not_held", {"card": code, "hand": str(hand)})
    if led is not None and (follows := hand.of(COLOURS[led])):
        rules = position.rules.ruleset
        if card.colour or not rules.anytime_actions:
            setter = next(each for each in map(Move.of, position.trick) if sets_led(each))
            params = {"colour": COLOURS[led].letter, "cards": str(follows)}
            why = Reason("refuse.follow", params)
            if setter.card is Card.WILD:
                why = Reason("refuse.follow_wild", {**params, "wild": "W"})
            if rules.anytime_actions and hand[-1].action:
                return Reason("refuse.follow_anytime", {"card": code, "why": why})
            return Reason(why.code, {"card": code, **why.params})
    if card is not Card.CHANGE:
        return Reason("refuse.other", {"card": code})
    if not names_colour(card, position.rules.ruleset):
        return Reason("refuse.change_turns", {"card": code})
    if move.colour is None:
        return Reason("refuse.change_names", {"card": code})
    return Reason("refuse.change_same", {"card": code, "colour": move.colour.letter})


def names_colour(card: Card, rules: RuleSet) -> bool:
    """Whether playing a card names a colour: a Wild's own, or for a Change the new trump, unless
    that is turned up."""
    return card is Card.WILD or (card is Card.CHANGE and rules.change == "choose")


def example_move(card: Card, rules: RuleSet, trump: Colour | None) -> Move:
    """A move that plays a card under these rules, to ask `refusal` about the card. A Wild or a
    Change names a colour other than ``trump``."""
    if names_colour(card, rules):
        return Move(f"{card}{'O' if trump is Colour.RED else 'R'}")
    return Move(str(card))


def sets_led(move: Move) -> bool:
    """Whether a move to an open trick sets the led colour: a coloured card or a Wild."""
    return move.colour is not None and move.card is not Card.CHANGE


def ruling(current: Round, index: int, second_wild: str) -> Reason:
    """Why a full trick was won by its winner; ``second_wild`` is the setting."""
    trick = current.tricks[index]
    assert trick.winner is not None
    players = current.players
    move = trick.winning
    assert move is not None
    setter = next((each for each in trick.moves if sets_led(each)), None)
    params: dict[str, object] = {"winner": trick.winner, "card": str(move)}
    if setter is None:
        return Reason("trick.only_actions", params)
    colour = move.colour
    assert colour is not None
    params["colour"] = colour.letter
    params["n"] = sum(sets_led(each) and each.colour is colour for each in trick.moves)
    last = decisive_trump_change(current.trump_changes, index, players)
    here = last.trick == index
    if colour is trick.trump:
        main = Reason("trick.trump", params)
        if here and last.cause == "change":
            main = Reason("trick.trump_changed", {**params, "by": last.seat, "change": "C"})
    elif trick.trump is None:
        main = Reason("trick.led_no_trump", params)
        if here and last.cause == "out":
            main = Reason("trick.led_out", {**params, "by": last.seat, "out": "X"})
    else:
        main = Reason("trick.led", {**params, "trump": trick.trump.letter})
    wilds = sum(each.card is Card.WILD and each.colour is colour for each in trick.moves)
    if wilds > 1:
        note = Reason(f"trick.wilds_{second_wild}", {"wild": "W", "colour": colour.letter})
        return Reason("trick.with_note", {"main": main, "note": note})
    return main


def ruling_data(current: Round, index: int, second_wild: str) -> ReasonData:
    """A ruling as plain data to go with its trick, without what the trick itself says: its winner,
    the winning card and its colour, and the trump. ``n`` is the number of cards of that colour."""
    data = ruling(current, index, second_wild).as_data()
    return ReasonData({name: data[name] for name in data if name not in _IN_TRICK})


_IN_TRICK: Final = ("winner", "card", "colour", "trump")


def decisive_trump_change(changes: Sequence[TrumpChange], index: int, players: int) -> TrumpChange:
    """The trump change that decides a trick. A second Out, or a Change that turned up the same
    colour again, does not count."""
    last = changes[0]
    for change in changes:
        if (change.trick, change.card) < (index, players) and change.trump != last.trump:
            last = change
    return last
