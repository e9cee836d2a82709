"""No level from medium up makes the mistakes that people complain of, in positions where thousands
of worlds have shown what they lose (`positions/`)."""

from __future__ import annotations

from collections import Counter

import pytest

from bots.positions.find import LEAST
from bots.positions.mistakes import MISTAKES, seat_to_act
from bots.positions.reading import Stored, positions
from rage.bots import bot
from rage.bots.rollouts import Rollouts
from rage.history import MOVES
from rage.view import View

EVERY = positions()


def mistaken(level: str, seed: int = 1) -> set[str]:
    """The positions in which a bot makes the mistake."""

    def chosen(stored: Stored) -> bool:
        view: View = stored.game.view(stored.seat)
        return bot(level, seed).choose(view) in stored.wrong

    return {stored.name for stored in EVERY if chosen(stored)}


def test_the_list_has_every_mistake() -> None:
    count = Counter(stored.mistake for stored in EVERY)
    assert count.keys() == MISTAKES.keys()
    assert all(number >= 5 for number in count.values())
    assert len(EVERY) >= 40


def test_every_position_is_what_its_mistake_says() -> None:
    """And its mistaken moves lose two points at least, under both policies, with certainty."""
    for stored in EVERY:
        assert stored.game.to_act == stored.seat
        found = MISTAKES[stored.mistake].moves(seat_to_act(stored.game.position))
        assert sorted(stored.wrong) == [MOVES[move] for move in sorted(found)]
        assert stored.best in stored.game.legal_moves()
        assert stored.best not in stored.wrong
        assert stored.worlds >= 4000
        assert stored.lost.keys() == {"steady", "network"}
        for lost in stored.lost.values():
            assert lost.keys() == {*stored.wrong}
            assert all(mean - half >= LEAST for mean, half in lost.values())


#: The mistakes that a level still makes. Nothing is to be added: a better network takes them away.
KNOWN: dict[str, set[str]] = {
    "medium": {
        "49 takes-a-trick-from-its-partner",
        "53 feeds-an-opponent-its-bid",
        "55 feeds-an-opponent-its-bid",
        "71 takes-a-trick-from-its-partner",
    },
}


@pytest.mark.parametrize(
    "level", ["medium", "hard", "master", "flat+", pytest.param("deep", marks=pytest.mark.long)]
)
def test_no_level_makes_them(level: str) -> None:
    assert mistaken(level) <= KNOWN.get(level, set())


@pytest.mark.long
@pytest.mark.parametrize("stored", EVERY, ids=lambda stored: stored.name)
def test_what_a_mistake_loses_is_found_again(stored: Stored) -> None:
    """By steady's moves, which do not change as the network does, in 1,000 other worlds."""
    search = Rollouts(stored.game.position, 99, "steady")
    search.keep([stored.best, *stored.wrong])
    search.run(1000)
    found = dict(search.values)
    for move, (mean, half) in stored.lost["steady"].items():
        assert found[stored.best] - found[move] == pytest.approx(mean, abs=5 * half)
