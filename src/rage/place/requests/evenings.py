"""``/api/.../evening``: how the people of a game have done together in these hours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from rage.game.history import side_of
from rage.place.codes import read_code
from rage.place.limits import MAX_GAMES
from rage.place.requests.games import record_of_game
from rage.place.requests.lines import stored_game
from rage.place.requests.requester import Requester
from rage.place.room.index import DealtRound, StoredGame
from rage.place.store import GameEntry

#: For how long games count as one evening, in milliseconds.
EVENING: Final = 12 * 3_600_000


class EveningPlayer(Struct):
    """A person: their points in the rounds dealt to them, how many games they have ``played``, at
    least in part, and ``won``; ``me``: whether it is you."""

    name: str
    points: int
    played: int
    won: int
    me: bool


class Evening(Struct):
    """The finished games of the same group within twelve hours, up to one of them: how many, and
    how each person has done, the leader first. The group is the same as long as most of the people
    of either game are in both, so somebody may leave and another come."""

    games: int
    players: list[EveningPlayer]


async def get_evening(requester: Requester, table: str, game: int) -> Evening:
    """The evening of a finished game, for those who played or watched it: of all games at its
    table, and of others that you played or watched."""
    requester.rate_limit("game")
    found = await record_of_game(requester, table, game)
    code, person = read_code(table), requester.require_person()
    last = stored_game(found.line)
    known = {}
    for who in dict.fromkeys((person, *_people(last))):
        for entry in await requester.site.store.games_of(who, MAX_GAMES):
            in_time = found.ended - EVENING <= entry.ended <= found.ended
            if in_time and (entry.table == code or who == person):
                known[entry.table, entry.game] = entry
    games = _stored(known.values())
    if (code, game) not in known:
        games = [last]  # practice
    #: Their last names: who was given their own seat on another device is the same person.
    called = {who: name for each in games for who, name in _people(each).items()}
    group = {called[who] for who in _people(last)}
    players = dict[str, EveningPlayer]()
    count = 0
    for each in games:
        names = {called[who] for who in _people(each)}
        if 2 * len(names & group) <= max(len(names), len(group)):
            continue
        count += 1
        for name in names:
            players.setdefault(name, EveningPlayer(name, 0, 0, 0, False)).played += 1
        for who, seat in _seats(each):
            player = players[called[who]]
            player.me |= who == person
            player.points += each.points_of(who, seat)
            player.won += _has_won(each, who, seat)
    return Evening(count, sorted(players.values(), key=lambda each: (-each.points, each.name)))


def _stored(entries: Iterable[GameEntry]) -> list[StoredGame]:
    """Games in the order in which they ended."""
    return [stored_game(each.line) for each in sorted(entries, key=lambda each: each.ended)]


def _seats(stored: StoredGame) -> dict[tuple[str, int], str]:
    """The people of a game with each seat that they had, and their names there."""
    held: list[DealtRound | StoredGame] = [*stored.dealt.values(), stored]
    return {
        (who, seat): name
        for each in held
        for seat, (who, name) in enumerate(zip(each.people, each.names, strict=True))
        if who is not None
    }


def _people(stored: StoredGame) -> dict[str, str]:
    """The people of a game, and their names."""
    return {who: name for (who, _), name in _seats(stored).items()}


def _has_won(stored: StoredGame, person: str, seat: int) -> bool:
    won = side_of(seat, len(stored.scores)) in stored.winners
    return won and stored.finished_by(person, seat, len(stored.met))
