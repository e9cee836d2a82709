"""Means over sets of deals, and how certain they are: intervals by Student's t distribution.

Sets of deals are independent, and the difference of two bots over one set is a mean over many
games, so nearly normal: then t is exact for any number of sets, while a bootstrap is too narrow for
a few, and needs random numbers. Such an interval is for a number of sets chosen beforehand, not for
stopping once it looks good.

For stopping there is a confidence sequence: intervals that all contain the mean, after every number
of sets, with 95 % confidence. It is the asymptotic one of Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas, Time-uniform central limit theory and asymptotic confidence sequences (Annals of Statistics
52, 2024), theorem 2.2: after t sets with the standard deviation s, half the width is

    s sqrt(2 (t rho^2 + 1) / (t rho)^2 log(sqrt(t rho^2 + 1) / alpha))

with the rho of their appendix that makes it narrowest after ``TUNED_FOR`` sets. It holds in the
limit, so it begins with ``FIRST`` sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, cos, log, pi, sin, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

#: An upper bound on the quantiles used here: one degree of freedom, and 99 %, gives 63.7.
_WIDEST: Final = 100.0


#: The number of sets after which a confidence sequence begins, and after which it is narrowest.
FIRST: Final = 20
TUNED_FOR: Final = 100
_ALPHA: Final = 0.05
_RHO_SQUARED: Final = (-2 * log(_ALPHA) + log(-2 * log(_ALPHA) + 1)) / TUNED_FOR


class Estimate(NamedTuple):
    """A mean over ``deals`` sets of deals, with half the widths of its 95 % and 99 % intervals:
    ``None`` for a single set, which does not show how much sets differ. ``half_sequence`` is half
    the width of the interval for stopping, the confidence sequence, ``None`` before ``FIRST``
    sets."""

    deals: int
    mean: float
    half_95: float | None
    half_99: float | None
    half_sequence: float | None = None

    def interval(self, half: float | None) -> tuple[float, float] | None:
        """The interval with this half width."""
        return None if half is None else (self.mean - half, self.mean + half)


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of at least one value, with its intervals."""
    count = len(values)
    if count == 1:
        return Estimate(1, values[0], None, None)
    deviation = stdev(values)
    half_95, half_99 = (
        deviation / sqrt(count) * t_quantile(level, count - 1) for level in (0.95, 0.99)
    )
    return Estimate(count, fmean(values), half_95, half_99, sequence_half(count, deviation))


def sequence_half(count: int, deviation: float) -> float | None:
    """Half the width of the confidence sequence after ``count`` sets with this standard deviation;
    ``None`` before it begins."""
    if count < FIRST:
        return None
    spread = count * _RHO_SQUARED + 1
    bound = 2 * spread / (count * count * _RHO_SQUARED) * log(sqrt(spread) / _ALPHA)
    return deviation * sqrt(bound)


@lru_cache
def t_quantile(level: float, freedom: int) -> float:
    """The distance from 0 within which a variable with Student's t distribution stays with
    probability ``level``."""
    low, high = 0.0, _WIDEST
    while high - low > 1e-9:
        middle = (low + high) / 2
        if t_within(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


def t_within(t: float, freedom: int) -> float:
    """The probability that a variable with Student's t distribution is between -t and t: the
    finite sums 26.7.3 and 26.7.4 in Abramowitz and Stegun, Handbook of Mathematical Functions."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    total *= sin(angle)
    return (angle + total) * 2 / pi if odd else total
