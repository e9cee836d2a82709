"""The example in the rules: a small round, played by the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rage.engine.deal import Deal
from rage.game.account import account_of
from rage.game.game import Game
from rage.game.history import Trick, seat_after
from rage.game.rulings import ruling
from rage.rules.ruleset import RuleSet
from rage.say import Reason

#: The players, from eldest to the dealer: as many as the teams need, or usually four.
_CAST: Final = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
#: Their hands, in the order of play; ``?`` is an action card to win with.
_HANDS: Final = ("B13 G3", "B10 ?", "R2 G8", "B5 G12", "B1 G1", "B4 G6")
_BIDS: Final = (1, 0, 1, 1, 0, 0)
_TURN_UP: Final = "R7"
_VOID: Final = 2  # the seat that cannot follow in the first trick


def example_round(rules: RuleSet, players: int | None) -> Iterator[Reason]:
    """A round of two tricks: one is won with a trump, the other brings an action card."""
    if rules.laboratory:  # may lack these colours and ranks
        return
    game = _example_game(rules)
    current, cast = game.rounds[0], {"cast": game.names}
    seats = range(game.players)
    yield Reason(
        "rules.example.deal",
        {
            **cast,
            "players": list(seats),
            "n": current.hand_size,
            "dealer": current.dealer,
            "card": _TURN_UP,
            "colour": _TURN_UP[0],
        },
    )
    bids = [
        Reason("rules.example.bid", {"player": seat, "n": current.bids[seat]}) for seat in seats
    ]
    yield Reason("rules.example.bids", {**cast, "bids": bids})
    for index, trick in enumerate(current.tricks):
        cards = list(_example_cards(trick, game.players))
        yield Reason("rules.example.trick", {**cast, "trick": index + 1, "cards": cards})
        if index == 0:
            led = str(trick.moves[0])[0]
            yield Reason("rules.example.void", {**cast, "player": _VOID, "colour": led})
        why = ruling(current, index, rules.second_wild)
        yield Reason(why.code, {**why.params, **cast})
    yield from _example_points(game)


def _example_game(rules: RuleSet) -> Game:
    """Play the round to its end."""
    count = rules.usual_players
    pack = rules.pack
    extra = "+" if pack.bonus else "-" if pack.mad else "O4"
    hands = [hand.replace("?", extra).split() for hand in _HANDS[:count]]
    deal = Deal(count - 1, hands, _TURN_UP)
    game = Game(rules.replace(schedule=(2,)), _CAST[:count], deals=[deal])
    for bid in _BIDS[:count]:
        game.play(str(bid))
    while game.to_act is not None:
        game.play(hands[game.to_act].pop(0))
    return game


def _example_cards(trick: Trick, players: int) -> Iterator[Reason]:
    for at, move in enumerate(trick.moves):
        seat = seat_after(trick.leader, at, players)
        code = "rules.example.play" if at else "rules.example.lead"
        yield Reason(code, {"player": seat, "card": str(move)})


def _example_points(game: Game) -> Iterator[Reason]:
    """What each side scores, and how it adds up."""
    current = game.rounds[0]
    for side, seats in enumerate(game.side_seats):
        account = account_of(current, game.position.rules, side)
        parts = [account.for_bid]
        parts += [part for part in (account.for_bonus, account.for_mad) if part]  # none sweeps
        yield Reason(
            "rules.example.points",
            {
                "cast": game.names,
                "players": seats,
                "bid": account.bid,
                "won": account.won,
                "sum": f"{account.won}"
                + "".join(f" {'−' if n < 0 else '+'} {abs(n)}" for n in parts),
                "points": account.points,
            },
        )
