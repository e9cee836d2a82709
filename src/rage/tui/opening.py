"""A table for one person at this terminal, with bots in the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import Final

from rage.bots.custom import is_custom
from rage.bots.names import names_of
from rage.rules.ruleset import RuleSet
from rage.table import Command, Create, Event, GiveSeat, Join, Start, Table
from rage.table.facts.table_facts import BotSat
from rage.table.people.names import alike

#: The id of the person at this terminal.
PERSON: Final = "person"


def open_table(
    rules: RuleSet, names: Sequence[str], bots: Sequence[str | None], seed: bytes, now: int
) -> tuple[Table, list[Event]]:
    """A table whose game has just begun, and its events so far; ``bots``: by seat, ``None`` for the
    person's. Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    table, events = Table(), list[Event]()

    def do(command: Command, seed: bytes | None = None) -> None:
        events.extend(table.do(command, PERSON, now, seed=seed))

    def give(seat: int, bot: str, name: str) -> None:
        """Seat a bot. A custom bot, which no command can request, replaces the bot in its event."""
        command = GiveSeat(seat, bot=None if is_custom(bot) else bot, name=name)
        for event in table.decide(command, PERSON, now):
            sat = event.fact
            if isinstance(sat, BotSat):
                sat = BotSat(sat.seat, bot, sat.name)
            events.append(event._replace(fact=sat))
            table.apply(events[-1])

    own = bots.index(None)
    do(Create(rules.name, len(names), names[own]), seed)
    if own:
        do(Join(names[own], own))
    for seat, (name, bot) in enumerate(zip(names, bots, strict=True)):
        if bot is not None:
            give(seat, bot, name)
    do(Start())
    return table, events


def player_names(own: str, players: int, bots: Sequence[str]) -> list[str]:
    """The names of the person and of the bots, which take the other seats in turn."""
    names = [own]
    for _, bot in zip(range(players - 1), cycle(bots), strict=False):
        names.append(
            next(each for each in names_of(bot) if not any(alike(each, name) for name in names))
        )
    return names
