"""Who sits at which table of a contest, and in which seat, round by round.

Balanced are, in this order: who *meets* whom; who is *compared* with whom, that is, has the same
seat at another table of as many, and so the same cards; who has which seat, and sits with bots. It
begins with a geometry, which is exact for some numbers of people; for the others, a search follows.
Chance comes from the ids alone, and time decides nothing, so every server finds the same seats.

People are numbers here. The numbers after theirs are bots, or seats: sitting with a bot counts like
meeting somebody, and having a seat like being compared with somebody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, combinations, count, permutations, product
from random import Random
from typing import Final, NamedTuple, TypeAlias

#: The people at a table by seat; ``None`` is a bot.
Table: TypeAlias = tuple[str | None, ...]
Round: TypeAlias = tuple[Table, ...]
#: Those who meet, or are compared: the numbers in one list. Any below 0 stand for nobody.
_Groups: TypeAlias = list[list[int]]

_MOST: Final = 8  # people at a table
#: How many swaps a search tries.
_STEPS: Final = 20_000
#: The polynomials that make fields of the numbers below 4, 8 and 16.
_POLYNOMIALS: Final = {4: 0b111, 8: 0b1011, 16: 0b10011}
#: Eight people at two tables are the points of three bits. In each round, one table is the plane
#: where a mask leaves an even number of bits, a step leads from there to the same seats of the
#: other, and a turn changes who has which. No three of the first four planes share a line.
_EIGHT: Final = ((1, 1, 0), (2, 2, 2), (4, 4, 1), (7, 7, 1), (3, 5, 3), (5, 6, 1), (6, 3, 0))


class Tables(NamedTuple):
    """Of about ``size`` people (2 to 8). If some are left over, bots ``fill`` the tables, or else
    some tables have one person more than the others, all within ``players``."""

    size: int
    fill: bool
    players: tuple[int, int] = (2, 8)


class Balance(NamedTuple):
    """The fewest and the most times that two people who were there together met, and were compared.
    ``unavoidable``: however people had sat at these tables, some two would have met so often."""

    met: tuple[int, int]
    compared: tuple[int, int]
    unavoidable: int


def plan(
    people: Iterable[str], tables: Tables, rounds: int, earlier: Sequence[Round] = ()
) -> tuple[Round, ...]:
    """Return the next ``rounds`` rounds, after the ``earlier`` ones as they were seated. Raises
    ``ValueError`` if that many people cannot sit at such tables, or someone is listed twice."""
    return _plan(tuple(people), tables, rounds, tuple(earlier))


def next_round(
    people: Iterable[str], tables: Tables, rounds: int, earlier: Sequence[Round]
) -> Round:
    """Return the round after the ``earlier`` ones, of ``rounds`` in all. One plan is continued
    while it is followed and nobody comes or leaves."""
    here, seated = tuple(people), tuple(earlier)
    last, since = max(rounds, len(seated) + 1), len(seated)
    while since and {*here} == {*chain(*seated[since - 1])} - {None}:
        since -= 1
    for first in (since, len(seated)):
        planned = plan(here, tables, last - first, seated[:first])
        if planned[: len(seated) - first] == seated[first:]:
            break
    return planned[len(seated) - first]


def balance(rounds: Sequence[Round]) -> Balance:
    """Return how balanced some rounds are."""
    names = sorted({who for table in chain(*rounds) for who in table if who})
    numbered = _numbered(rounds, names)
    there = [{*chain(*tables)} for tables in numbered]
    pairs = [p for p in combinations(range(len(names)), 2) if any({*p} <= each for each in there)]
    meetings = _counts(chain(*numbered), len(names))
    same_seat = _counts(chain(*_seats(numbered, len(names))), len(names) + _MOST)
    met, compared = ([by[a][b] for a, b in pairs] or [0] for by in (meetings, same_seat))
    return Balance(
        (min(met), max(met)), (min(compared), max(compared)), _unavoidable(numbered, len(pairs))
    )


def _unavoidable(rounds: list[_Groups], pairs: int) -> int:
    """All meetings over all pairs; and those of a table over its own, of which some meet again in
    every other round with fewer tables than people from this one."""
    there = [[{who for who in table if who >= 0} for table in tables] for tables in rounds]
    found = [-(-sum(_pairs(len(here)) for here in chain(*there)) // (pairs or 1))]
    for number, here in ((number, here) for number, each in enumerate(there) for here in each):
        others = there[:number] + there[number + 1 :]
        again = sum(_pairs(len(here & {*chain(*each)}), len(each)) for each in others)
        found.append(1 - -again // (_pairs(len(here)) or 1))
    return max(found)


def _pairs(people: int, tables: int = 1) -> int:
    """How many pairs meet, at least, if ``people`` sit down at ``tables``."""
    each, more = divmod(people, tables)
    return tables * each * (each - 1) // 2 + more * each


@lru_cache(maxsize=16)  # each round asks for the plan that it continues
def _plan(
    people: tuple[str, ...], wanted: Tables, rounds: int, earlier: tuple[Round, ...]
) -> tuple[Round, ...]:
    tables, seats = _tables(people, wanted)
    rng = Random("\n".join(sorted(people)))
    names = sorted(sorted(people), key=lambda _: rng.random())
    bot, chairs = len(names), tables * seats if wanted.fill else len(names)
    planned = _start(bot, tables, seats, rounds, rng)
    meetings = _counts(chain(*_numbered(earlier, names, bot), *planned), bot + 1)
    _search(meetings, bot, planned, rng, tables == seats)
    for each in planned:
        bots = count(bot)
        for table in each:
            table += [bot] * (seats - len(table))
            table[:] = [next(bots) if who == bot else who for who in table]
            table[:] = [who for who in table if who < chairs]

    blocks, before = _seats(planned, chairs), _seats(_numbered(earlier, names), chairs)
    same_seat = _counts(chain(*before, *blocks), chairs + max(map(len, (*before, *blocks))))
    _search(same_seat, chairs, blocks, rng, tables == seats, across=True)
    called = [*names, *[None] * (chairs - bot)]
    seated = [
        tuple(called[who] for who in table)
        for block in blocks
        for table in zip(*(there[:-1] for there in block), strict=True)
    ]
    return tuple(tuple(seated[n : n + tables]) for n in range(0, len(seated), tables))


def _tables(people: tuple[str, ...], wanted: Tables) -> tuple[int, int]:
    """How many tables there are, and how many seats the largest has."""
    size, number, (least, most) = wanted.size, len(people), wanted.players

    def distance(tables: int) -> tuple[int, int]:
        """Of the people's tables from ``size``; and more tables are better."""
        sizes = [(number + table) // tables for table in range(tables)]
        return sum(each * abs(each - size) for each in sizes), -tables

    fits = [n for n in range(1, number // least + 1) if -(-number // n) <= most]
    if wanted.fill:
        fits = [n for n in range(1, number + 1) if 0 <= n * size - number < size]
    if not 2 <= size <= _MOST or not 2 <= number == len({*people}) or not fits:
        raise ValueError(f"{wanted} are not possible for {people}")
    tables = min(fits, key=distance)
    return tables, size if wanted.fill else -(-number // tables)


def _numbered(rounds: Iterable[Round], names: list[str], bot: int = -1) -> list[_Groups]:
    numbers: dict[str | None, int] = {None: bot}
    numbers.update((who, number) for number, who in enumerate(names))
    return [[[numbers.get(who, -1) for who in table] for table in each] for each in rounds]


def _seats(rounds: Iterable[_Groups], chairs: int) -> list[_Groups]:
    """For each size of a round's tables, and each seat there: who has it, and last the number of
    the seat, after the ``chairs``."""
    return [
        [
            [*there, chairs + seat]
            for seat, there in enumerate(zip(*(t for t in tables if len(t) == size), strict=True))
        ]
        for tables in rounds
        for size in sorted({*map(len, tables)}, reverse=True)
    ]


def _counts(groups: Iterable[list[int]], size: int) -> _Groups:
    """How often each number is in a group with each other one."""
    counts = [[0] * size for _ in range(size)]
    for group in groups:
        for a, b in permutations([each for each in group if each >= 0], 2):
            counts[a][b] += 1
    return counts


def _start(people: int, tables: int, seats: int, rounds: int, rng: Random) -> list[_Groups]:
    """The rounds of a geometry whose points are the chairs, the last of them with bots, of which
    one stands for all at its table."""
    planned, order = [], [*range(people)]
    eight = (tables, seats) == (2, 4) and people >= 7
    # The last direction of a square has its last chairs at one table.
    period = 7 if eight else tables + (tables == seats and people >= tables * seats - 1)
    for number in range(rounds):
        if number and number % period == 0:
            order.sort(key=lambda _: rng.random())
        at = [*order, *[people] * (tables * seats - people)]
        groups = _planes(number % 7) if eight else _lines(number % period, tables, seats)
        planned.append([[*dict.fromkeys(at[point] for point in group)] for group in groups])
    return planned


def _planes(number: int) -> _Groups:
    mask, step, turn = _EIGHT[number]
    plane = [point for point in range(8) if (point & mask).bit_count() % 2 == 0]
    return [[plane[seat ^ turn] ^ by for seat in range(4)] for by in (0, step)]


def _lines(direction: int, tables: int, seats: int) -> _Groups:
    """Parallel lines of a plane with ``tables`` rows and ``seats`` columns, each in the order of
    the next direction's. Two points share one line at most if the row numbers form a field."""
    groups: _Groups = [[] for _ in range(tables)]
    seat = (direction + 1) % (tables + 1)
    for point in sorted(range(tables * seats), key=lambda point: _line(seat, point, tables, seat)):
        groups[_line(direction, point, tables)].append(point)
    return groups


def _line(direction: int, point: int, tables: int, shift: int = 0) -> int:
    """Which line of its direction a point is on. Shifted by their direction, lines are seats that
    nobody has more than twice, and once more in the direction of the columns."""
    column, row = divmod(point, tables)
    if direction == tables:
        return column
    if tables not in _POLYNOMIALS:
        return (row + direction * (column + shift)) % tables
    for bit in range(4):
        row ^= (direction >> bit & 1) * (column ^ shift) << bit
    while row >= tables:
        row ^= _POLYNOMIALS[tables] << row.bit_length() - tables.bit_length()
    return row


def _search(
    counts: _Groups, free: int, rounds: list[_Groups], rng: Random, keep: bool, across: bool = False
) -> None:
    """Make the ``counts`` of the numbers below ``free`` more even by swaps between two groups of a
    round: ``across``, in the same place of both, or else in any, and of the next number, too. What
    is even from the start may be worth to ``keep``."""
    inner = [counts[a][b] for a, b in combinations(range(free), 2)]
    outer = [times for row in counts[:free] for times in row[free:]]
    most = max(chain(*counts)) + len(rounds) + 2
    rise = _rises(inner, most, 4) + _rises(outer, most, 1)
    for a, b in product(range(free), range(free, len(counts))):  # second in `rise`
        counts[a][b] = counts[b][a] = most + counts[a][b]
    if keep and max(inner) - min(inner) <= 1:
        return
    fixed = free if across else free + 1
    random = rng.random
    for _ in range(_STEPS):
        groups = rounds[int(random() * len(rounds))]
        one, other = groups[int(random() * len(groups))], groups[int(random() * len(groups))]
        here = int(random() * len(one))
        there = here if across else int(random() * len(other))
        a, b = one[here], other[there]
        if a in other or b in one or a >= fixed or b >= fixed:
            continue
        of_a, of_b, cost = counts[a], counts[b], 0
        for x in one:
            if x != a:
                cost += rise[of_b[x]] - rise[of_a[x] - 1]
        for x in other:
            if x != b:
                cost += rise[of_a[x]] - rise[of_b[x] - 1]
        if cost <= 0:
            one[here], other[there] = b, a
            for x, by in (*((x, 1) for x in one if x != b), *((x, -1) for x in other if x != a)):
                for who, change in ((b, by), (a, -by)):
                    counts[who][x] += change
                    counts[x][who] += change


def _rises(counts: list[int], most: int, steep: int) -> list[int]:
    """What one more costs: the squares, and steeply more from the mean on."""
    mean = -(-sum(counts) // (len(counts) or 1))
    return [2 * n + 1 + (steep << 2 * (n - mean) if n >= mean else 0) for n in range(most)]
