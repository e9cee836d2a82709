"""The list of matches, as it was written down beforehand."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from rage.arena import Match
from rage.bots import BOTS
from rage.editions import ruleset

FOLDER: Final = Path(__file__).parent
_OPPONENTS: Final = "benchmarks.strength.opponents"
#: The opponents that are neither bots of the package nor such bots with a budget.
_CLASSES: Final = {"rlcard": "RLCard", "exploiter": "Exploiter"}


class Setup(NamedTuple):
    """Where a match is played: a rule set, a number of players, and the most sets of deals."""

    rules: str
    players: int
    deals: int


class Listed(NamedTuple):
    """A match in one setup, or with one bot its play against itself; the figure that is asked of
    it, if any, and what the match is besides."""

    bots: tuple[str, ...]
    setup: Setup
    seed: str
    hours: float
    at_least: float | None
    says: str | None

    @property
    def name(self) -> str:
        """What the match is called: ``hard-flat+.as.hard@poof-4``."""
        bots = "-".join(bot.replace(" ", ".") for bot in self.bots)
        return f"{bots}@{self.setup.rules}-{self.setup.players}"

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


@cache
def _written() -> dict[str, Any]:
    return tomllib.loads((FOLDER / "matches.toml").read_text(encoding="utf-8"))


def budgets() -> dict[str, Budget]:
    """The budgets of the opponents by their names."""
    return {
        name: Budget(each["bot"], each["as"], each["times"], each["worlds"])
        for name, each in _written()["budgets"].items()
    }


def listed() -> list[Listed]:
    """All matches in the order of the list."""
    written = _written()
    found = []
    for kind in ("match", "bids"):
        for each in written[kind]:
            bots = tuple(each["bots"]) if kind == "match" else (each["bot"],)
            for rules, players, deals in each["tables"]:
                ruleset(rules).for_players(players)
                asked = each.get("at_least"), each.get("says")
                setup = Setup(rules, players, deals)
                found.append(Listed(bots, setup, written["seed"], written["hours"], *asked))
    return found
