"""The decisions of a game, and the cost of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rage.bots import Budget
from rage.bots.advice import Advice, advise
from rage.game.game import Game
from rage.game.view import View
from rage.rules.frozen import Value
from rage.rules.values import Move


class Place(NamedTuple):
    """The place of a decision in a game: the number of its round in the schedule; of its trick,
    from 1, or 0 for a bid; and its number there, from 1."""

    round: int
    trick: int
    card: int


class Choice(NamedTuple):
    """A decision in its context: its place, its seat, the move made, and the view it had (of this
    round alone), which is ``None`` if there was no choice."""

    place: Place
    seat: int
    move: Move
    view: View | None


class Decision(Value):
    """A decision, with the advice on it, which is ``None`` if there was no choice."""

    place: Place
    seat: int
    move: Move
    advice: Advice | None

    def __repr__(self) -> str:
        at = ", ".join(f"{name} {value}" for name, value in self.place._asdict().items())
        does = f"seat {self.seat} {'bids' if self.move.is_bid else 'plays'} {self.move}"
        return f"<Decision: {at}: {does}, cost {self.cost:.1f}>"

    @property
    def best(self) -> Move:
        """The move with the most points."""
        return self.move if self.advice is None else self.advice.best.move

    @property
    def cost(self) -> float:
        """How many more points the best move would have brought, in the same worlds: 0 or more."""
        return 0.0 if self.advice is None else self.advice.of(self.move).gap

    @property
    def error(self) -> float:
        """The standard error of the cost."""
        return 0.0 if self.advice is None else self.advice.of(self.move).error or 0.0

    @property
    def clear(self) -> bool:
        """Whether the cost is more than chance explains."""
        return self.advice is not None and self.advice.of(self.move).clear


def choices(game: Game) -> Iterator[Choice]:
    """Every decision of a game in order, with what its seat knew at the time."""
    deals = [each.deal for each in game.rounds if each.deal is not None]
    again = Game(game.rules, game.names, deals=deals, first_round=game.first_round)
    for each in game.rounds:
        for made, move in enumerate(each.moves):
            seat = again.to_act
            assert seat is not None
            trick, card = divmod(made, game.players)
            # Earlier rounds are not read, and thousands of views wait at once.
            view = View(again, seat, ()) if len(again.legal_moves) > 1 else None
            yield Choice(Place(each.number, trick, card + 1), seat, move, view)
            again.play(move)


def judge(
    choice: Choice, worlds: int, seed: int, called_off: Callable[[], bool] | None = None
) -> Decision:
    """Judge a decision in ``worlds`` worlds. Raises :class:`rage.bots.root.CalledOff` like
    :func:`rage.bots.advice.advise`."""
    place, seat, move, view = choice
    found = None
    if view is not None:
        found = advise(view, budget=Budget(worlds), seed=seed, called_off=called_off)
    return Decision(place, seat, move, found)
