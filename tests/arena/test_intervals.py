"""Intervals: the quantiles of Student's t, and that intervals hold what they promise."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rage.arena.intervals import FIRST, TUNED_FOR, estimate, sequence_half, t_quantile, t_within

#: From the usual table, two-sided.
TABLE = [
    (1, 0.95, 12.7062), (1, 0.99, 63.6567), (2, 0.95, 4.3027), (3, 0.99, 5.8409),
    (4, 0.95, 2.7764), (9, 0.95, 2.2622), (30, 0.99, 2.7500), (199, 0.95, 1.9720),
    (1000, 0.95, 1.9623), (1000, 0.99, 2.5808),
]  # fmt: skip


@pytest.mark.parametrize(("freedom", "level", "quantile"), TABLE)
def test_the_quantiles_are_those_of_the_table(freedom: int, level: float, quantile: float) -> None:
    assert t_quantile(level, freedom) == pytest.approx(quantile, abs=5e-5)


@given(st.integers(1, 400), st.floats(0, 50))
def test_a_probability_grows_with_the_interval(freedom: int, t: float) -> None:
    less, more = t_within(t, freedom), t_within(t + 0.1, freedom)
    assert -1e-12 < less < more + 1e-12 < 1 + 2e-12


def normal(rng: Random) -> float:
    return rng.gauss(2, 8)


def skewed(rng: Random) -> float:
    """Squared deviations, as far from normal as sums of games will ever be."""
    return sum(rng.expovariate(1) for _ in range(8)) - 8 + 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize("draw", [normal, skewed])
@pytest.mark.parametrize("sets", [2, 4, 20])
def test_intervals_hold_the_truth_as_often_as_they_say(
    draw: Callable[[Random], float], sets: int
) -> None:
    rng, held, trials = Random(sets), {95: 0, 99: 0}, 4000
    for _ in range(trials):
        found = estimate([draw(rng) for _ in range(sets)])
        assert found.half_95 is not None
        assert found.half_99 is not None
        held[95] += abs(found.mean - 2) <= found.half_95
        held[99] += abs(found.mean - 2) <= found.half_99
    for level, count in held.items():
        share = level / 100
        error = sqrt(share * (1 - share) / trials)
        slack = 3.5 * error if draw is normal else 0.02
        assert abs(count / trials - share) < slack


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=30))
def test_an_interval_turns_with_its_values(values: list[float]) -> None:
    one, other = estimate(values), estimate([-value for value in values])
    assert other.mean == pytest.approx(-one.mean)
    assert other.half_95 == pytest.approx(one.half_95)
    assert one.half_99 is not None
    assert one.half_95 is not None
    assert one.half_99 >= one.half_95


def test_a_single_set_says_nothing_of_how_sure_it_is() -> None:
    found = estimate([3.0])
    assert (found.deals, found.mean, found.half_95, found.half_99) == (1, 3.0, None, None)
    assert found.interval(found.half_95) is None


def rademacher(rng: Random) -> float:
    """As far from normal as a mean over games is not: two values only."""
    return 2 + rng.choice((-8, 8))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("draw", [normal, skewed, rademacher])
def test_a_confidence_sequence_may_be_stopped_at_any_time(
    draw: Callable[[Random], float],
) -> None:
    """Of runs that are looked at after every set, up to 1,500 of them, at most one in twenty ever
    excludes the truth; the usual interval would in every third."""
    rng, trials, failed = Random(5), 250, 0
    for _ in range(trials):
        mean = squares = 0.0
        for count in range(1, 1501):
            value = draw(rng)
            step = value - mean
            mean += step / count
            squares += step * (value - mean)
            half = sequence_half(count, sqrt(squares / max(1, count - 1)))
            if half is not None and abs(mean - 2) > half:
                failed += 1
                break
    assert failed / trials < 0.05 + 2 * sqrt(0.05 * 0.95 / trials)


def test_a_confidence_sequence_costs_some_width() -> None:
    """About half as wide again as the usual interval where it is narrowest, and none at first."""
    values = [Random(3).gauss(0, 8) for _ in range(FIRST - 1)]
    assert estimate(values).half_sequence is None
    assert sequence_half(FIRST, 8) is not None
    for count, most in ((FIRST, 2.2), (TUNED_FOR, 1.6), (20 * TUNED_FOR, 1.9)):
        half = sequence_half(count, 8)
        assert half is not None
        assert 1.3 < half / (8 / sqrt(count) * t_quantile(0.95, count - 1)) < most
