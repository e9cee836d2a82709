"""The titles of the bots, and notes on when steady plays for them."""

from __future__ import annotations

from collections.abc import Iterable

from rage.bots import BOTS
from rage.bots.learned import LEVELS
from rage.bots.learned_rules import LARGEST_HAND, has_learned, has_learned_scoring
from rage.bots.stand_in import stand_in
from rage.rules.ruleset import RuleSet
from rage.say import join, sentence, text, visible


def bot_title(name: str, language: str) -> str:
    """The title of a bot, saying so if steady plays for it; a custom bot is shown by its name."""
    if name not in BOTS:
        return visible(name)
    title = text(f"bot.{name}", language)
    if stand_in(name) is None:
        return title
    return text("bot.stand_in.title", language, bot=title, steady="bot.steady")


def stand_in_notes(names: Iterable[str], language: str) -> list[str]:
    """A sentence for each reason why steady plays for some of these bots."""
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        if why := stand_in(name):
            found.setdefault(sentence(why, language), []).append(text(f"bot.{name}", language))
    return [
        text("bot.stand_in", language, bots=join(titles, language), why=why, steady="bot.steady")
        for why, titles in found.items()
    ]


def unlearned_note(rules: RuleSet, language: str) -> str:
    """What the learned bots do in rounds of these rules that they have not learned; empty if there
    are none."""
    if has_learned(rules, max(rules.schedule)):
        return ""
    code = "bot.unlearned.hand" if has_learned_scoring(rules) else "bot.unlearned.scoring"
    titles = {name: f"bot.{name}" for name in ("steady", *LEVELS)}
    return text(code, language, most=LARGEST_HAND, **titles)


def notes_on(names: Iterable[str], rules: RuleSet, language: str) -> list[str]:
    """The notes on these bots under these rules, a sentence each."""
    bots = list(names)
    note = "" if LEVELS.keys().isdisjoint(bots) else unlearned_note(rules, language)
    return [*stand_in_notes(bots, language), *([note] if note else [])]
