"""Tables to test with, people who play at them, and all that a table is, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from rage import Game, NotAllowed, NotReadable, Reason
from rage.bots import bot
from rage.deal import Dealer
from rage.rules import RuleSet
from rage.table import (
    Command,
    Create,
    Event,
    Fact,
    Join,
    Options,
    Play,
    Start,
    Table,
    read_event,
)
from rage.table.events import Dealt
from rage.view import View

SEED = bytes(range(16))


class Evening:
    """A table, its log, and a clock that goes on by a second with each command."""

    def __init__(self) -> None:
        self.table = Table()
        self.log: list[Event] = []
        self.now = 0

    def do(self, command: Command, actor: str | None, seed: bytes | None = None) -> list[Fact]:
        """What a command brings about, done."""
        self.now += 1000
        events = self.table.do(command, actor, self.now, seed=seed)
        self.log += events
        return [event.fact for event in events]

    @property
    def game(self) -> Game:
        assert self.table.state.play is not None
        return self.table.state.play.game

    @property
    def actor(self) -> str | None:
        """Who makes the next decision; ``None``: the house, for a bot."""
        seat = self.table.to_act
        assert seat is not None
        each = self.table.state.seats[seat]
        return None if each.bot else each.person

    def play(self, move: object = None) -> list[Fact]:
        """The next decision: a move, or the first legal one."""
        move = self.game.legal_moves()[0] if move is None else move
        return self.do(Play(self.table.ply, str(move)), self.actor)

    def play_on(self, rng: Random, decisions: int) -> None:
        """Some random decisions, or as many as there are left."""
        for _ in range(decisions):
            if self.table.phase != "playing":
                return
            self.play(rng.choice(self.game.legal_moves()))

    def bid(self) -> None:
        """All bids of a round."""
        while self.game.bidding:
            self.play()


def table_of(
    *people: str, rules: str = "poof", players: int | None = None, options: Options | None = None
) -> Evening:
    """A table with these people in its first seats, before the start."""
    evening = Evening()
    host, *others = people
    count = players or max(2, len(people))
    evening.do(Create(rules, count, host.title(), options or Options()), host, SEED)
    for each in others:
        evening.do(Join(each.title()), each)
    return evening


def started(*people: str, rules: str = "poof", **more: Any) -> Evening:
    """The same after the start; bots fill the other seats."""
    evening = table_of(*people, rules=rules, **more)
    evening.do(Start("random"), people[0])
    return evening


def folded(log: Iterable[Event]) -> Table:
    """The table of a log that has been stored and read again."""
    return Table.from_events(read_event(event.as_data()) for event in log)


def thought(table: Table) -> Play:
    """What the bot to act answers."""
    turn = table.bot_to_act()
    assert turn is not None
    return Play(turn.ply, str(bot(turn.bot, turn.seed).choose(turn.view)))


def whole(value: Any) -> Any:
    """Everything that a table is, as data that can be compared."""
    if isinstance(value, Table):
        return whole(value.state)
    if isinstance(value, Game):
        rounds = View(value, None).as_data()["rounds"]
        return (value.names, value.position.fields(), [each.deal for each in value.rounds], rounds)
    if isinstance(value, Dealer):
        return (value.players, value.seed, value.words, value.first)
    if isinstance(value, RuleSet):
        return value
    if is_dataclass(value):
        return {each.name: whole(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {key: whole(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [whole(each) for each in value]
    return sorted(value) if isinstance(value, set) else value


def stacked(
    rules: str, dealer: int, hands: list[str], stock: str, *people: str, **more: Any
) -> Evening:
    """A game of one round just dealt, with these cards; ``stock`` begins with its turn-up."""
    evening = started(*people, rules=rules, players=len(hands), **more)
    *before, last = evening.log
    turned = stock.split()[0]
    dealt = Dealt(1, dealer, tuple(hands), stock, turned, turned[0])
    evening.log = [*before, last._replace(fact=dealt)]
    evening.table = folded(evening.log)
    return evening


def refused(evening: Evening, command: Command, actor: str | None) -> str:
    """The code of the reason for which a command is refused, having changed nothing."""
    before = whole(evening.table)
    with pytest.raises((NotAllowed, NotReadable)) as caught:
        evening.table.decide(command, actor, evening.now, seed=SEED)
    assert whole(evening.table) == before
    reason: Reason = caught.value.reason
    return reason.code


def told(table: Table, person: str | None) -> Any:
    """What a table tells a person, for who looks into it deeply."""
    return table.view_for(person)
