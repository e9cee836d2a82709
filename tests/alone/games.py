"""Games of bots by random rules, told in full: the same in every Python, on every machine."""

from __future__ import annotations

from random import Random

from rage import Game, bot, record_of, ruleset
from rage.notation import write_record
from rage.rules.ruleset import VARIANTS
from rage.rules.settings import PRINTED
from rage.say import RageError


def told(number: int, name: str = "steady") -> str:
    """The record and the scores of a game between bots."""
    chance = Random(number)
    game = random_game(chance)
    bots = [bot(name, seat) for seat in range(game.players)]
    while not game.over:
        seat = game.to_act
        assert seat is not None
        game.play(bots[seat].choose(game.view(seat)))
    return f"{write_record(record_of(game)).decode()}{list(game.scores)}\n"


def random_game(chance: Random) -> Game:
    """A game by some rules, which are drawn until they fit together."""
    while True:
        variants = chance.sample(sorted(VARIANTS), chance.randrange(4))
        try:
            rules = ruleset("+".join([chance.choice(PRINTED), *variants]))
            players = chance.randint(rules.player_range[0], min(rules.player_range[1], 6))
            return Game(rules, players, seed=chance.randbytes(32))
        except RageError:
            continue
