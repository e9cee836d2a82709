"""A game in lines of text, as a seat sees it: for pipes, screen readers and language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rage.game.account import tell_accounts
from rage.game.rulebook import chapters, title
from rage.game.rulings import ruling
from rage.game.scene import Scene, moves_of
from rage.game.story import tell_end, tell_play, tell_round, tell_trump_change
from rage.game.view import View
from rage.rules.hands import Hand
from rage.rules.ruleset import RuleSet
from rage.rules.values import Card, letter_of
from rage.say import (
    Reason,
    card_name,
    colour_name,
    join,
    seat_name,
    sentence,
    short_name,
    text,
)


class Lines:
    """A view as lines of text in a language."""

    def __init__(self, view: View, language: str) -> None:
        self.view = view
        self._language = language
        self.scene = Scene(view)

    def sentence(self, reason: Reason) -> str:
        """A reason as a sentence for this seat, with the names of the players."""
        view = self.view
        return sentence(
            reason, self._language, edition=view.rules.edition, names=view.names, you=view.seat
        )

    def _say(self, code: str, /, **params: object) -> str:
        return text(code, self._language, self.view.rules.edition, **params)

    def card(self, card: Card) -> str:
        """A card as people type it, followed by its name if that differs."""
        code = str(card)
        name = card_name(code, self._language, self.view.rules.edition)
        shown = short_name(code, self._language)
        return shown if shown == name else f"{shown} ({name})"

    def playable(self) -> list[str]:
        """The cards that can be played, as people type them."""
        return [self.card(card) for card in self._playable()]

    def _playable(self) -> Hand:
        return Hand(card for card in self.scene.hand if moves_of(self.view, card))

    def cards(self) -> str:
        """The cards of the seat."""
        cards = ", ".join(self.card(card) for card in self.scene.hand)
        return self._say("plain.hand", cards=cards or text("plain.none", self._language))

    def hand(self) -> Iterator[str]:
        """The cards of the seat and, if it is to play one, which it can play."""
        scene = self.scene
        yield self.cards()
        if scene.my_turn and not scene.bidding:
            if self._playable() == scene.hand:
                yield self._say("plain.playable_all")
            else:
                cards = join(self.playable(), self._language, "list.or")
                yield self._say("plain.playable", cards=cards)

    def trick(self) -> Iterator[str]:
        """The cards of the trick so far."""
        trick = self.scene.trick
        if trick is None:
            yield self._say("plain.no_trick_yet")
            return
        for at in range(len(trick.moves)):
            yield self.sentence(tell_play(trick, at, self.view.players))

    def last(self) -> Iterator[str]:
        """The last finished trick, and why it was won."""
        view, last = self.view, self.scene.last_trick()
        if last is None:
            yield self._say("tui.no_trick")
            return
        current, index = last
        for at in range(view.players):
            yield self.sentence(tell_play(current.tricks[index], at, view.players))
        yield self.sentence(ruling(current, index, view.rules.second_wild))

    def team(self) -> Iterator[str]:
        """The partners of the seat, if there are teams."""
        partners = self.scene.partners
        if partners:
            yield self.sentence(Reason("plain.team", {"players": partners}))

    def bids(self) -> Iterator[str]:
        """The bids that are shown, and the tricks won so far."""
        yield from self.team()
        scene = self.scene
        for seat, bid in enumerate(scene.bids):
            name, won = self._player(seat), scene.won[seat]
            if not scene.has_bid(seat):
                yield self._say("plain.no_bid", player=name)
            elif bid is None:
                yield self._say("plain.hidden_bid", player=name, won=won)
            else:
                yield self._say("plain.bid", player=name, won=won, bid=bid)

    def _player(self, seat: int) -> str:
        return seat_name(seat, self._language, self.view.names)

    def scores(self) -> Iterator[str]:
        """The points of each side so far, in one line."""
        for side, points in enumerate(self.scene.scores):
            names = [self._player(seat) for seat in self.view.side_seats[side]]
            yield self._say("plain.score", player=join(names, self._language), points=points)

    def trump(self) -> Iterator[str]:
        """The trump, and how it was set."""
        letter = letter_of(self.scene.trump)
        if letter is None:
            yield self._say("plain.no_trump")
        else:
            yield self._say("plain.trump", colour=colour_name(letter, self._language))
        yield self.sentence(tell_trump_change(self.scene.trump_change))

    def log(self) -> Iterator[str]:
        """Everything that has happened in the game."""
        return map(self.sentence, self.scene.story(len(self.view.rounds)))

    def end(self) -> Iterator[str]:
        """The places of all sides in a finished game, and who won."""
        view = self.view
        yield from map(self.sentence, self.scene.ranking())
        assert view.winners is not None
        yield self.sentence(tell_end(view.scores, view.winners, view.players))


def rule_lines(rules: RuleSet, players: int, language: str) -> Iterator[str]:
    """The rules in force, chapter by chapter, with an empty line before each."""
    edition = rules.edition
    yield sentence(title(rules, language), language, edition=edition)
    for chapter in chapters(rules, players):
        yield ""
        yield sentence(chapter.title, language, edition=edition)
        for line in chapter.lines:
            yield sentence(line, language, edition=edition)


class News:
    """The events of a game, each told once."""

    def __init__(self, first_round: int = 1) -> None:
        self._round = first_round
        self._told: Counter[str] = Counter()

    def lines(self, lines: Lines) -> Iterator[str]:
        """The events since the last call, in order, with an empty line before each new round."""
        view = lines.view
        for current in view.rounds:
            if current.number < self._round:
                continue
            if current.number > self._round:
                self._told.clear()
                self._round = current.number
                yield ""
            now: Counter[str] = Counter()
            told = [each for each in tell_round(current, view.rules)
                    if not each.code.startswith("event.points")]  # fmt: skip
            if current.points is not None:
                told += tell_accounts(current, view.position.rules)
            for reason in told:
                words = lines.sentence(reason)
                now[words] += 1
                if now[words] > self._told[words]:
                    yield words
            self._told = now
