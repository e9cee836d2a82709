"""The list of matches, as written down beforehand."""

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
from rage.rules.values import Move
from rage.say import RageError

FOLDER: Final = Path(__file__).parent
_OPPONENTS: Final = "lab.strength.opponents"
#: Opponents other than bots of the package, with or without a budget.
_CLASSES: Final = {"rlcard": "RLCard", "exploiter": "Exploiter", "network": "ByNetwork"}
#: The network from `python -m lab.training.exploiting`.
EXPLOITER: Final = FOLDER.parent / "training" / "runs" / "exploiter" / "network.safetensors"
#: RLCard's checkpoints, not in the repository.
RLCARD: Final = FOLDER / "runs" / "rlcard"


class Setup(NamedTuple):
    """The setup of a match: a rule set, a number of players, and the most sets of deals."""

    rules: str
    players: int
    deals: int


class Listed(NamedTuple):
    """A match in one setup (with one bot, against itself) of at most ``hours`` of processor time;
    the figure that it should reach, if any, and its description. With ``alone``, only those games
    count in which the first bot is alone among the others. ``minutes``: how long an opponent must
    have been trained, for bots that are trained here."""

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
        """The name of the match: ``hard-flat+.as.hard@poof-4``."""
        bots = "-".join(bot.replace(" ", ".") for bot in self.bots)
        return f"{bots}@{self.setup.rules}-{self.setup.players}"

    @property
    def digest(self) -> str:
        """A digest of everything that the games of the match depend on, in twelve letters: its bots
        as they are now (the settings of a level, an opponent's budget, its network or how long it
        was trained here, and their common groundwork), the setup, and the seed. If a bot has
        changed, it is another match. It does not need the bots to be available here; it does not
        cover how a bot plays by its worlds."""
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
        """The match of the arena. Raises :class:`rage.NotReadable` if a bot is not available."""
        names = tuple(map(arena_name, self.bots))
        rules, players, _ = self.setup
        if len(names) == 2:
            return Match.of(names, rules, players, self.seed)
        Match.of((*names, "random"), rules, players, self.seed)  # checks them
        return Match((*names, *names), rules, players, self.seed)


class Budget(NamedTuple):
    """The budget of an opponent: ``worlds`` a move, which take ``times`` as long as the moves of
    another bot, ``as_bot``."""

    bot: str
    as_bot: str
    times: float
    worlds: int


def arena_name(bot: str) -> str:
    """The arena's name for a bot of the list."""
    if bot in BOTS:
        return bot
    if bot in _CLASSES:
        return f"python:{_OPPONENTS}:{_CLASSES[bot]}"
    words = bot.translate({ord(" "): "_", ord("+"): "p"})
    return f"python:{_OPPONENTS}:{words}"


def _description(bot: str) -> str:
    """What decides how a bot plays, besides the version of the package and its network."""
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
    """A digest that tells whether the bots' common groundwork has changed: steady's moves in some
    games, the features a seat sees there, and the values of moves in a few worlds. Nothing in it
    depends on how a processor rounds."""
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
            game.play(Move.of(move))
    return found.hexdigest()[:12]


_LIST: Final = FOLDER / "matches.toml"
#: The optional fields of a match in the list.
_OPTIONAL: Final = ("at_least", "says", "alone", "minutes")


@cache
def _written() -> dict[str, Any]:
    try:
        return tomllib.loads(_LIST.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Failure(f"{_LIST.name}: {error}") from error


def budgets() -> dict[str, Budget]:
    """The budgets of the opponents by name. Raises :class:`Failure` if the list is invalid."""
    with _told():
        return {
            name: Budget(each["bot"], each["as"], each["times"], each["worlds"])
            for name, each in _written()["budgets"].items()
        }


def listed() -> list[Listed]:
    """All matches in the order of the list. Raises :class:`Failure` if it is invalid."""
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
    """Turns an error in the list into a failure that names it."""
    try:
        yield
    except KeyError as error:
        raise Failure(f"{_LIST.name}: {error} is missing") from error
    except (AttributeError, TypeError, ValueError, RageError) as error:
        raise Failure(f"{_LIST.name}: {error}") from error
