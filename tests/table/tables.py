"""Tables to test with, people who play at them, and everything a table is, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from rage import Game, NotAllowed, NotReadable, Reason
from rage.bots import bot
from rage.engine.deal import Deals
from rage.rules.ruleset import RuleSet
from rage.table import (
    ChangeBid,
    Chat,
    Command,
    Create,
    Event,
    Fact,
    Join,
    Options,
    Play,
    React,
    Start,
    Table,
    read_event,
    write_event,
)
from rage.table.facts.events import Dealt
from rage.table.parts import ChatLine

SEED = bytes(range(16))


class TableRun:
    """A table, its log, and a clock that advances by a second with each command."""

    def __init__(self) -> None:
        self.table = Table()
        self.log: list[Event] = []
        self.now = 0

    def do(self, command: Command, actor: str | None, seed: bytes | None = None) -> list[Fact]:
        """The facts that a command brings about, applied."""
        self.now += 1000
        events = self.table.do(command, actor, self.now, seed=seed)
        self.log += events
        return [event.fact for event in events]

    def say(self, command: Chat, actor: str | None) -> ChatLine:
        """A line of the chat, heard by the table."""
        self.now += 1000
        said = self.table.say(command, actor, self.now)
        self.table.add_chat_line(said)
        return said

    @property
    def game(self) -> Game:
        assert self.table.state.play is not None
        return self.table.state.play.game

    @property
    def actor(self) -> str | None:
        """Who makes the next decision; ``None``: the house, for a bot."""
        assert self.table.to_act is not None
        return self.player(self.table.to_act)

    def player(self, seat: int) -> str | None:
        """Who plays a seat; ``None``: the house, for a bot."""
        each = self.table.state.seats[seat]
        return None if each.bot else each.person

    @property
    def awaited(self) -> list[int]:
        """The seats that are to act: several, where all bid at the same time."""
        seats = range(len(self.table.state.seats))
        return [seat for seat in seats if self.table.state.is_awaited(seat)]

    def play(self, move: object = None, seat: int | None = None) -> list[Fact]:
        """A decision, of the seat to act or of another that may bid, too: a move, or the first
        legal one."""
        move = self.game.legal_moves[0] if move is None else move
        seat = self.table.to_act if seat is None else seat
        assert seat is not None
        return self.do(Play(self.table.ply_of(seat), str(move)), self.player(seat))

    def change_bid(self, move: object, person: str) -> bool:
        """Replace a sealed bid. Returns whether the new bid differs."""
        seat = self.table.state.seat_of(person)
        assert seat is not None
        command = ChangeBid(self.table.ply_of(seat), str(move))
        bids = self.table.change_bid(command, person)
        if bids is not None:
            self.table.restore_changed(bids)
        return bids is not None

    def play_on(self, rng: Random, decisions: int) -> None:
        """Some random decisions, or as many as there are left; of those who bid at the same time,
        some change their bids."""
        for _ in range(decisions):
            if self.table.phase != "playing":
                return
            self.play(rng.choice(self.game.legal_moves), rng.choice(self.awaited))
            for seat in self.table.state.sealed:
                person = self.player(seat)
                if person is not None and rng.random() < 0.4:
                    self.change_bid(rng.choice(self.game.legal_moves), person)

    def play_round(self) -> None:
        """The round under way, to its end."""
        number = len(self.game.rounds)
        while self.table.phase == "playing" and len(self.game.rounds) == number:
            self.play()

    def play_out(self) -> None:
        """The game, to its end."""
        while self.table.phase == "playing":
            self.play()

    def bid(self) -> None:
        """All bids of a round."""
        while self.game.bidding:
            self.play()


def table_of(
    *people: str, rules: str = "poof", players: int | None = None, options: Options | None = None
) -> TableRun:
    """A table with these people in its first seats, before the start."""
    run = TableRun()
    host, *others = people
    count = players or max(2, len(people))
    run.do(Create(rules, count, host.title(), options or Options()), host, SEED)
    for each in others:
        run.do(Join(each.title()), each)
    return run


def started_table(*people: str, rules: str = "poof", **more: Any) -> TableRun:
    """The same after the start; bots fill the other seats."""
    run = table_of(*people, rules=rules, **more)
    run.do(Start("random"), people[0])
    return run


def reloaded(log: Iterable[Event]) -> Table:
    """The table of a log that has been written and read again."""
    return Table.from_events(read_event(write_event(event)) for event in log)


def assert_same(run: TableRun) -> None:
    """The table is its log, and its snapshot."""
    for again in (reloaded(run.log), Table.from_snapshot(run.table.snapshot())):
        assert comparable(again) == comparable(run.table)


def bot_move(table: Table) -> Play:
    """The answer of the bot to act."""
    turn = table.bot_to_act()
    assert turn is not None
    return Play(turn.ply, str(bot(turn.bot, turn.seed).choose(turn.view)))


def comparable(value: Any) -> Any:
    """Everything a table is, as data that can be compared."""
    if isinstance(value, Table):
        return comparable(value.state)
    if isinstance(value, Game):
        rounds = value.view(None).as_data()["rounds"]
        return (value.names, value.position._fields(), [each.deal for each in value.rounds], rounds)
    if isinstance(value, Deals):
        return (value.players, value.seed, value.words, value.first)
    if isinstance(value, RuleSet):
        return value
    if isinstance(value, Struct):
        return structs.asdict(value)
    if is_dataclass(value):
        return {each.name: comparable(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {key: comparable(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [comparable(each) for each in value]
    return sorted(value) if isinstance(value, set) else value


def game_with_cards(
    rules: str, dealer: int, hands: list[str], stock: str, *people: str, **more: Any
) -> TableRun:
    """A game of one round just dealt, with these cards; ``stock`` begins with its turn-up."""
    run = started_table(*people, rules=rules, players=len(hands), **more)
    *before, last = run.log
    turned = stock.split()[0]
    dealt = Dealt(
        round=1,
        dealer=dealer,
        hands=tuple(hands),
        stock=stock,
        turned=turned,
        trump=turned[0],
    )
    run.log = [*before, last._replace(fact=dealt)]
    run.table = reloaded(run.log)
    return run


def refusal_code(run: TableRun, command: Command | Chat | React, actor: str | None) -> str:
    """The code of the reason why a command is refused, which must not change anything."""
    before = comparable(run.table)
    with pytest.raises((NotAllowed, NotReadable)) as caught:
        decide_or_say(run, command, actor)
    assert comparable(run.table) == before
    reason: Reason = caught.value.reason
    return reason.code


def decide_or_say(run: TableRun, command: Command | Chat | React, actor: str | None) -> object:
    """What a command would bring about."""
    if isinstance(command, React):
        return run.table.react(command, actor)
    if isinstance(command, Chat):
        return run.table.say(command, actor, run.now)
    return run.table.decide(command, actor, run.now, seed=SEED)


def view_data(table: Table, person: str | None) -> Any:
    """What a table tells a person, decoded from its JSON."""
    return msgspec.json.decode(msgspec.json.encode(table.view_for(person)))


def data_of(events: Event | Iterable[Event]) -> Any:
    """An event, or several, decoded from their JSON."""
    if isinstance(events, Event):
        return json.loads(write_event(events))
    return [data_of(event) for event in events]
