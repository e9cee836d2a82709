"""The guided first round: short scenes with dealt hands, in which the learner makes the moves.

A scene is a file: three hands, the stock, the dealer and the bids (``null``: the learner bids). The
learner has seat 0; the others play their first legal card, in the order of the file. A
:class:`Lesson` plays one scene, and comments on every bid and card.
"""

from __future__ import annotations

import json
from functools import cache
from pkgutil import get_data
from typing import Final, NamedTuple

from rage.coach import Hint, hint, topics
from rage.engine.deal import Deal
from rage.game.account import Account, account_of, tell_account
from rage.game.game import Game
from rage.learn import comments
from rage.rules.editions import ruleset
from rage.rules.values import Card, Move
from rage.say import Reason

#: The scenes, in the order in which they are played.
SCENES: Final = ("follow", "trump", "wild", "change", "bid")
#: The other players, after the learner.
OTHERS: Final = ("Ada", "Ben")
#: The seat of the learner.
LEARNER: Final = 0
#: The action card that a scene is about.
_CARDS: Final = {"wild": "W", "change": "C"}


class Scene(NamedTuple):
    """A scene as in its file. ``lesson``: the topic of the coach that it is about."""

    lesson: str
    dealer: int
    bids: list[int | None]
    stock: str
    hands: list[str]


@cache
def scene(name: str) -> Scene:
    """A scene from its file in ``scenes/``, which is read once."""
    data = get_data("rage.learn", f"scenes/{name}.json")
    assert data is not None
    return Scene(**json.loads(data))


def open_scene(name: str, edition: str) -> Game:
    """The game of a scene under the rules of an edition, before the first bid."""
    found = scene(name)
    deal = Deal(found.dealer, found.hands, found.stock)
    rules = ruleset(edition).replace(schedule=(len(deal.hands[0]),))
    return Game(rules, ["", *OTHERS], deals=[deal])


class Step(NamedTuple):
    """A bid or card that was played, and the comment on it."""

    seat: int
    move: Move
    comment: Reason


class Lesson:
    """A scene being played. ``game`` stands before the learner's next decision."""

    def __init__(self, name: str, edition: str) -> None:
        self._scene = scene(name)
        self.game = open_scene(name, edition)
        #: The game before the learner's last card, and that card.
        self._choice: tuple[Game, Move] | None = None

    def copy(self) -> Lesson:
        """A copy that can be played on without changing this one."""
        other = Lesson.__new__(Lesson)
        other._scene, other._choice = self._scene, self._choice
        other.game = self.game.copy()
        return other

    def begin(self) -> list[Step]:
        """Play up to the learner's first decision."""
        return self._others()

    def play(self, move: Move) -> list[Step]:
        """Make the learner's move, and play up to the next decision or the end."""
        return [self._make(move), *self._others()]

    @property
    def hint(self) -> Hint | None:
        """The coach's hint from the scene's own lesson; for a bid, only its purpose, because
        finding it is the lesson."""
        game = self.game
        if game.bidding:
            return Hint(None, Reason("learn.bid.hint", {"exact": game.rules.exact}))
        taught = {*topics(game.rules, game.players)} - {self._scene.lesson}
        return hint(game.view(LEARNER), taught)

    @property
    def met(self) -> bool:
        """Whether the learner's bid was met, at the end."""
        return bool(self._account.met)

    @property
    def account(self) -> Reason:
        """The account of the learner's points, at the end."""
        return tell_account(self._account)

    @property
    def _account(self) -> Account:
        return account_of(self.game.rounds[-1], self.game.position.rules, LEARNER)

    def _others(self) -> list[Step]:
        steps = []
        while (move := self._given(self.game)) is not None:
            steps.append(self._make(move))
        return steps

    def _given(self, game: Game) -> Move | None:
        """The next move, unless the learner decides it; ``None`` at a decision, or the end. The
        learner's bid, if the scene has it, and last card are included."""
        seat = game.to_act
        if seat is None:
            return None
        bid = self._scene.bids[seat]
        if game.bidding and bid is not None:
            return Move.bid(bid)
        legal = game.legal_moves
        if seat == LEARNER:
            is_last = len(legal) == 1 == len(game.view(LEARNER).hand)
            return legal[0] if is_last else None
        order = self._scene.hands[seat].split()
        return min(legal, key=lambda move: order.index(str(move.card)))

    def _make(self, move: Move) -> Step:
        seat = self.game.to_act
        assert seat is not None
        if self.game.bidding:
            self.game.play(move)
            return Step(seat, move, comments.of_bid(seat, move, LEARNER))
        before = self.game.copy()
        if seat == LEARNER:
            self._choice = (before, move)
        self.game.play(move)
        said = comments.of_card(before, move, LEARNER)
        if self.game.rounds[-1].tricks[-1].winner is not None:
            said = self._with_result(seat, said)
            if (better := self._better()) is not None:
                said = comments.both(said, better)
        return Step(seat, move, said)

    def _with_result(self, seat: int, said: Reason) -> Reason:
        """The comment on the last card of a trick, with the result of the learner's card."""
        assert self._choice is not None
        if self._choice[1].card is Card.CHANGE:
            return said  # it was not played for the trick
        result = comments.of_trick(self.game, LEARNER)
        # For the learner's own card the result says enough, unless the card trumped.
        brief = seat == LEARNER and not said.code.endswith(".trumps")
        return result if brief else comments.both(said, result)

    def _better(self) -> Reason | None:
        """Which cards would have kept the bid in reach, if the last one put it out of reach."""
        assert self._choice is not None
        before, move = self._choice
        if self._can_meet(self._after(before, move)):
            return None
        ways = [each for each in before.legal_moves if self._can_meet(self._after(before, each))]
        if not ways:
            return None
        index = len(before.rounds[-1].tricks) - (before.position.led is not None)
        wins = self.game.rounds[-1].tricks[-1].winner == LEARNER
        other = [each for each in ways if self._wins(before, each, index) != wins]
        # Even with a trick still to win, another card may have to go first.
        wanted = before.position.won[LEARNER] < (before.rounds[-1].bids[LEARNER] or 0)
        if other and wins != wanted:
            return comments.of_better(other, wanted)
        return comments.of_better([each for each in ways if each not in other] or ways, None)

    def _after(self, game: Game, move: Move) -> Game:
        """The game after a move of the learner and the others' replies."""
        game = game.copy()
        game.play(move)
        while (given := self._given(game)) is not None:
            game.play(given)
        return game

    def _can_meet(self, game: Game) -> bool:
        """Whether the learner can still meet the bid or, at the end, has met it."""
        if game.over:
            return bool(account_of(game.rounds[-1], game.position.rules, LEARNER).met)
        return any(self._can_meet(self._after(game, move)) for move in game.legal_moves)

    def _wins(self, game: Game, move: Move, index: int) -> bool:
        """Whether a card wins the trick to which it is played."""
        return self._after(game, move).rounds[-1].tricks[index].winner == LEARNER


def remark(name: str, which: str) -> Reason:
    """A remark about a scene: its ``name``, its ``intro``, or at its end ``met`` or ``missed``."""
    return Reason(f"learn.{name}.{which}", {"card": _CARDS.get(name, "")})
