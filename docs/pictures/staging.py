"""An evening to be photographed: a game of fixed names and a fixed seed, stored as the server
stores it, and cut off at the moments that make a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final

from rage import Game
from rage.bots import bot
from rage.cards import LETTERS
from rage.server import index, telling
from rage.server.app import STORE
from rage.server.identity import Keys
from rage.server.sqlite import SqliteStore
from rage.server.store import Append, Row
from rage.table import Command, Create, Event, GiveSeat, Join, Options, Play, SayWord, Start, Table
from rage.table.events import Played

SECRET: Final = "for pictures, and for nothing else"
#: Who plays, by person; on the fourth chair sits a bot.
PEOPLE: Final = {"annannannann": "Ann", "benbenbenben": "Ben", "tessatessata": "Tessa"}
ME: Final = next(iter(PEOPLE))
BOT: Final = "Vega"
#: Somebody who has played nothing yet.
NEWCOMER: Final = "kaykaykaykay"
RULES: Final = "poof"
#: A winter evening, in milliseconds since 1970, and how long everything takes.
_BEGAN: Final = 1_763_838_000_000
_PACE: Final = 4_000

#: Whether this is the moment.
Moment = Callable[[Game], bool]


def last_to_a_trick(game: Game) -> bool:
    """I am last to a trick whose trump has been changed, with a choice, from a hand of many
    colours."""
    current, held = game.rounds[-1], game.view(0).as_data()["hand"].split()
    if game.bidding or len(game.rounds) < 3 or not 6 <= len(held) <= 7:
        return False
    lie = [str(move) for trick in current.tricks[-1:] for move in trick.moves]
    changed = len(lie) == len(PEOPLE) and lie[-1][0] == "C" and lie[0][0] in LETTERS
    may = {str(move) for move in game.legal_moves()} & set(held)
    mixed = len({card[0] for card in held} & set(LETTERS)) >= 4 and not set(held) <= may
    return changed and mixed and len(may) >= 2 and game.scores[0] == max(game.scores)


def last_to_bid(game: Game) -> bool:
    """The others have bid, and my hand is large."""
    return game.bidding and len(game.rounds) == 2 and None not in game.rounds[-1].bids[1:]


def nearly_over(game: Game) -> bool:
    """My turn in the round before the last."""
    return not game.bidding and len(game.rounds) == 9


def cookie(person: str) -> str:
    """What the browser of a person shows: the name of the cookie, and its value."""
    return Keys(SECRET.encode()).cookie(person)


class Evening:
    """One game, from opening the table on, played by the bot ``steady`` for everybody."""

    def __init__(self, number: int) -> None:
        self.table, self.events = Table(), list[Event]()
        self._number = number

    def _do(self, command: Command, actor: str | None = None) -> None:
        at = _BEGAN + len(self.events) * _PACE
        seed = sha256(b"rage pictures %d" % self._number).digest()[:16]
        self.events += self.table.do(command, actor, at, seed=seed)

    def _sit_down(self) -> None:
        self._do(Create(RULES, len(PEOPLE) + 1, PEOPLE[ME], Options(undo=True)), ME)
        for person, name in PEOPLE.items():
            if person != ME:
                self._do(Join(name), person)
        self._do(GiveSeat(len(PEOPLE), bot="steady", name=BOT), ME)
        self._do(SayWord("owl"), ME)
        self._do(Start(), ME)

    def decisions(self) -> Iterator[Game]:
        """Play; the game before every decision of mine."""
        self._sit_down()
        play, people = self.table.state.play, list(PEOPLE)
        assert play is not None
        while (seat := self.table.to_act) is not None:
            if seat == 0:
                yield play.game
            if (turn := self.table.bot_to_act()) is not None:
                move = bot(turn.bot, turn.seed).choose(turn.view)
                self._do(Play(turn.ply, str(move)))
            else:
                move = bot("steady", self.table.ply).choose(play.game.view(seat))
                self._do(Play(self.table.ply, str(move)), people[seat])

    def until(self, moment: Moment | None) -> bool:
        """Play until the moment has come, or to the end; whether that was reached."""
        return any(moment is not None and moment(game) for game in self.decisions()) or not moment

    def before(self) -> Evening:
        """The same without the last card, which the bot has played and will play again."""
        last = next(at for at, each in enumerate(reversed(self.events), 1) if is_bots(each))
        shorter = Evening(self._number)
        shorter.events = self.events[:-last]
        shorter.table = Table.from_events(shorter.events)
        return shorter


def is_bots(event: Event) -> bool:
    """Whether a bot has played a card with this."""
    return isinstance(event.fact, Played) and event.fact.by == "bot"


def evening(moment: Moment | None) -> Evening:
    """The first evening that has such a moment, played as far as that."""
    return next(each for each in map(Evening, count()) if each.until(moment))


async def store(data: Path, tables: dict[str, Evening]) -> None:
    """Store evenings, by the codes of their tables, where a server will find them."""
    kept = SqliteStore(data / STORE)
    for code, each in tables.items():
        rows = tuple(Row(e.seq, e.at, telling.encode(e.as_data())) for e in each.events)
        about = index.of(each.table, each.events[-1].at)
        await kept.append(Append(code, rows, about, index.finished(each.table, each.events)))
    for person, name in {**PEOPLE, NEWCOMER: PEOPLE[ME]}.items():
        await kept.rename(person, name)
    await kept.close()
