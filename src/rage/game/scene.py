"""What the table shows: the current view or, for a while, the trick just completed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rage.game.account import tell_accounts
from rage.game.history import Round, Trick, TrumpChange
from rage.game.rulings import decisive_trump_change, example_move, ruling
from rage.game.story import tell_end, tell_round
from rage.game.view import View
from rage.rules.hands import Hand
from rage.rules.ruleset import places
from rage.rules.values import Card, Colour, Move
from rage.say import Reason


@dataclass(frozen=True)
class Scene:
    """A view as drawn. ``pause`` is the finished trick still on the table, as the index of its
    round and its own index there; later events are not shown yet. ``bots`` are the names of the
    bots by seat."""

    view: View
    pause: tuple[int, int] | None = None
    bots: tuple[str | None, ...] = ()

    def bot(self, seat: int) -> str | None:
        """The name of the bot in a seat; ``None`` where a person plays."""
        return self.bots[seat] if self.bots else None

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds that are shown so far."""
        return self.view.rounds[: self.pause[0] + 1] if self.pause else self.view.rounds

    @property
    def round(self) -> Round:
        """The round that is shown: the last of ``rounds``."""
        return self.rounds[-1]

    @property
    def round_ended(self) -> bool:
        """Whether the trick that is still on the table was the last of its round."""
        return self.pause is not None and self.round.points is not None

    @property
    def ended(self) -> bool:
        """Whether the game is over and its last trick has been seen."""
        return self.view.over and self.pause is None

    @property
    def trick(self) -> Trick | None:
        """The trick that is shown; ``None`` while there is none."""
        tricks = self.round.tricks
        if self.pause:
            return tricks[self.pause[1]]
        return tricks[-1] if tricks and (self.ended or tricks[-1].winner is None) else None

    @property
    def trick_number(self) -> int:
        """The number of the trick that is shown or comes next, from 1."""
        if self.pause:
            return self.pause[1] + 1
        tricks = self.round.tricks
        over = sum(trick.winner is not None for trick in tricks)
        return min(over + 1, self.round.hand_size)

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is; ``None`` while a finished trick is on the table."""
        return None if self.pause else self.view.to_act

    @property
    def my_turn(self) -> bool:
        """Whether the person is to act."""
        return self.to_act is not None and self.to_act == self.view.seat

    @property
    def bidding(self) -> bool:
        """Whether the bids are being made."""
        return self.view.bidding and self.pause is None

    @property
    def hand(self) -> Hand:
        """The person's cards; none once the round is over."""
        return Hand() if self.round.points is not None else self.view.hand

    @property
    def bids(self) -> Sequence[int | None]:
        """The bids that are shown, by seat."""
        return self.round.bids

    @property
    def won(self) -> Sequence[int]:
        """Tricks won in the round, by seat."""
        return self.round.won if self.round.won is not None else self.view.won

    @property
    def partners(self) -> list[int]:
        """The other seats of the person's team; none if everyone plays alone."""
        view = self.view
        if view.seat is None:
            return []
        return [seat for seat in view.side_seats[view.side_of(view.seat)] if seat != view.seat]

    @property
    def scores(self) -> list[int]:
        """The points so far, by side."""
        return self.view.scores

    def ranking(self) -> Iterator[Reason]:
        """The places of all sides in a finished game, from the first; equals share one, but after a
        tie-break only the winners share the first."""
        view = self.view
        ranks = places(self.scores, view.winners or [])
        for side in sorted(range(view.sides), key=ranks.__getitem__):
            place, points = ranks[side], self.scores[side]
            code = "rank.shared" if ranks.count(place) > 1 else "rank.alone"
            yield Reason(code, {"place": place, "players": view.side_seats[side], "points": points})

    def has_bid(self, seat: int) -> bool:
        """Whether a seat has bid, shown or not."""
        return not self.bidding or self.view.has_bid[seat] or self.bids[seat] is not None

    @property
    def trump_change(self) -> TrumpChange:
        """When and how the trump that is shown was set."""
        index = self.pause[1] if self.pause else self.round.hand_size
        return decisive_trump_change(self.round.trump_changes, index, self.view.players)

    @property
    def trump(self) -> Colour | None:
        """The trump that is shown: the one that decided the trick, or the one in force."""
        return self.trump_change.trump

    def card_of(self, seat: int) -> Move | None:
        """The move by which a seat played to the trick that is shown."""
        trick = self.trick
        if trick is None:
            return None
        at = (seat - trick.leader) % self.view.players
        return trick.moves[at] if at < len(trick.moves) else None

    def why_won(self) -> Reason | None:
        """Why the trick that is still on the table was won; ``None`` if there is none."""
        if not self.pause:
            return None
        return ruling(self.round, self.pause[1], self.view.rules.second_wild)

    def last_trick(self) -> tuple[Round, int] | None:
        """The last finished trick, as its round and its index there."""
        for current in reversed(self.rounds):
            for index in range(len(current.tricks) - 1, -1, -1):
                if current.tricks[index].winner is not None:
                    return current, index
        return None

    def accounts(self) -> Iterator[Reason]:
        """How the points of this round add up, once it is over."""
        if self.round.points is not None:
            yield from tell_accounts(self.round, self.view.position.rules)

    def story(self, rounds: int = 1) -> Iterator[Reason]:
        """The events of the last ``rounds`` rounds, in order."""
        for current in self.rounds[-rounds:]:
            story = list(tell_round(current, self.view.rules))
            if (
                self.pause
                and current.number == self.round.number
                and story[-1].code == "event.trump.after"
            ):
                story.pop()
            yield from story
        winners = self.view.winners
        if self.ended and winners is not None:
            yield tell_end(self.scores, winners, self.view.players)


def moves_of(view: View, card: Card) -> list[Move]:
    """The legal moves that play a card."""
    return [move for move in view.legal_moves if move.card is card]


def why_not(view: View, card: Card) -> Reason | None:
    """Why a card that is held cannot be played now; ``None`` if it can."""
    if view.my_turn and not view.bidding and moves_of(view, card):
        return None
    return view.why_not(example_move(card, view.rules, view.trump))
