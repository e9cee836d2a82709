"""What is asked with numbers that are none, or too large, and how each question ends: in the same
way, whether the modules are compiled or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rage import Game, Move
from rage.bots.net import network
from rage.engine.kernel import Rules
from rage.features.encode import colour_places, encode
from rage.say import RageError

#: No seat, colour, move or number of players. (``None`` is a spectator in some places.)
ODD = (1.5, 1.0, 2**40, -(2**40), 2**70, -1, 128, "seat", b"1", None, [1], float("nan"))


class Whole:
    """A whole number that is no ``int``, such as NumPy has them: as good as any."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def questions(odd: Any) -> dict[str, Callable[[Game], Any]]:
    """What is asked with one odd number, by name."""
    return {
        "play": lambda game: game.play(odd),
        "why_not": lambda game: game.why_not(odd),
        "Move": lambda game: Move(odd),
        "view": lambda game: game.view(odd).seat,
        "position.play": lambda game: game.position.play(odd),
        "position.is_legal": lambda game: game.position.is_legal(odd),
        "position.hand": lambda game: game.position.hand(odd),
        "position.masked": lambda game: game.position.masked(odd)._fields(),
        "position.is_void, seat": lambda game: game.position.is_void(odd, 0),
        "position.is_void, colour": lambda game: game.position.is_void(0, odd),
        "encode": lambda game: [*encode(game.position, odd)],
        "colour_places": lambda game: colour_places(game.position, odd),
        "network": lambda game: network("general").tricks(game.position, odd) and 0,
        "Rules": lambda game: Rules(game.rules, odd).players,
    }


def answer(question: Callable[[Game], Any], game: Game) -> str:
    """What comes of a question, in a line: an answer, the code of a refusal, or the name of another
    error."""
    try:
        return repr(question(game))
    except RageError as error:
        return f"{type(error).__name__} {error.reason.code}"
    except Exception as error:
        return type(error).__name__


def answers() -> dict[str, str]:
    """All questions with all odd numbers, asked of a game that they may not change."""
    game = Game("poof", 4, seed=b"odd")
    before = game.position._fields()
    found = {}
    for odd in ODD:
        for name, question in questions(odd).items():
            found[f"{name}: {odd!r}"] = answer(question, game)
            assert game.position._fields() == before, (name, odd)
            assert game.rounds[0].bids == (None,) * 4
    return found


if __name__ == "__main__":
    for line in answers().items():
        print(*line)
