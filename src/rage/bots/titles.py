"""The titles of the bots, and notes on stand-ins."""

from __future__ import annotations

from collections.abc import Iterable

from rage.bots import BOTS
from rage.bots.stand_in import stand_in
from rage.say import join, sentence, text, visible


def bot_title(name: str, language: str) -> str:
    """The title of a bot in a language, which says if steady plays for it; a custom bot is shown by
    its name."""
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
