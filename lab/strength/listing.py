"""The list of matches, as it was written down beforehand."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from lab.benchmarks.progress import Failure
from rage import Game
from rage.arena import Match
from rage.bots import BOTS
from rage.bots.learned import FIRST, LEAST_ERROR, LEVELS, MAX_GAP, STEP
from rage.bots.rollouts import Rollouts
from rage.bots.steady import best_move_of
from rage.features.encode import encode
from rage.rules.editions import ruleset
from rage.say import RageError

FOLDER: Final = Path(__file__).parent
_OPPONENTS: Final = "lab.strength.opponents"
#: The opponents that are neither bots of the package nor such bots with a budget.
_CLASSES: Final = {"rlcard": "RLCard", "exploiter": "Exploiter", "network": "ByNetwork"}
#: Where `python -m lab.training.exploiting` has left its network.
EXPLOITER: Final = FOLDER.parent / "training" / "runs" / "exploiter" / "network.safetensors"
#: Where RLCard's checkpoints are; not in the repository.
RLCARD: Final = FOLDER / "runs" / "rlcard"


class Setup(NamedTuple):
    """Where a match is played: a rule set, a number of players, and the most sets of deals."""

    rules: str
    players: int
    deals: int


class Listed(NamedTuple):
    """A match in one setup, or with one bot its play against itself, of so many ``hours`` of the
    processor at most; the figure that is asked of it, if any, and what the match is besides. With
    ``alone``, only those games count in which the first bot is alone among the others. ``minutes``:
    how long an opponent must have been trained, for bots that are trained here."""

    bots: tuple[str, ...]
    setup: Setup
    seed: str
    hours: float
    at_least: float | None = None
    says: str | None = None
    alone: bool = False
    minutes: float = 0.0

    @property
    def name(self) -> str:
        """What the match is called: ``hard-flat+.as.hard@poof-4``."""
        bots = "-".join(bot.replace(" ", ".") for bot in self.bots)
        return f"{bots}@{self.setup.rules}-{self.setup.players}"

    @property
    def digest(self) -> str:
        """What the games of the match are made of, in twelve letters: its bots as they are now (how
        a level is set, how much an opponent thinks, which network it has or how long it was
        trained here, what they all build on), where they play, and the seed. The games of a bot
        that has changed since are those of another match. It can be told also where a bot of the
        match cannot be had; what it does not see is how a bot plays by its worlds."""
        rules, players, _ = self.setup
        names = tuple(map(arena_name, self.bots))
        network = Match(names, rules, players, self.seed).network
        told = [*map(_description, self.bots), rules, players, self.seed, network]
        told.append(_groundwork(rules, players))
        if self.minutes:
            told.append(f"{self.minutes:g} minutes")
        return sha256(json.dumps(told).encode()).hexdigest()[:12]

    @property
    def match(self) -> Match:
        """The match of the arena. Raises :class:`rage.NotReadable` where a bot cannot be had."""
        names = tuple(map(arena_name, self.bots))
        rules, players, _ = self.setup
        if len(names) == 2:
            return Match.of(names, rules, players, self.seed)
        Match.of((*names, "random"), rules, players, self.seed)  # checks them
        return Match((*names, *names), rules, players, self.seed)


class Budget(NamedTuple):
    """How much an opponent thinks: ``worlds`` a move, which take ``times`` as long as the moves of
    another bot, ``as_bot``."""

    bot: str
    as_bot: str
    times: float
    worlds: int


def arena_name(bot: str) -> str:
    """What the arena calls a bot of the list."""
    if bot in BOTS:
        return bot
    if bot in _CLASSES:
        return f"python:{_OPPONENTS}:{_CLASSES[bot]}"
    words = bot.translate({ord(" "): "_", ord("+"): "p"})
    return f"python:{_OPPONENTS}:{words}"


def _description(bot: str) -> str:
    """What decides how a bot plays, beside the version of the package and its network."""
    if bot in LEVELS:
        level = LEVELS[bot]
        race = f", {FIRST}, {STEP}, {MAX_GAP}, {LEAST_ERROR}" if level.look else ""
        return f"{bot}: {level}{race}"
    if bot in budgets():
        budget = budgets()[bot]
        return f"{bot}: {budget.bot}, {budget.worlds}"
    if bot == "exploiter":
        return f"{bot}: {sha256(EXPLOITER.read_bytes()).hexdigest()}"
    return bot


@cache
def _groundwork(rules: str, players: int) -> str:
    """What tells whether the bots still build on the same: a digest of steady's moves in some
    games, of what a seat sees there as numbers, and of what moves are worth in a few worlds.
    Nothing in it is rounded differently by another processor."""
    found = sha256()
    for seed in range(4):
        game = Game(rules, players, seed=seed)
        while not game.over:
            seat, move = game.to_act, best_move_of(game.position)
            assert seat is not None
            found.update(encode(game.position, seat))
            if seat == game.ply % players:
                search = Rollouts(game.position.masked(seat), seed)
                search.run(2)
                found.update(repr(search.values).encode())
            found.update(bytes([move]))
            game.play(move)
    return found.hexdigest()[:12]


_LIST: Final = FOLDER / "matches.toml"
#: What a match of the list may say beside its bots and tables.
_OPTIONAL: Final = ("at_least", "says", "alone", "minutes")


@cache
def _written() -> dict[str, Any]:
    try:
        return tomllib.loads(_LIST.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{_LIST.name}: {error}") from error


def budgets() -> dict[str, Budget]:
    """The budgets of the opponents by their names. Raises :class:`Failure` where the list is not
    one."""
    with _told():
        return {
            name: Budget(each["bot"], each["as"], each["times"], each["worlds"])
            for name, each in _written()["budgets"].items()
        }


def listed() -> list[Listed]:
    """All matches in the order of the list. Raises :class:`Failure` where it is not one."""
    written = _written()
    found = []
    with _told():
        for kind in ("match", "bids"):
            for each in written[kind]:
                bots = tuple(each["bots"]) if kind == "match" else (each["bot"],)
                more = {name: each[name] for name in _OPTIONAL if name in each}
                if more.get("alone") and "at_least" in more:
                    raise ValueError("a match asks either for at_least or for alone")
                for rules, players, deals in each["tables"]:
                    ruleset(rules).for_players(players)
                    setup = Setup(rules, players, deals)
                    found.append(Listed(bots, setup, written["seed"], written["hours"], **more))
    return found


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with the list, as a failure that names it."""
    try:
        yield
    except KeyError as error:
        raise Failure(f"{_LIST.name}: {error} is missing") from error
    except (AttributeError, TypeError, ValueError, RageError) as error:
        raise Failure(f"{_LIST.name}: {error}") from error
