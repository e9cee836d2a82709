"""Which box do you own? Questions that identify a printed edition."""

from __future__ import annotations

from typing import Final, NamedTuple

from rage.rules.settings import PRINTED


class Answer(NamedTuple):
    """One answer to a question about a box, and the editions that it leaves possible."""

    code: str
    leaves: tuple[str, ...]


class Question(NamedTuple):
    """One question about a box; codes stand for sentences of the catalogue."""

    code: str
    answers: tuple[Answer, ...]


_UNKNOWN: Final = Answer("box.other", PRINTED)

#: The questions in order, to be asked until one edition is left.
QUESTIONS: Final = (
    Question(
        "box.publisher",
        (
            Answer("box.publisher.poof", ("poof",)),
            Answer("box.publisher.amigo", ("amigo",)),
            # Its booklet has the rules of poof; Wikipedia's rules for it are fundex.
            Answer("box.publisher.fundex", ("poof", "fundex")),
            _UNKNOWN,
        ),
    ),
    Question(
        "box.names",
        (
            Answer("box.names.joker", ("amigo",)),
            Answer("box.names.rage", ("poof", "fundex")),
            _UNKNOWN,
        ),
    ),
    Question(
        "box.players",
        (
            Answer("box.players.2-6", ("fundex",)),
            Answer("box.players.2-8", ("poof",)),
            Answer("box.players.3-8", ("amigo",)),
            _UNKNOWN,
        ),
    ),
    Question(
        "box.cards",
        (
            Answer("box.cards.110", ("poof", "fundex")),
            Answer("box.cards.112", ("amigo",)),
            _UNKNOWN,
        ),
    ),
    Question(
        "box.tie",
        (
            Answer("box.tie.exact_bids", ("poof",)),
            Answer("box.tie.shared", ("amigo",)),
            Answer("box.tie.silent", ("fundex",)),
            _UNKNOWN,
        ),
    ),
)


def next_question(asked: int, left: tuple[str, ...]) -> tuple[int, Question] | None:
    """The next question after the first ``asked`` that can tell the editions ``left`` apart, with
    its number (the next ``asked``) and only the answers that leave an edition; ``None`` if one
    edition is left or no question helps."""
    if len(left) < 2:
        return None
    for number, question in enumerate(QUESTIONS[asked:], asked + 1):
        possible = tuple(each for each in question.answers if set(each.leaves) & set(left))
        if any(not set(left) <= set(each.leaves) for each in possible):
            return number, Question(question.code, possible)
    return None


def settle(left: tuple[str, ...], answer: Answer) -> tuple[str, ...]:
    """The editions that are still possible after an answer."""
    return tuple(edition for edition in left if edition in answer.leaves)
