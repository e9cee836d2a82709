"""The printed editions and variants as data, and rule sets by name.

A rule set is written as an edition and its departures: ``amigo+plus-minus-one+sweep``,
``poof+miss:-5+schedule:3.2.1``. :func:`ruleset` reads this leniently, and :func:`name_of` writes
one canonical form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rage.rules.cards import ACTIONS
from rage.rules.ruleset import (
    CHOICES,
    LABORATORY,
    PRINTED,
    SETTING_NAMES,
    Pack,
    RuleSet,
    format_value,
)
from rage.say import NotAllowed, NotReadable, check_kind, in_words

EDITIONS: Final[Mapping[str, RuleSet]] = {
    "poof": RuleSet(edition="poof", players=(2, 8), tie="exact_bids"),
    "amigo": RuleSet(
        edition="amigo",
        players=(3, 8),
        pack=Pack(bonus=3, mad=3),
        change="reveal",
        out="trick",
        second_wild="higher",
        exact_zero=10,
        miss=-5,
    ),
    "fundex": RuleSet(edition="fundex", players=(2, 6)),
    # The rules of OpenSpiel's oh_hell, against which the kernel is tested.
    "oh_hell": RuleSet(
        edition="oh_hell",
        players=(2, 8),
        pack=Pack(0, 0, 0, 0, 0),
        exact_zero=10,
        bid_total="not_tricks",
        schedule=(10,),
        colours=4,
        ranks=13,
    ),
}

#: The variants, as changes of settings, in the order of ``docs/rules.md``.
VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "anytime-actions": {"anytime_actions": True},
    "hidden-bids": {"bidding": "hidden"},
    "secret-bids": {"bidding": "secret"},
    "plus-minus-one": {"bid_total": "not_tricks"},
    "sweep": {"sweep": True},
    "volatile": {"exact_zero": 10, "miss": -5},
    "rising": {"schedule": tuple(range(1, 11))},
    "level": {"schedule": (10,) * 10},
    "two-teams": {"teams": 2},
    "three-teams": {"teams": 3},
}


#: Rule sets with their own names, which other terms can follow. Canonical names have the edition
#: instead.
PRESETS: Final[Mapping[str, str]] = {
    "bga": "amigo+tie:exact_bids",  # the game on Board Game Arena
}


def ruleset(name: str, *, laboratory: bool = False) -> RuleSet:
    """The rule set of a name such as ``amigo+plus-minus-one+sweep+miss:-3``.

    Terms come in any order and case, with ``=`` for ``:`` and ``-`` for ``_`` if you like. Raises
    :class:`rage.NotReadable` for anything but an edition, variant or setting, and
    :class:`rage.NotAllowed` for terms that exceed a limit or exclude each other. Laboratory
    settings (``oh_hell``, ``colours:4``) are read only if ``laboratory`` is true."""
    base: RuleSet | None = None
    changes: dict[str, Any] = {}
    editions = [each for each in EDITIONS if laboratory or each in PRINTED]
    if not isinstance(name, str) or not name.strip():
        raise NotReadable("ruleset.no_edition", name=in_words(name), allowed=", ".join(editions))
    for raw in _terms(name):
        term = raw.strip().lower()
        if (edition := term.replace("-", "_")) in editions:
            if base is not None and base.edition != edition:
                raise NotAllowed("ruleset.two_editions", one=base.edition, other=edition)
            base = EDITIONS[edition]
            continue
        for setting, value in _read_term(term, raw, editions, laboratory).items():
            kept = changes.setdefault(setting, value)
            if (type(kept), kept) != (type(value), value):  # True == 1, but is another setting
                raise NotAllowed(
                    "ruleset.set_twice",
                    setting=setting,
                    one=_format_given(changes[setting]),
                    other=_format_given(value),
                )
    if base is None:
        raise NotReadable("ruleset.no_edition", name=name, allowed=", ".join(editions))
    return base.replace(**changes)


def _terms(name: str) -> list[str]:
    """The terms of a name, with presets expanded."""
    terms = name.split("+")
    return [each for term in terms for each in PRESETS.get(term.strip().lower(), term).split("+")]


def base_of(rules: RuleSet, *, laboratory: bool = False) -> RuleSet:
    """The edition that a rule set departs from. Raises :class:`rage.NotAllowed` if no name can
    express the rule set: a custom edition, another range of players or, unless ``laboratory``, a
    laboratory setting."""
    base = EDITIONS.get(rules.edition)
    if base is None or not (laboratory or rules.edition in PRINTED):
        odd = "edition"
    elif rules.players != base.players:
        odd = "players"
    elif rules.laboratory and not laboratory:
        odd = next(each for each in LABORATORY if getattr(rules, each) != getattr(base, each))
    else:
        return base
    raise NotAllowed("ruleset.unwritten", setting=odd, value=format_value(getattr(rules, odd)))


def name_of(rules: RuleSet) -> str:
    """The canonical name of a rule set: the edition, then variants where they fit, then settings,
    without anything that equals the edition's. ``ruleset(name_of(rules)) == rules``, with
    ``laboratory`` where needed. Raises :class:`rage.NotAllowed` for a custom edition or another
    range of players, which no name can express."""
    check_kind(rules, RuleSet, "rules")
    base = base_of(rules, laboratory=True)
    left = rules.departures(base)
    terms = [rules.edition]
    for variant, settings in VARIANTS.items():
        if settings.keys() <= left.keys() and all(left[s] == v for s, v in settings.items()):
            terms.append(variant)
            left = {setting: value for setting, value in left.items() if setting not in settings}
    for setting, value in left.items():
        if isinstance(value, Pack):
            differs = [(k, n) for k, n, b in zip(ACTIONS, value, base.pack, strict=True) if n != b]
            terms.append("pack:" + ".".join(f"{kind}{count}" for kind, count in differs))
        else:
            terms.append(f"{setting}:{format_value(value)}")
    return "+".join(terms)


def _format_given(value: Any) -> str:
    return (
        ".".join(f"{k}{n}" for k, n in value.items())
        if isinstance(value, dict)
        else format_value(value)
    )


def _read_term(term: str, raw: str, editions: list[str], laboratory: bool) -> Mapping[str, Any]:
    variant = VARIANTS.get(term.replace("_", "-"))
    if variant is not None:
        return variant
    setting, colon, value = term.replace("=", ":").partition(":")
    setting = setting.strip().replace("-", "_")
    known = [each for each in SETTING_NAMES if laboratory or each not in LABORATORY]
    if not colon:
        raise NotReadable(
            "ruleset.no_term",
            term=raw.strip(),
            editions=", ".join(editions),
            variants=", ".join(VARIANTS),
            presets=", ".join(PRESETS),
        )
    if setting not in known:
        raise NotReadable("ruleset.no_setting", setting=setting, allowed=", ".join(known))
    return {setting: _read_value(setting, value.strip())}


_NUMBER = re.compile(r"[-+]?[0-9]{1,4}")
_WORDS: Final[Mapping[str, Any]] = {"true": True, "false": False, "none": None}
_KIND_COUNT = re.compile(r"(" + "|".join(ACTIONS) + r")([0-9]{1,3})")


def _read_value(setting: str, value: str) -> Any:
    """The value of a setting, parsed; :class:`RuleSet` checks it."""
    if setting in CHOICES:
        return value.replace("-", "_")
    if setting == "pack":
        kinds = [_KIND_COUNT.fullmatch(part) for part in value.split(".")]
        counts = {match[1]: int(match[2]) for match in kinds if match}
        if len(counts) == len(kinds):  # all readable, none twice
            return counts
    elif setting == "schedule":
        parts = value.split(".")
        if all(_NUMBER.fullmatch(part) for part in parts):
            return tuple(int(part) for part in parts)
        raise NotReadable("schedule.unreadable", value=value)
    elif value in _WORDS:
        return _WORDS[value]
    elif _NUMBER.fullmatch(number := re.sub("[−–]", "-", value)):
        return int(number)
    raise NotReadable("ruleset.no_value", setting=setting, value=value, allowed=f"form.{setting}")
