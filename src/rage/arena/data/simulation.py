"""A simulation: whole games between bots, whose decisions and results become rows.

Games of only ``steady`` and ``random`` are played in a compiled loop; in all others each bot is
given a view. The deals are the same either way: in game *i* they follow from the seed and *i*
alone.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import Final, NamedTuple

from rage.arena.data.matches import play_games
from rage.arena.data.rows import Rows
from rage.arena.match import check_can_play, network_of
from rage.bots.custom import any_bot
from rage.engine.episode import Episode
from rage.engine.kernel import Rules
from rage.game.game import Game
from rage.rules.editions import ruleset
from rage.rules.number import read_number
from rage.rules.values import Move
from rage.say import NotAllowed, NotReadable

#: The bots that play in the compiled loop.
_COMPILED: Final = frozenset(("steady", "random"))
#: How many games make a part of a simulation: compiled ones, and others, which take longer.
_GAMES: Final = 1000
_SLOW_GAMES: Final = 50
#: The most games of a simulation: their numbers must fit.
MOST_GAMES: Final = 1_000_000_000
_LARGEST_SEED: Final = 999_999_999


class Simulation(NamedTuple):
    """The games to simulate: the name of a rule set, the number of players, the bots by seat, and
    the seed of all deals and of all random choices of the bots."""

    rules: str
    players: int
    bots: tuple[str, ...]
    seed: str

    @classmethod
    def of(cls, rules: str, players: int, bots: tuple[str, ...], seed: str) -> Simulation:
        """A simulation, checked; with fewer bots than seats they repeat in turn. Raises
        :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
        chosen = ruleset(rules).for_players(players)
        if not bots:
            raise NotReadable("play.no_bots")
        if len(bots) > players:
            raise NotAllowed("play.too_many_bots", given=len(bots), seats=players)
        for bot in bots:
            any_bot(bot)
        check_can_play(bots)
        seated = tuple(bots[seat % len(bots)] for seat in range(players))
        return cls(chosen.name, players, seated, seed)

    @property
    def sides(self) -> int:
        """The number of sides that score: the players, or the teams."""
        return ruleset(self.rules).teams or self.players

    @property
    def network(self) -> str | None:
        """The network that some of the bots play by (:func:`rage.arena.match.network_of`)."""
        return network_of(self.bots)

    @property
    def compiled(self) -> bool:
        """Whether the games are played in the compiled loop."""
        return _COMPILED.issuperset(self.bots)

    @property
    def part_games(self) -> int:
        """The number of games in a part, except the last."""
        return _GAMES if self.compiled else _SLOW_GAMES

    @property
    def number(self) -> int:
        """The seed as a number: as typed, or derived from the text."""
        typed = read_number(self.seed, 0, _LARGEST_SEED)
        return int.from_bytes(self._drawn()[:7], "big") if typed is None else typed

    def seed_for(self, game: int, seat: int) -> int:
        """The 32-bit seed of the bot in a seat in a game, if it is given views."""
        return int.from_bytes(self._drawn("bot", game, seat)[:4], "big")

    def _drawn(self, *words: object) -> bytes:
        """Bytes derived from the seed and their purpose."""
        lines = "\n".join(map(str, ("rage-simulate-1", *words, self.seed)))
        return sha256(lines.encode("utf-8", "surrogatepass")).digest()


def simulate(simulation: Simulation, first: int, games: int) -> Rows:
    """Play ``games`` games, from number ``first`` on, and return their rows. Raises
    :class:`rage.NotAllowed` if a bot fails."""
    rules = _rules(simulation.rules, simulation.players)
    rows = Rows(rules, games)
    if simulation.compiled:
        steady = sum(1 << seat for seat, bot in enumerate(simulation.bots) if bot == "steady")
        chosen, players = rules.ruleset, rules.players
        play_games(chosen, players, steady, games, simulation.number, rows=rows, first=first)
    else:
        for number in range(first, first + games):
            _play(simulation, rules, rows, number)
    return rows


@lru_cache(maxsize=8)
def _rules(name: str, players: int) -> Rules:
    return Rules(ruleset(name), players)


def _play(simulation: Simulation, rules: Rules, rows: Rows, number: int) -> None:
    """Play a game by views; the next round is dealt when the rows of the last are written."""
    game = Game(rules.ruleset, simulation.players, deals=())
    seeds = [simulation.seed_for(number, seat) for seat in range(simulation.players)]
    bots = [any_bot(name, seed) for name, seed in zip(simulation.bots, seeds, strict=True)]
    rows.begin(number)
    for deal in Episode(rules, simulation.number, number).deals():
        game.deal(deal)
        while (seat := game.to_act) is not None:
            before, move = game.position, bots[seat].choose(game.view(seat))
            game.play(move)
            rows.note(before, Move(move).number)
        rows.end_round(game.position)
    rows.end_game(game.position)
