"""A rate limit with a token bucket for each key.

It uses the generic cell rate algorithm, which keeps one number for each bucket: the time at which
it will be full again. So a key costs one float, and one whose bucket is full costs nothing.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, NamedTuple

#: How many keys a limit remembers by default.
MAX_KEYS: Final = 20_000


class Rate(NamedTuple):
    """``burst`` at once, and then one more every ``seconds``."""

    burst: int
    seconds: float

    def times(self, factor: float) -> Rate:
        """The rate for ``factor`` times as many people."""
        return Rate(max(1, int(self.burst * factor)), self.seconds / factor)


class RateLimit:
    """A bucket of tokens for each key; a limit on a single thing needs no key. Times are seconds of
    the monotonic clock, by default now."""

    __slots__ = ("_full_at", "_max_keys", "_seconds", "_slack")

    def __init__(self, rate: Rate, max_keys: int = MAX_KEYS) -> None:
        self._seconds = rate.seconds
        self._slack = (rate.burst - 1) * rate.seconds  # how far off full a bucket may be
        self._max_keys = max_keys
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()  # least recently used first

    def __len__(self) -> int:
        return len(self._full_at)

    def wait(self, key: Hashable = None, now: float | None = None) -> float:
        """The seconds until a token is available, 0 if one is; takes none."""
        now = time.monotonic() if now is None else now
        return max(0.0, self._full_at.get(key, now) - now - self._slack)

    def try_acquire(self, key: Hashable = None, now: float | None = None) -> bool:
        """Take a token. Returns false if none is available."""
        now = time.monotonic() if now is None else now
        full_at = max(self._full_at.get(key, now), now)
        allowed = full_at - now <= self._slack
        self._full_at[key] = full_at + self._seconds if allowed else full_at
        self._full_at.move_to_end(key)
        if len(self._full_at) > 1:
            self._forget(now)
        return allowed

    def charge(self, key: Hashable, more: int, now: float | None = None) -> None:
        """Take ``more`` tokens, even if they are not available yet."""
        now = time.monotonic() if now is None else now
        self._full_at[key] = max(self._full_at.get(key, now), now) + more * self._seconds

    def _forget(self, now: float) -> None:
        """Forget the least recently used keys: those whose buckets are full, and any beyond the
        maximum number of keys."""
        while len(self._full_at) > 1:
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > now and len(self._full_at) <= self._max_keys:
                break
            del self._full_at[oldest]
