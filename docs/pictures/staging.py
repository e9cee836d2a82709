"""Evenings to photograph: games with fixed names and seeds, stored as the server stores them, and
cut off at moments worth a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final

from rage import Game
from rage.bots import bot
from rage.engine.deal import word_commitment
from rage.house.people.identity import Keys
from rage.house.store import Append, Row
from rage.house.tables import index
from rage.rules.cards import LETTERS
from rage.server.stores import open_store
from rage.table import (
    Command,
    CommitWord,
    Create,
    Event,
    GiveSeat,
    Join,
    Options,
    Play,
    RevealWord,
    Start,
    Table,
    write_event,
)

SECRET: Final = "for pictures, and for nothing else"
#: Names by person; bots take the chairs that are left, at least one.
PEOPLE: Final = {"annannannann": "Ann", "benbenbenben": "Ben", "tessatessata": "Tessa"}
ME: Final = next(iter(PEOPLE))
BOTS: Final = ("Vega", "Rigel", "Spica", "Altair", "Deneb")
#: A person who has not played yet.
NEWCOMER: Final = "kaykaykaykay"
RULES: Final = "poof"
#: A November evening, in milliseconds since 1970, and the time between two events.
BEGAN: Final = 1_763_838_000_000
_PACE: Final = 4_000

#: The options of a table.
USUAL: Final = Options(undo=True)

#: Whether this is the moment.
Moment = Callable[[Game], bool]


def last_to_a_trick(game: Game) -> bool:
    """Return whether I am last to a trick whose trump was just changed, with a choice of cards
    from a hand of many colours."""
    current, held = game.rounds[-1], game.view(0).as_data()["hand"].split()
    if game.bidding or len(game.rounds) < 3 or not 6 <= len(held) <= 7:
        return False
    lie = [str(move) for trick in current.tricks[-1:] for move in trick.moves]
    changed = len(lie) == len(PEOPLE) and lie[-1][0] == "C" and lie[0][0] in LETTERS
    may = {str(move) for move in game.legal_moves} & set(held)
    mixed = len({card[0] for card in held} & set(LETTERS)) >= 4 and not set(held) <= may
    return changed and mixed and len(may) >= 2 and game.scores[0] == max(game.scores)


def last_to_bid(game: Game) -> bool:
    """Return whether the others have bid, and my hand is large."""
    return game.bidding and len(game.rounds) == 2 and None not in game.rounds[-1].bids[1:]


def nearly_over(game: Game) -> bool:
    """Return whether it is my turn in the round before the last."""
    return not game.bidding and len(game.rounds) == 9


def last_to_the_first_trick(game: Game) -> bool:
    """Return whether all others have played to the first trick, and I cannot play every card."""
    return not game.bidding and game.rounds[-1].dealer == 0 and len(_mine(game)) < _held(game)


def may_call(game: Game) -> bool:
    """Return whether I am last to a trick and can play a Wild, from a large hand."""
    return "W" in _mine(game) and _is_last(game) and _held(game) > 5


def may_change(game: Game) -> bool:
    """Return whether I am last to a trick and can change its trump, from a large hand."""
    return "C" in _mine(game) and _is_last(game) and _held(game) > 5


def _mine(game: Game) -> set[str]:
    """The cards I can play; none during the bidding."""
    moves = map(str, game.legal_moves)
    return set() if game.bidding else {move[0] if move[0] in "WC" else move for move in moves}


def _held(game: Game) -> int:
    return len(game.view(0).as_data()["hand"].split())


def _is_last(game: Game) -> bool:
    tricks = game.rounds[-1].tricks
    return bool(tricks) and len(tricks[-1].moves) == len(game.names) - 1


def cookie(person: str) -> str:
    """The cookie that a person's browser sends: its name, and its value."""
    return Keys(SECRET.encode()).cookie(person)


class Evening:
    """One game, from opening the table on, played by the bot ``steady`` for everyone."""

    def __init__(
        self,
        number: int = 0,
        rules: str = RULES,
        players: int = 4,
        friends: int = 2,
        options: Options = USUAL,
    ) -> None:
        self.table, self.events = Table(), list[Event]()
        self._number, self._rules, self._players = number, rules, players
        self._options = options
        #: The names of the people at the table, by person.
        self.people = dict(list(PEOPLE.items())[: 1 + min(friends, players - 2)])

    def _do(self, command: Command, actor: str | None = None) -> None:
        at = BEGAN + len(self.events) * _PACE
        seed = sha256(b"rage pictures %d" % self._number).digest()[:16]
        self.events += self.table.do(command, actor, at, seed=seed)

    def gather(self, *, bots: bool = True) -> Evening:
        """Open the table and seat everyone; without ``bots``, their chairs stay empty."""
        self._do(Create(self._rules, self._players, PEOPLE[ME], self._options), ME)
        for person, name in self.people.items():
            if person != ME:
                self._do(Join(name), person)
        for chair, name in zip(range(len(self.people), self._players), BOTS, strict=False):
            if bots:
                self._do(GiveSeat(chair, bot="steady", name=name), ME)
        return self

    def _start(self) -> None:
        self._do(CommitWord(word_commitment(self.table.state.commitment, "owl")), ME)
        self._do(Start(), ME)
        self._do(RevealWord("owl"), ME)

    def decisions(self) -> Iterator[Game]:
        """Play, and yield the game before each of my decisions."""
        self.gather()._start()
        play, people = self.table.state.play, list(self.people)
        assert play is not None
        while (seat := self.table.to_act) is not None:
            if seat == 0:
                yield play.game
            if (turn := self.table.bot_to_act()) is not None:
                move = bot(turn.bot, turn.seed).choose(turn.view)
                self._do(Play(turn.ply, str(move)))
            else:
                move = bot("steady", self.table.ply).choose(self.table.view_in_turn(seat))
                self._do(Play(self.table.ply_of(seat), str(move)), people[seat])

    def until(self, moment: Moment | None) -> bool:
        """Play until the moment has come or, without one, to the end. Returns whether it was
        reached."""
        return any(moment is not None and moment(game) for game in self.decisions()) or not moment


def evening(moment: Moment | None, since: int = 0, **game: Any) -> Evening:
    """The first evening from number ``since`` on with such a moment, played up to it."""
    found = (Evening(number, **game) for number in count(since))
    return next(each for each in found if each.until(moment))


async def store(data: Path, tables: dict[str, Evening]) -> None:
    """Store evenings, by the codes of their tables, where a server finds them."""
    kept = await open_store(data, serves=False)
    for code, each in tables.items():
        rows = tuple(Row(e.seq, e.at, write_event(e)) for e in each.events)
        about = index.derive(each.table, each.events[-1].at)
        await kept.append(Append(code, rows, about, index.finished_games(each.table, each.events)))
    for person, name in {**PEOPLE, NEWCOMER: PEOPLE[ME]}.items():
        await kept.keep_profile(person, name)
    await kept.close()
