"""The rate limit that everything uses, with a clock that the test holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rage.house.limits import BY_ADDRESS, BY_PERSON
from rage.house.limits.rate import Rate, RateLimit
from rage.house.requests.routes import ROUTES


@given(st.lists(st.floats(0, 50), max_size=60), st.integers(1, 5), st.floats(0.1, 10))
def test_no_more_than_a_burst_and_one_each_so_many_seconds(
    times: list[float], burst: int, seconds: float
) -> None:
    limit = RateLimit(Rate(burst, seconds))
    taken = [now for now in sorted(times) if limit.try_acquire("a", now)]
    for at, first in enumerate(taken):
        for count, last in enumerate(taken[at:], 1):
            assert count <= burst + (last - first) / seconds + 1e-6


@given(st.lists(st.floats(0, 50), max_size=60), st.integers(1, 5), st.floats(0.1, 10))
def test_waiting_as_told_is_enough(times: list[float], burst: int, seconds: float) -> None:
    """And needed, and being refused on the way takes nothing."""
    limit, now = RateLimit(Rate(burst, seconds)), 0.0
    for time in sorted(times):
        now = max(now, time)
        wait = limit.wait("a", now)
        for part in (0, 0.5, 0.99):
            assert wait < 1e-6 or not limit.try_acquire("a", now + part * wait)
        now += wait
        assert limit.try_acquire("a", now + 1e-9)


def test_keys_do_not_grow_without_end() -> None:
    limit = RateLimit(Rate(1, 1000), max_keys=100)
    for number in range(1000):
        limit.try_acquire(number, number)
    assert len(limit) == 100
    assert not limit.try_acquire(999, 999)


def test_a_refused_key_is_not_forgotten_for_others() -> None:
    limit = RateLimit(Rate(1, 10**6), max_keys=10)
    for number in range(1000):
        assert limit.try_acquire("a", number) == (number == 0)
        limit.try_acquire(number, number)


def test_a_key_whose_bucket_is_full_again_is_forgotten() -> None:
    """Thousands of people who ask once in an evening cost nothing when they have gone."""
    limit = RateLimit(Rate(5, 1))
    for number in range(1000):
        limit.try_acquire(number, number * 0.1)
    assert len(limit) < 20


def test_every_limit_that_a_request_names_exists() -> None:
    """A name that is in no table would limit nothing, without a word."""
    named = {route.limit for route in ROUTES} - {None}
    assert named <= {*BY_ADDRESS, *BY_PERSON}
    assert named


def test_what_stores_nothing_is_named_here() -> None:
    """A request that changes the store without saying so is not stopped where that is forbidden."""
    assert {each.path for each in ROUTES if each.method != "GET" and not each.stores} == {
        "/api/handover", "/api/passkeys/begin", "/api/passkeys/ask", "/api/open", "/api/analysis",
        "/api/sheets", "/api/sheets/{sheet}",
        *(f"/api/sheets/{{sheet}}/{each}" for each in ("stop", "free", "phones", "bids")),
    }  # fmt: skip
