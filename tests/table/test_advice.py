"""Advice at a table: for the player to act, where the table allows it, from their own view."""

from __future__ import annotations

import pytest

from rage.bots import Budget
from rage.bots.advice import advise
from rage.say import NotAllowed
from rage.table import Options
from table.tables import TableRun, started_table

RULES = "poof+schedule:2"


def at_turn(*people: str, **options: object) -> TableRun:
    """A game at the first decision of a person."""
    run = started_table(*people, rules=RULES, players=3, options=Options(**options))  # type: ignore[arg-type]
    while run.actor is None:
        run.play()
    return run


def refused(run: TableRun, person: str | None, ply: int) -> str:
    """The code of the reason why somebody may not ask."""
    with pytest.raises(NotAllowed) as caught:
        run.table.view_to_advise(person, ply)
    return caught.value.reason.code


@pytest.mark.parametrize(
    ("people", "advice", "allowed"),
    [
        (("ann",), "alone", True),
        (("ann", "ben"), "alone", False),
        (("ann", "ben"), "always", True),
        (("ann",), "never", False),
    ],
)
def test_the_option_decides_who_may_ask(
    people: tuple[str, ...], advice: str, *, allowed: bool
) -> None:
    run = at_turn(*people, advice=advice)
    actor = run.actor
    turn = run.table.turn_for(actor)
    assert turn is not None
    assert turn.advice is allowed
    if allowed:
        view = run.table.view_to_advise(actor, run.table.ply)
        assert view.as_data() == run.game.view(view.seat).as_data()
        assert advise(view, budget=Budget(3)).best.move in run.game.legal_moves
    else:
        assert refused(run, actor, run.table.ply) == "table.no_advice"


def test_it_is_for_ones_own_decision_alone() -> None:
    run = at_turn("ann", "ben", advice="always")
    ply = run.table.ply
    other = "ben" if run.actor == "ann" else "ann"
    assert refused(run, other, ply) == "table.advice_later"
    assert refused(run, run.actor, ply - 1) == "table.stale"
    assert refused(run, run.actor, ply + 1) == "table.early"
    assert refused(run, "nobody", ply) == "table.no_seat_of_yours"
