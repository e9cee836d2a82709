"""Rage, the card game: every edition and variant, exactly.

    >>> import rage
    >>> game = rage.Game("amigo+sweep", 4, seed=b"a table of friends")
    >>> game.play(game.legal_moves()[0])

The names below are the main interface; everything else is internal, except what the reference
lists. They are loaded on first use, so that ``import rage`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rage.bots import bot as bot
    from rage.bots.interface import Bot as Bot
    from rage.bots.interface import Budget as Budget
    from rage.engine.deal import Deal as Deal
    from rage.game.game import Game as Game
    from rage.game.game import Step as Step
    from rage.game.history import Round as Round
    from rage.game.history import Trick as Trick
    from rage.game.view import View as View
    from rage.notation.forms import read_game as read_game
    from rage.notation.forms import sample as sample
    from rage.notation.forms import write_game as write_game
    from rage.notation.record import Record as Record
    from rage.notation.record import record_of as record_of
    from rage.notation.validation import replay
    from rage.rules.editions import name_of as name_of
    from rage.rules.editions import ruleset as ruleset
    from rage.rules.hands import Cards as Cards
    from rage.rules.hands import Hand as Hand
    from rage.rules.hands import Moves as Moves
    from rage.rules.ruleset import Pack as Pack
    from rage.rules.ruleset import RuleSet as RuleSet
    from rage.rules.values import Card as Card
    from rage.rules.values import Colour as Colour
    from rage.rules.values import Move as Move
    from rage.say import NotAllowed as NotAllowed
    from rage.say import NotReadable as NotReadable
    from rage.say import RageError as RageError
    from rage.say import Reason as Reason
    from rage.say import sentence as sentence

__version__ = "0.1.0"
_HOMES = {
    "Bot": "bots.interface",
    "Budget": "bots.interface",
    "Card": "rules.values",
    "Cards": "rules.hands",
    "Colour": "rules.values",
    "Deal": "engine.deal",
    "Game": "game.game",
    "Hand": "rules.hands",
    "Move": "rules.values",
    "Moves": "rules.hands",
    "NotAllowed": "say",
    "NotReadable": "say",
    "Pack": "rules.ruleset",
    "RageError": "say",
    "Reason": "say",
    "Record": "notation.record",
    "Round": "game.history",
    "RuleSet": "rules.ruleset",
    "Step": "game.game",
    "Trick": "game.history",
    "View": "game.view",
    "bot": "bots",
    "name_of": "rules.editions",
    "read_game": "notation.forms",
    "record_of": "notation.record",
    "replay": "notation.validation",
    "ruleset": "rules.editions",
    "sample": "notation.forms",
    "sentence": "say",
    "write_game": "notation.forms",
}
__all__ = [
    "Bot",
    "Budget",
    "Card",
    "Cards",
    "Colour",
    "Deal",
    "Game",
    "Hand",
    "Move",
    "Moves",
    "NotAllowed",
    "NotReadable",
    "Pack",
    "RageError",
    "Reason",
    "Record",
    "Round",
    "RuleSet",
    "Step",
    "Trick",
    "View",
    "bot",
    "name_of",
    "read_game",
    "record_of",
    "replay",
    "ruleset",
    "sample",
    "sentence",
    "write_game",
]


if not TYPE_CHECKING:  # to a type checker, it would promise every name

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'rage' has no attribute {name!r}")
        value: object = getattr(import_module(f"rage.{home}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
