"""``/api/.../evening``: how the people of a game have done together that evening."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct

from rage.game.history import side_of
from rage.house.base.codes import read_code
from rage.house.limits import MAX_GAMES
from rage.house.requests.games import record_of_game
from rage.house.requests.requester import Requester
from rage.house.requests.rows import stored_game
from rage.house.tables.index import DealtRound, StoredGame

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
    how each person has done, the leader first. The group is the same as long as most people of
    either game are in both, so one may leave and another join."""

    games: int
    players: list[EveningPlayer]


class _Played(NamedTuple):
    """A finished game, with its table and its number there."""

    table: str
    game: int
    stored: StoredGame


async def get_evening(requester: Requester, table: str, game: int) -> Evening:
    """The evening of a finished game, for those who played or watched it: of all games at its
    table, and of others that you played or watched."""
    requester.rate_limit("game")
    found = await record_of_game(requester, table, game)
    code, person = read_code(table), requester.require_person()
    last = stored_game(found.line)
    entries = {}
    for who in dict.fromkeys((person, *_people(last))):
        for entry in await requester.site.store.games_of(who, MAX_GAMES):
            in_time = found.ended - EVENING <= entry.ended <= found.ended
            if in_time and (entry.table == code or who == person):
                entries[entry.table, entry.game] = entry
    games = [
        _Played(each.table, each.game, stored_game(each.line))
        for each in sorted(entries.values(), key=lambda each: each.ended)
    ]
    if (code, game) not in entries:
        games = [_Played(code, game, last)]  # practice
    first = await _first_ids(requester, games)
    players = dict[str, EveningPlayer]()
    group = {first[who] for who in _people(last)}
    count = 0
    for _, _, each in games:
        ids = {first[who]: name for who, name in _people(each).items()}
        if 2 * len(ids.keys() & group) <= max(len(ids), len(group)):
            continue
        count += 1
        for who, name in ids.items():
            player = players.setdefault(who, EveningPlayer(name, 0, 0, 0, False))
            player.name = name
            player.played += 1
        for who, seat in _seats(each):
            player = players[first[who]]
            player.me |= who == person
            player.points += each.points_of(who, seat)
            player.won += _has_won(each, who, seat)
    return Evening(count, sorted(players.values(), key=lambda each: (-each.points, each.name)))


async def _first_ids(requester: Requester, games: Iterable[_Played]) -> dict[str, str]:
    """By id, the one that the same person had in the first of the games. A person who is given
    their own seat on another device has a new id there: that game is also listed for the old one,
    which has the same name and seat but was dealt no round."""
    first, known = dict[str, str](), dict[tuple[str, str], list[str]]()
    for table, number, stored in games:
        people = _people(stored)
        for (who, seat), name in _seats(stored).items():
            if who in first:
                continue
            first[who] = who
            for old in known.get((table, name), ()):
                if old in people:
                    continue
                found = await requester.site.store.finished_game(table, number)
                if found is not None and found.seats.get(old) == seat:
                    first[who] = first[old]
        for who, name in people.items():
            known.setdefault((table, name), []).append(who)
    return first


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
