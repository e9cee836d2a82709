"""Who sits where in a contest: as evenly as can be, and the same on every server."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import chain, combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rage.house.contests.seating import Round, Tables, balance, next_round, plan

FILLED, UNEVEN = Tables(4, fill=True), Tables(4, fill=False)


def names(number: int) -> list[str]:
    return [f"person {each}" for each in range(number)]


def check(tables: Round, people: list[str], wanted: Tables) -> None:
    """Everybody has one seat, and the tables are as even as they can be."""
    assert sorted(filter(None, chain(*tables))) == sorted(people)
    bots = [table.count(None) for table in tables]
    sizes = [len(table) for table in tables]
    assert max(bots) - min(bots) <= 1
    assert max(sizes) - min(sizes) <= (not wanted.fill)
    assert sum(bots) < wanted.size if wanted.fill else not any(bots)


@pytest.mark.parametrize(
    ("people", "size", "rounds", "met"),
    [(9, 3, 4, 1), (16, 4, 5, 1), (25, 5, 6, 1), (49, 7, 8, 1), (64, 8, 9, 1), (8, 4, 7, 3)],
)
def test_some_numbers_have_an_exact_movement(people: int, size: int, rounds: int, met: int) -> None:
    planned = plan(names(people), Tables(size, fill=False), rounds)
    assert balance(planned) == ((met, met), (1, 1), met)
    held = Counter((who, seat) for table in chain(*planned) for seat, who in enumerate(table))
    assert max(held.values()) <= 3


def test_a_bot_in_an_exact_movement_sits_with_everybody_once() -> None:
    planned = plan(names(15), FILLED, 5)
    assert balance(planned) == ((1, 1), (1, 1), 1)
    met = Counter(who for table in chain(*planned) if None in table for who in table)
    assert met == {None: 5} | dict.fromkeys(names(15), 1)


@given(st.integers(6, 64), st.integers(3, 8), st.integers(1, 7), st.booleans())
def test_nobody_meets_anybody_more_than_once_above_what_is_unavoidable(
    people: int, size: int, rounds: int, fill: bool
) -> None:
    planned = plan(names(people), Tables(size, fill), rounds)
    assert len(planned) == rounds
    for tables in planned:
        check(tables, names(people), Tables(size, fill))
    found = balance(planned)
    assert found.met[1] <= found.unavoidable + 1


@settings(max_examples=10)
@given(st.integers(6, 20), st.integers(3, 6), st.booleans(), st.randoms(use_true_random=False))
def test_people_come_and_leave(number: int, size: int, fill: bool, random: Random) -> None:
    people, seated = names(number), list[Round]()
    for late in ("late", "later", "too late"):
        seated.append(next_round(people, Tables(size, fill), 3, seated))
        check(seated[-1], people, Tables(size, fill))
        people = [*random.sample(people, len(people) - random.randrange(2)), late]
    found = balance(seated)
    assert found.met[1] <= found.unavoidable + 1


def test_a_plan_is_continued_until_somebody_comes_or_leaves() -> None:
    people = names(10)
    planned = plan(people, FILLED, 5)
    for number, tables in enumerate(planned):
        assert next_round(people[::-1], FILLED, 5, planned[:number]) == tables
    assert next_round(people, FILLED, 5, planned) == plan(people, FILLED, 1, planned)[0]

    here = [*people[1:], "late"]
    rest = plan(here, FILLED, 3, planned[:2])
    for number, tables in enumerate(rest):
        assert next_round(here, FILLED, 5, (*planned[:2], *rest[:number])) == tables
    other = (*planned[:2], rest[0][::-1])  # seated by hand
    assert next_round(here, FILLED, 5, other) == plan(here, FILLED, 2, other)[0]


def test_every_server_finds_the_same_seats() -> None:
    program = (
        "from rage.house.contests.seating import Tables, plan\n"
        "print(plan([f'person {n}' for n in range(13)], Tables(4, fill=False), 3))"
    )
    for seed in "12":
        said = subprocess.check_output(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, text=True
        )
        assert said == f"{plan(names(13)[::-1], UNEVEN, 3)}\n"


@pytest.mark.parametrize(
    ("people", "wanted", "sizes"),
    [
        (6, UNEVEN, [3, 3]), (7, UNEVEN, [4, 3]), (11, UNEVEN, [4, 4, 3]),
        (7, Tables(5, fill=False), [4, 3]), (6, Tables(5, fill=False), [6]),
        (11, Tables(5, fill=False), [6, 5]), (11, Tables(5, False, (2, 5)), [4, 4, 3]),
        (5, Tables(3, fill=False), [3, 2]), (5, Tables(3, False, (3, 8)), [5]),
        (5, FILLED, [4, 4]), (2, FILLED, [4]),
    ],
)  # fmt: skip
def test_tables_come_near_to_their_size(people: int, wanted: Tables, sizes: list[int]) -> None:
    assert [len(table) for table in plan(names(people), wanted, 1)[0]] == sizes


@pytest.mark.parametrize(
    ("people", "wanted"),
    [
        (["a"], FILLED), (["a", "b", "a"], FILLED), (names(6), Tables(0, fill=True)),
        (names(6), Tables(9, fill=False)), (names(9), Tables(5, False, (5, 8))),
    ],
)  # fmt: skip
def test_what_cannot_be_seated_is_an_error(people: list[str], wanted: Tables) -> None:
    with pytest.raises(ValueError, match="not possible"):
        plan(people, wanted, 3)


def test_what_is_called_unavoidable_is() -> None:
    """In all ways to seat six people at two tables three times."""
    people = names(6)
    half = [(table, tuple({*people} - {*table})) for table in combinations(people, 3)]
    best = min(balance([half[0], *rest]).met[1] for rest in product(half, repeat=2))
    assert best == balance([half[0]] * 3).unavoidable == 2


def test_only_people_of_the_same_round_are_pairs() -> None:
    rounds: list[Round] = [(("a", "b"), (None, "c")), (("d", "e"),)]
    assert balance(rounds) == ((0, 1), (0, 1), 1)
    assert balance([(("a", "b"),), (("c", None, "d"),)]) == ((1, 1), (0, 0), 1)
