"""Suggestions for mistyped parts of rule sets, and for mistyped bots."""

from __future__ import annotations

import contextlib
import re
from typing import Final

from rage.cli.closest import closest
from rage.rules.editions import PRESETS, VARIANTS, name_of, ruleset
from rage.rules.ruleset import CHOICES, LABORATORY, PRINTED, SETTING_NAMES
from rage.say import RageError, Reason

_SETTINGS: Final = tuple(name for name in SETTING_NAMES if name not in LABORATORY)


def suggestion(reason: Reason) -> str | None:
    """The name that was probably meant, if a refusal is about an unknown one."""
    params = reason.params
    match reason.code:
        case "ruleset.no_term":
            return _suggested_term(params["term"])
        case "ruleset.no_edition":
            return closest(params["name"], PRINTED)
        case "ruleset.no_setting":
            return closest(params["setting"], _SETTINGS)
        case "ruleset.no_value" | "setting.refused":
            return closest(str(params["value"]), CHOICES.get(params["setting"], ()))
        case "bot.unknown":
            return closest(params["bot"], params["allowed"].split(", "))
    return None


def _suggested_term(term: str) -> str | None:
    """The edition, ready-made rule set, variant or setting closest to a part of a rule set's name;
    if it has a space instead of a plus, the name with the plus."""
    joined = "+".join(term.split())
    if "+" in joined:
        with contextlib.suppress(RageError):
            return name_of(ruleset(joined))
    setting = closest(re.split("[:=]", term)[0], _SETTINGS)
    return closest(term, [*PRINTED, *PRESETS, *VARIANTS]) or (setting and f"{setting}:...")
