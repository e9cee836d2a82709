"""The decisions of a game, and what each of them cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from rage.bots import Budget
from rage.bots.advice import Advice, advise
from rage.game.game import Game
from rage.game.history import Move
from rage.game.view import View


class Place(NamedTuple):
    """Where in a game a decision was made: the number of its round in the schedule; of its trick,
    from 1, or 0 for a bid; and which one it was there, from 1."""

    round: int
    trick: int
    card: int


class Choice(NamedTuple):
    """A decision as it was met: where, by which seat, what it chose, and the view it had (of this
    round alone), which is ``None`` where it had no choice."""

    place: Place
    seat: int
    move: Move
    view: View | None


class Decision(NamedTuple):
    """A decision, and what may be said of it; ``advice`` is ``None`` where there was no choice."""

    place: Place
    seat: int
    move: Move
    advice: Advice | None

    @property
    def best(self) -> Move:
        """The move that would have brought most."""
        return self.move if self.advice is None else self.advice.best.move

    @property
    def cost(self) -> float:
        """How many more points the best move would have brought, in the same worlds: 0 or more."""
        return 0.0 if self.advice is None else self.advice.of(self.move).behind

    @property
    def error(self) -> float:
        """The standard error of the cost."""
        return 0.0 if self.advice is None else self.advice.of(self.move).error or 0.0

    @property
    def clear(self) -> bool:
        """Whether the cost is more than what chance may make of it."""
        return self.advice is not None and self.advice.of(self.move).clear


def choices(game: Game) -> Iterator[Choice]:
    """Every decision of a game in order, each with what its seat knew when it was made."""
    deals = [each.deal for each in game.rounds if each.deal is not None]
    again = Game(game.rules, game.names, deals=deals, first_round=game.first_round)
    for each in game.rounds:
        for made, move in enumerate(each.moves()):
            seat = again.to_act
            assert seat is not None
            trick, card = divmod(made, game.players)
            view = again.view(seat) if len(again.legal_moves()) > 1 else None
            if view is not None:
                view.rounds = view.rounds[-1:]  # as much as advice reads: thousands wait together
            yield Choice(Place(each.number, trick, card + 1), seat, move, view)
            again.play(move)


def judged(
    choice: Choice, worlds: int, seed: int, called_off: Callable[[], bool] | None = None
) -> Decision:
    """What a decision was worth, by so many worlds. Raises :class:`rage.bots.root.CalledOff` as
    advice does."""
    place, seat, move, view = choice
    found = None
    if view is not None:
        found = advise(view, budget=Budget(worlds), seed=seed, called_off=called_off)
    return Decision(place, seat, move, found)
