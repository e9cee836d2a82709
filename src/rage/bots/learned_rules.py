"""The rules that the network has learned: the hands and the scoring of the games that it saw.

By others its values mean nothing, so steady plays instead, or a bot looks ahead from steady's move.
"""

from __future__ import annotations

from typing import Final

from rage.rules.ruleset import RuleSet

#: The most cards in a hand.
LARGEST_HAND: Final = 12


def has_learned(rules: RuleSet, hand: int) -> bool:
    """Whether the network has learned rounds of ``hand`` cards by these rules. It has learned all
    packs, numbers of players, teams and variants."""
    return hand <= LARGEST_HAND and has_learned_scoring(rules)


def has_learned_scoring(rules: RuleSet) -> bool:
    """Whether these points for bids lie between those of the games that the network saw: zero never
    scores more than another exact bid, and a met bid at least 10 points more than a missed one."""
    exact, zero, miss = rules.exact, rules.exact_zero, rules.miss
    near = 5 <= exact <= 20 and 0 <= zero <= min(exact, 10) and -10 <= miss <= 0
    return near and exact - miss >= 10 and not rules.laboratory
