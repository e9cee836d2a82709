"""``/api/.../evening``: how the people of a game have done together in these hours."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from rage.game.history import side_of
from rage.place.codes import read_code
from rage.place.limits import MAX_GAMES
from rage.place.requests.games import record_of_game
from rage.place.requests.lines import stored_game
from rage.place.requests.requester import Requester
from rage.place.room.index import StoredGame

#: For how long games count as one evening, in milliseconds.
EVENING: Final = 12 * 3_600_000


class EveningPlayer(Struct):
    """A person, with the points and the games they have won; ``me``: whether it is you."""

    name: str
    points: int
    won: int
    me: bool


class Evening(Struct):
    """The finished games of the same people within twelve hours, up to one of them: how many, and
    how each person has done, the leader first."""

    games: int
    players: list[EveningPlayer]


async def get_evening(requester: Requester, table: str, game: int) -> Evening:
    """The evening of a finished game, for those who played or watched it."""
    requester.rate_limit("game")
    found = await record_of_game(requester, table, game)
    person = requester.require_person()
    entries = await requester.site.store.games_of(person, MAX_GAMES)
    group = _people(stored_game(found.line))
    games = [
        stored
        for each in entries
        if found.ended - EVENING <= each.ended <= found.ended
        if _people(stored := stored_game(each.line)) == group
    ]
    if not any((each.table, each.game) == (read_code(table), game) for each in entries):
        games = [stored_game(found.line)]  # practice, or too long ago
    players = {who: EveningPlayer("", 0, 0, who == person) for who in group}
    for stored in reversed(games):
        for seat, who in enumerate(stored.people):
            if who is not None:
                side, player = side_of(seat, len(stored.scores)), players[who]
                player.name = stored.names[seat]
                player.points += stored.scores[side]
                player.won += side in stored.winners
    return Evening(len(games), sorted(players.values(), key=lambda each: (-each.points, each.name)))


def _people(stored: StoredGame) -> frozenset[str]:
    """Who had the seats of a game at its end, without bots."""
    return frozenset(filter(None, stored.people))
