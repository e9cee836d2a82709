"""The rules that the network has learned: the hand sizes and the scoring it was trained on.

Under other rules its values mean nothing: steady plays instead, or a bot looks ahead from steady.
"""

from __future__ import annotations

from typing import Final

from rage.rules.ruleset import RuleSet

#: The most cards in a learned hand.
LARGEST_HAND: Final = 12


def has_learned(rules: RuleSet, hand: int) -> bool:
    """Whether the network has learned rounds of ``hand`` cards under these rules. It has learned
    all packs, numbers of players, teams and variants."""
    return hand <= LARGEST_HAND and has_learned_scoring(rules)


def has_learned_scoring(rules: RuleSet) -> bool:
    """Whether the points for bids are in the range the network was trained on: zero never scores
    more than another exact bid, and the latter at least 10 points more than a missed one."""
    exact, zero, miss = rules.exact, rules.exact_zero, rules.miss
    near = 5 <= exact <= 20 and 0 <= zero <= min(exact, 10) and -10 <= miss <= 0
    return near and exact - miss >= 10 and not rules.laboratory
