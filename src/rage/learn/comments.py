"""Comments on a card when it is played: what it did, and what would have been better."""

from __future__ import annotations

from collections.abc import Sequence

from rage.game.game import Game
from rage.game.history import Trick, seat_after
from rage.game.story import tell_trump_change
from rage.rules.values import COLOURS, Move
from rage.say import Reason


def of_bid(seat: int, move: Move, learner: int) -> Reason:
    """A comment on a bid."""
    if seat == learner:
        return Reason("learn.you_bid", {"n": move.tricks})
    return Reason("event.bid", {"player": seat, "n": move.tricks})


def of_card(before: Game, move: Move, learner: int) -> Reason:
    """What a card does to the trick. ``before``: the game before it."""
    position, seat = before.position, before.to_act
    after = before.copy()
    after.play(move)
    changes = after.rounds[-1].trump_changes
    if len(changes) > len(before.rounds[-1].trump_changes):
        return tell_trump_change(changes[-1])
    colour = move.colour
    assert colour is not None
    params: dict[str, object] = {"player": seat, "card": str(move)}
    if position.led is None:
        is_last = len(before.view(seat).hand) == 1
        which = "leads.last" if is_last else "leads"
        params["colour"] = colour.letter
    else:
        led, best = COLOURS[position.led], _ahead(before)
        params |= {"best": str(best), "colour": led.letter}
        if seat == (after.position.ahead if _is_open(after) else after.position.leader):
            which = "beats" if colour is best.colour else "trumps"
        elif colour is best.colour:
            which = "lower"
        else:
            which = "under" if colour is led else "off.trump" if led is before.trump else "off"
    return Reason(f"learn.{'you' if seat == learner else 'other'}.{which}", params)


def _is_open(game: Game) -> bool:
    tricks = game.rounds[-1].tricks
    return bool(tricks) and tricks[-1].winner is None


def _ahead(game: Game) -> Move:
    """The card that would win the trick as it stands."""
    trick, ahead = game.rounds[-1].tricks[-1], game.position.ahead
    assert ahead is not None
    return trick.moves[(ahead - trick.leader) % game.players]


def of_trick(game: Game, learner: int) -> Reason:
    """What a trick just completed means for the bid of the learner."""
    current = game.rounds[-1]
    trick = current.tricks[-1]
    won = sum(each.winner == learner for each in current.tricks)
    bid = current.bids[learner]
    assert bid is not None
    params = {
        "card": str(played(trick, learner, game.players)),
        "by": str(played(trick, trick.winner or 0, game.players)),
        "won": won,
        "bid": bid,
    }
    if trick.winner == learner:
        return Reason("learn.won.over" if won > bid else "learn.won", params)
    return Reason("learn.lost" if won < bid else "learn.lost.enough", params)


def played(trick: Trick, seat: int, players: int) -> Move:
    """The card of a seat in a full trick."""
    return next(
        move for at, move in enumerate(trick.moves) if seat_after(trick.leader, at, players) == seat
    )


def of_better(better: Sequence[Move], wins: bool | None) -> Reason:
    """Which cards would have been better, and whether they would have won the trick; ``None`` if
    that made no difference."""
    which = {True: "win", False: "lose", None: "first"}[wins]
    cards = list(dict.fromkeys(str(move) for move in better))
    return Reason(f"learn.better.{which}", {"cards": " ".join(cards)})


def both(first: Reason, second: Reason) -> Reason:
    """Two comments, one after the other."""
    return Reason("coach.both", {"first": first, "second": second})
