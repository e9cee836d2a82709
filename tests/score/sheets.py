"""Random score sheets of every kind, drawn by ``random`` or by Hypothesis alike."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from generators import Pick, rules_from
from rage import RuleSet
from rage.rules.settings import MAX_DEALT, MAX_HAND
from rage.score.sheet import Sheet, SheetRound

NAMES = (
    "Ann", "Benedikt-Maximilian", "Çelik", "=SUM(A1)", "＝1", "-5", "Иван", '"Q", a', "－1",
    "李雷", "D;E", "@home", "Zoë 🎲", "Mary Jane",
)  # fmt: skip


def sheet_from_picks(pick: Pick, *, rounds: int = 4) -> Sheet:
    """A sheet that keeps the rules, perhaps with people who come and go."""
    rules, players = rules_from(pick, rounds=rounds)
    guests = 0 if rules.teams else pick(range(3))
    names = [*NAMES[pick(range(4)) :], *NAMES][: players + guests]
    names = [*dict.fromkeys(names)]
    names += [f"P{n}" for n in range(players + guests - len(names))]
    sheet = Sheet(rules, tuple(names))
    count = pick(range(len(rules.schedule) + 1))
    seats = tuple(range(players))
    for index in range(count):
        if not rules.teams and pick((False, False, True)):
            seats = _other_seats(pick, rules, len(names))
        whole = index < count - 1 or pick((True, False))
        hand = rules.schedule[index]
        if hand * len(seats) > MAX_DEALT or pick((False, False, False, True)):
            hand = pick(range(1, min(MAX_HAND, MAX_DEALT // len(seats)) + 1))
        current = _round(pick, rules, seats, hand)
        sheet = sheet._replace(
            rounds=(*sheet.rounds, current if whole else _cut_short(pick, current))
        )
    stopped = bool(sheet.rounds) and sheet.under_way is None and pick((False, True))
    extra = {"id": "x1", "place": {"at": "home"}} if pick((False, True)) else {}
    return sheet._replace(stopped=stopped, extra=extra)


def _other_seats(pick: Pick, rules: RuleSet, people: int) -> tuple[int, ...]:
    least, most = rules.player_range
    left = [*range(people)]
    return tuple(
        left.pop(pick(range(len(left)))) for _ in range(pick(range(least, min(most, people) + 1)))
    )


def _round(pick: Pick, rules: RuleSet, seats: tuple[int, ...], hand: int) -> SheetRound:
    bids = [pick(range(hand + 1)) for _ in seats]
    if rules.bid_total == "not_tricks" and sum(bids) == hand:
        bids[-1] += 1 if bids[-1] < hand else -1
    won = [0] * len(seats)
    for _ in range(hand):
        won[pick(range(len(seats)))] += 1
    takers = [place for place, tricks in enumerate(won) if tricks]
    bonus, mad = [0] * len(seats), [0] * len(seats)
    for pile, most in ((bonus, rules.pack.bonus), (mad, rules.pack.mad)):
        for _ in range(pick(range(most + 1))):
            place = pick(takers)
            pile[place] += bonus[place] + mad[place] < won[place] * len(seats)
    return SheetRound(seats, hand, pick(seats), tuple(bids), tuple(won), tuple(bonus), tuple(mad))


def _cut_short(pick: Pick, current: SheetRound) -> SheetRound:
    """The round with something still to enter."""
    nothing = (None,) * len(current.seats)
    none = (0,) * len(current.seats)

    def some(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        kept = [each if pick((True, False)) else None for each in entries]
        kept[pick(range(len(kept)))] = None
        return tuple(kept)

    left = current._replace(won=nothing, bonus=none, mad=none)
    match pick(("nothing", "bids", "all bids", "tricks")):
        case "nothing":
            return left._replace(bids=nothing)
        case "bids":
            return left._replace(bids=some(current.bids))
        case "all bids":
            return left
    won = some(current.won)
    known = [each is not None for each in won]
    return current._replace(
        won=won,
        bonus=tuple(n if k else 0 for n, k in zip(current.bonus, known, strict=True)),
        mad=tuple(n if k else 0 for n, k in zip(current.mad, known, strict=True)),
    )


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    """A sheet that keeps the rules."""
    return sheet_from_picks(lambda options: draw(st.sampled_from(options)))
