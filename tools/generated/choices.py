"""The choices for a rule set, as data for the page.

``python -m tools.generated.choices`` prints them for ``web/src/offline/built/choices.json``, so
that the page can name, change and refuse rule sets without a server.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from rage.game.box_quiz import QUESTIONS
from rage.rules.editions import PRESETS, ruleset
from rage.rules.ruleset import EDITIONS, VARIANTS, RuleSet
from rage.rules.settings import (
    CHOICES,
    LABORATORY,
    MAX_DEALT,
    MAX_HAND,
    MAX_OF_A_KIND,
    MAX_POINTS,
    MAX_REAL_PLAYERS,
    MAX_ROUNDS,
    PRINTED,
    SETTINGS,
    TEAMS,
    Pack,
)


def choices() -> dict[str, Any]:
    """Editions with all their settings, presets and variants with the settings they change, the
    kind of value of each setting, the limits, and the questions about a box."""
    return {
        "editions": {name: _settings(EDITIONS[name]) for name in PRINTED},
        "rule_sets": {name: _departures(ruleset(name)) for name in PRESETS},
        "variants": {name: _data(changes) for name, changes in VARIANTS.items()},
        "settings": {each.name: each.kind for each in SETTINGS if each.name not in LABORATORY},
        "values": {name: list(values) for name, values in CHOICES.items()},
        "teams": {str(teams): list(players) for teams, players in TEAMS.items()},
        "limits": {
            "real_players": MAX_REAL_PLAYERS,
            "rounds": MAX_ROUNDS,
            "hand": MAX_HAND,
            "action_cards": MAX_OF_A_KIND,
            "points": MAX_POINTS,
            "dealt": MAX_DEALT,
        },
        "questions": [
            {
                "code": question.code,
                "answers": [
                    {"code": answer.code, "leaves": list(answer.leaves)}
                    for answer in question.answers
                ],
            }
            for question in QUESTIONS
        ],
    }


def _settings(rules: RuleSet) -> dict[str, Any]:
    """All settings of a rule set, except the laboratory ones."""
    names = ("edition", *(each.name for each in SETTINGS if each.name not in LABORATORY))
    settings = {name: getattr(rules, name) for name in names}
    return _data({"edition": rules.edition, "players": rules.player_range, **settings})


def _departures(rules: RuleSet) -> dict[str, Any]:
    """A rule set as a record writes it: the edition, and the settings that depart from it."""
    return _data({"edition": rules.edition, **rules.departures(EDITIONS[rules.edition])})


def _data(settings: Any) -> dict[str, Any]:
    return {
        name: vars(value) if isinstance(value, Pack) else value for name, value in settings.items()
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(choices(), separators=(",", ":")) + "\n")
