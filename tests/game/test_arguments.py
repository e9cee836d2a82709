"""Whatever a public function is given: it answers, or refuses in a sentence."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import rage
from rage import Budget, Game, RageError, bot, notation
from rage.analysis.work import analyse
from rage.bots.advice import advise
from rage.bots.worlds import sample_worlds
from rage.engine.deal import Deals, commitment, read_seed, word_commitment
from rage.engine.kernel import Rules
from rage.engine.position import Position
from rage.features.encode import colour_places, encode, encode_into
from rage.features.meanings import SIZE, describe
from rage.game.rulebook import chapters, differences, meaning
from rage.notation.fair import Finding, conclusion, verify


def game() -> Game:
    """A game in the middle of its first round."""
    found = Game("poof+schedule:2", 3, seed=b"odd")
    for _ in range(5):
        found.play(found.legal_moves[0])
    return found


def first_deal(*given: Any) -> None:
    """The first deal of a position."""
    Position(Rules(rage.ruleset("poof+schedule:1"), 3)).deal(*given)


#: No argument that fits most of them. (``None`` does, in some places.)
ODD: tuple[Any, ...] = (
    None, 3.5, float("nan"), True, 3, -1, 2**70, "", "odd", "R1", "\ud800", [], [3], {}, b"odd",
    object(), rage, rage.Card.OUT, rage.Move.bid(3), game(), game().view(0), game().position,
    Budget(),
)  # fmt: skip
#: What does not change what it is asked of, or is asked of a copy.
MADE = (game, lambda: game().view(0), lambda: game().round, lambda: game().rounds[0].tricks[0],
        lambda: game().position, lambda: rage.Hand("R1 X X"), lambda: rage.Moves("1 R1"),
        lambda: rage.ruleset("poof"), lambda: rage.Card("R1"), lambda: rage.Move("R1"),
        lambda: rage.Colour.RED, lambda: Deals(rage.ruleset("poof"), 3, b"odd"))  # fmt: skip
#: A perft takes its time.
LEFT_OUT = {"perft", "index"}


#: What games, views, bots and readers make, not people.
MADE_BY_OTHERS = {"Bot", "Verdict", "Record", "RoundRecord", "Occupants", "Round", "Trick", "View",
                  "Step", "Reason", "RageError", "NotAllowed", "NotReadable", "NotARecord",
                  "BrokenRule", "RuleSet", "example_record"}  # fmt: skip
#: Arguments that fit, of which one after the other is replaced.
FITTING: dict[str, list[Any]] = {
    "Game": ["poof", 3],
    "Deal": [0, ["R1"], "Y1"],
    "Rules": [rage.ruleset("poof"), 3],
    "Position for players": [Rules(rage.ruleset("poof"), 3), 3],
    "Position.filled": [[[13, 80], [88], [2]], [], [0, 0, 0]],
    "first deal": [0, [[0]] * 3, [1]],
    "Deals": [rage.ruleset("poof"), 3, b"odd"],
    "bot": ["flat", 1],
    "Budget": [1, 1.5],
    "judge": ["poof", "R1 X", "R", 3],
    "replay": [rage.example_record(), (1, 1, 1)],
    "complete": [rage.example_record(), game()],
    "write_game": [game(), "text"],
    "word_commitment": ["0", "a word"],
    "chapters": [rage.ruleset("poof"), 4],
    "differences": [rage.ruleset("poof"), rage.ruleset("amigo")],
    "advise": [game().view(0), None, Budget(1), 1],
    "encode": [game().position, 0],
    "encode_into": [game().position, 0, array("h", bytes(2 * SIZE))],
    "colour_places": [game().position, 0],
    "sample_worlds": [game().position, 0, 1, 1],
    "conclusion": [[Finding(True, rage.Reason("verify.commitment_right"))]],
    "analyse": [game(), 1, 1, 1],
}


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function and class, by name."""
    for module in (rage, notation):
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and name not in MADE_BY_OTHERS:
                yield name, found
    yield from (("Rules", Rules), ("Deals", Deals), ("Position", Position))
    yield from (("Position for players", Position), ("first deal", first_deal))
    yield from (("advise", advise), ("commitment", commitment), ("read_seed", read_seed))
    yield from (("word_commitment", word_commitment), ("analyse", analyse))
    yield from (("encode", encode), ("encode_into", encode_into), ("describe", describe))
    yield from (("colour_places", colour_places), ("sample_worlds", sample_worlds))
    yield "conclusion", conclusion
    yield from (("chapters", chapters), ("differences", differences), ("meaning", meaning))
    yield "verify", lambda record: [*verify(record)]


def methods() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public method of what is made, as a function of its arguments."""
    for make in MADE:
        one: Any = make()
        for name in dir(one):
            special = name in ("__contains__", "__add__", "__sub__", "__eq__")
            if name in LEFT_OUT or (name.startswith("_") and not special):
                continue
            if callable(getattr(type(one), name, None)):
                yield f"{type(one).__name__}.{name}", lambda *g, m=make, n=name: getattr(m(), n)(*g)
    for name in ("random", "steady", "flat", "ismcts", "easy"):
        for asked in ("choose", "values"):
            if hasattr(bot(name, 1), asked):
                yield f"{name}.{asked}", getattr(bot(name, 1), asked)


ALL = dict([*functions(), *methods()])
FROM_TUPLE = {"count", "index", "__add__"}  # of Moves and rule sets, as of any tuple


def refusal(function: Callable[..., Any], given: list[Any]) -> Exception | None:
    """What a function raises for its arguments, if anything."""
    try:
        function(*given)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", ALL)
def test_any_argument_is_taken_or_refused_in_a_sentence(name: str) -> None:
    fitting: list[Any] = FITTING.get(name) or [None]
    for odd in ODD:
        for place in range(len(fitting)):
            error = refusal(ALL[name], [*fitting[:place], odd, *fitting[place + 1 :]])
            if isinstance(error, RageError):
                assert str(error)
                assert error.reason.sentence("de")
                pickle.dumps(error)
            elif error is not None:  # of a method without arguments, or one of any tuple
                assert isinstance(error, TypeError), (odd, error)
                own = name.partition(".")[2] in FROM_TUPLE
                assert own or ("." in name and "argument" in str(error)), (odd, error)


def test_a_refusal_names_the_function_that_gives_what_is_wanted() -> None:
    with pytest.raises(rage.NotReadable, match="give a Record, as read_record returns it"):
        rage.replay(game())  # type: ignore[arg-type]  # which read_game returns
