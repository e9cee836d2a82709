"""The rule sets that a network learns: the editions most, and any others that the limits allow."""

from __future__ import annotations

import random

from rage.bots.learned_rules import LARGEST_HAND
from rage.engine.kernel import Rules
from rage.rules.ruleset import EDITIONS, RuleSet
from rage.rules.settings import CHOICES, MAX_DEALT, PRINTED, TEAMS, Pack

#: The shares of the editions in percent; the rest are editions with changed settings.
EDITION_SHARES = {"poof": 35, "amigo": 20, "fundex": 10}
#: The weights of the numbers of players, as far as the edition allows them.
PLAYERS = {2: 2, 3: 3, 4: 6, 5: 3, 6: 2, 7: 1, 8: 1}


def all_rules(seed: int, count: int = 400) -> list[Rules]:
    """Rule sets with numbers of players, in these shares; equal seeds give equal lists."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        percent = 100 * number // count
        for name, share in EDITION_SHARES.items():
            percent -= share
            if percent < 0:
                found.append(_rules(EDITIONS[name], rng))
                break
        else:
            found.append(_changed(EDITIONS[rng.choice(PRINTED)], rng))
    return found


def _players(rules: RuleSet, rng: random.Random) -> int:
    low, high = rules.player_range
    allowed = [n for n in PLAYERS if low <= n <= high]
    return rng.choices(allowed, [PLAYERS[n] for n in allowed])[0]


def _rules(rules: RuleSet, rng: random.Random) -> Rules:
    return Rules(rules, _players(rules, rng))


def _changed(base: RuleSet, rng: random.Random) -> Rules:
    """An edition with a few settings drawn at random, as the variants do."""
    players = _players(base, rng)
    changes: dict[str, object] = {}
    for name in rng.sample(["change", "out", "second_wild", "bidding", "bid_total"], 2):
        changes[name] = rng.choice(CHOICES[name])
    if changes.get("bidding", base.bidding) != "open":
        changes["bid_total"] = "any"
    for name in ("sweep", "anytime_actions"):
        changes[name] = rng.random() < 0.25
    if rng.random() < 0.3:
        changes["exact"], changes["exact_zero"], changes["miss"] = rng.choice(
            [(10, 10, 0), (10, 5, -5), (10, 10, -5), (5, 5, -5), (10, 0, 0), (20, 10, -10)]
        )
    if rng.random() < 0.3:
        changes["pack"] = Pack(*(rng.randrange(5) for _ in range(5)))
    if rng.random() < 0.4:
        changes["schedule"] = _schedule(players, rng)
    teams = [each for each, sizes in TEAMS.items() if players in sizes]
    if teams and rng.random() < 0.4:
        changes["teams"] = rng.choice(teams)
    return Rules(base.replace(**changes), players)


def _schedule(players: int, rng: random.Random) -> tuple[int, ...]:
    most = min(LARGEST_HAND, MAX_DEALT // players)
    return tuple(rng.randrange(1, most + 1) for _ in range(rng.randrange(3, 11)))
