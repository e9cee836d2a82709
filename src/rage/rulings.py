"""Why a move is refused, and why a trick was won: as reasons, for `say` to put into words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rage.cards import (
    BID,
    CARD_CODES,
    CARD_OF_MOVE,
    CHANGE,
    LETTERS,
    MOVE_CODES,
    N_COLOURED,
    N_COLOURS,
    PLAY_CHANGE,
    PLAY_TURN,
    PLAY_WILD,
    colour_of_move,
    hand_order,
)
from rage.kernel import Phase
from rage.position import Position
from rage.say import Reason

if TYPE_CHECKING:
    from rage.history import Round, Turn


def refusal(position: Position, move: int, seat: int | None = None) -> Reason | None:
    """Why ``seat`` (the one to act, if not given) may not make a move now; ``None`` where it may.

    Works on a masked position too, for the seat that it was masked for."""
    to_act = position.to_act
    if to_act is None:
        return Reason("refuse.game_over" if position.phase == Phase.OVER else "refuse.not_dealt")
    if seat is not None and seat != to_act:
        return Reason("refuse.turn", {"player": to_act})
    if position.is_legal(move):
        return None
    if position.phase == Phase.BIDDING:
        return _refused_bid(position, move)
    return _refused_card(position, move, to_act)


def _refused_bid(position: Position, move: int) -> Reason:
    if move < BID:
        return Reason("refuse.bid_first", {"most": position.hand_size})
    if move - BID > position.hand_size:
        return Reason("refuse.bid_range", {"bid": move - BID, "most": position.hand_size})
    others = sum(bid or 0 for bid in position.bids)
    return Reason(
        "refuse.bid_total", {"bid": move - BID, "others": others, "tricks": position.hand_size}
    )


def _refused_card(position: Position, move: int, seat: int) -> Reason:
    if move >= BID:
        return Reason("refuse.bids_made")
    hand = sorted(position.hand(seat), key=hand_order)
    card = CARD_OF_MOVE[move]
    code = CARD_CODES[card]
    held = " ".join(CARD_CODES[each] for each in hand)
    if card not in hand:
        return Reason("refuse.not_held", {"card": code, "hand": held})
    led = position.led
    follows = [each for each in hand if each < N_COLOURED and each >> 4 == led]
    if led is not None and follows:
        rules = position.rules.ruleset
        if card < N_COLOURED or not rules.anytime_actions:
            setter = next(each for each in position.trick if sets_led(each))
            wild = PLAY_WILD <= setter < PLAY_CHANGE
            return Reason(
                "refuse.follow_wild" if wild else "refuse.follow",
                {
                    "card": code,
                    "colour": LETTERS[led],
                    "cards": " ".join(CARD_CODES[each] for each in follows),
                    "n": len(follows),
                    "wild": "W",
                },
            )
    if card != CHANGE:
        return Reason("refuse.other", {"card": code})
    if position.rules.ruleset.change == "reveal":
        return Reason("refuse.change_turns", {"card": code})
    if move == PLAY_TURN:
        return Reason("refuse.change_names", {"card": code})
    return Reason("refuse.change_same", {"card": code, "colour": LETTERS[move - PLAY_CHANGE]})


def sets_led(move: int) -> bool:
    """Whether a move to an open trick sets the led colour: a coloured card or a Wild."""
    return move < PLAY_CHANGE


def ruling(current: Round, index: int, second_wild: str) -> Reason:
    """Why a full trick of a round was won by its winner; ``second_wild`` as in the rules."""
    trick = current.tricks[index]
    assert trick.winner is not None
    players = len(current.bids)
    move = trick.moves[(trick.winner - trick.leader) % players]
    setter = next((each for each in trick.moves if sets_led(each)), None)
    params = {"winner": trick.winner, "card": MOVE_CODES[move]}
    if setter is None:
        return Reason("trick.only_actions", params)
    colour = colour_of_move(move)
    assert colour is not None
    params["colour"] = LETTERS[colour]
    last = decisive_turn(current.turns, index, players)
    here = last.trick == index
    if colour == trick.trump:
        changed = here and last.cause == "change"
        main = Reason(
            "trick.trump_changed" if changed else "trick.trump",
            {**params, "by": last.seat, "change": "C"},
        )
    elif trick.trump is None:
        out = here and last.cause == "out"
        main = Reason(
            "trick.led_out" if out else "trick.led_no_trump",
            {**params, "by": last.seat, "out": "X"},
        )
    else:
        main = Reason("trick.led", {**params, "trump": LETTERS[trick.trump]})
    wilds = sum(each == PLAY_WILD + colour for each in trick.moves)
    if wilds > 1:
        note = Reason(f"trick.wilds_{second_wild}", {"wild": "W", "colour": LETTERS[colour]})
        return Reason("trick.with_note", {"main": main, "note": note})
    return main


def decisive_turn(turns: Sequence[Turn], index: int, players: int) -> Turn:
    """The turn that set the trump by which the trick of an index is judged: a second Out, or a
    Change that turned up the same colour again, set nothing."""
    last = turns[0]
    for turn in turns:
        if (turn.trick, turn.card) < (index, players) and turn.trump != last.trump:
            last = turn
    return last


assert len(LETTERS) == N_COLOURS
