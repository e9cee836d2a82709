"""Rage, the card game: every edition and variant, exactly.

    >>> import rage
    >>> game = rage.Game("amigo+sweep", 4, seed=b"a table of friends")
    >>> game.play(game.legal_moves[0])

The names below are the main interface; everything else is internal, except what the reference
lists. They are loaded on first use, so that ``import rage`` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rage.analysis.work import analyse as analyse
    from rage.bots import BOTS as BOTS
    from rage.bots import bot as bot
    from rage.bots.advice import advise as advise
    from rage.bots.interface import Bot as Bot
    from rage.bots.interface import Budget as Budget
    from rage.engine.deal import Deal as Deal
    from rage.engine.deal import Deals as Deals
    from rage.engine.position import Position as Position
    from rage.game.game import Game as Game
    from rage.game.game import Step as Step
    from rage.game.history import Round as Round
    from rage.game.history import Trick as Trick
    from rage.game.judge import Verdict as Verdict
    from rage.game.judge import judge as judge
    from rage.game.view import View as View
    from rage.notation.forms import example_record as example_record
    from rage.notation.forms import read_game as read_game
    from rage.notation.forms import read_record as read_record
    from rage.notation.forms import write_game as write_game
    from rage.notation.record import Record as Record
    from rage.notation.record import record_of as record_of
    from rage.notation.validation import replay as replay
    from rage.rules.editions import ruleset as ruleset
    from rage.rules.hands import Cards as Cards
    from rage.rules.hands import Hand as Hand
    from rage.rules.hands import Moves as Moves
    from rage.rules.ruleset import EDITIONS as EDITIONS
    from rage.rules.ruleset import VARIANTS as VARIANTS
    from rage.rules.ruleset import RuleSet as RuleSet
    from rage.rules.settings import Pack as Pack
    from rage.rules.values import Card as Card
    from rage.rules.values import Colour as Colour
    from rage.rules.values import Move as Move
    from rage.say import NotAllowed as NotAllowed
    from rage.say import NotReadable as NotReadable
    from rage.say import RageError as RageError
    from rage.say import Reason as Reason

__version__ = "0.1.0"
_HOMES = {
    "BOTS": "bots",
    "Bot": "bots.interface",
    "Budget": "bots.interface",
    "Card": "rules.values",
    "Cards": "rules.hands",
    "Colour": "rules.values",
    "Deal": "engine.deal",
    "Deals": "engine.deal",
    "EDITIONS": "rules.ruleset",
    "Game": "game.game",
    "Hand": "rules.hands",
    "Move": "rules.values",
    "Moves": "rules.hands",
    "NotAllowed": "say",
    "NotReadable": "say",
    "Pack": "rules.settings",
    "Position": "engine.position",
    "RageError": "say",
    "Reason": "say",
    "Record": "notation.record",
    "Round": "game.history",
    "RuleSet": "rules.ruleset",
    "Step": "game.game",
    "Trick": "game.history",
    "VARIANTS": "rules.ruleset",
    "Verdict": "game.judge",
    "View": "game.view",
    "advise": "bots.advice",
    "analyse": "analysis.work",
    "bot": "bots",
    "example_record": "notation.forms",
    "judge": "game.judge",
    "read_game": "notation.forms",
    "read_record": "notation.forms",
    "record_of": "notation.record",
    "replay": "notation.validation",
    "ruleset": "rules.editions",
    "write_game": "notation.forms",
}
__all__: list[str] = sorted(_HOMES)  # to type checkers, the imports above say it

if not TYPE_CHECKING:  # to a type checker, it would promise every name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module 'rage' has no attribute {name!r}")
        value: object = getattr(import_module(f"rage.{home}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
