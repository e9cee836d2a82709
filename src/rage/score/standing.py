"""Points, totals, bids met, leaders and winners of a sheet.

A *side* of a sheet is what scores: a player, by their place in ``Sheet.players``, or a team. The
points of a round come from the kernel."""

from __future__ import annotations

from functools import lru_cache

from rage.engine.kernel import Rules
from rage.game.account import Account, account_for
from rage.game.history import seats_of
from rage.rules.ruleset import RuleSet, leading
from rage.score.sheet import Sheet, SheetRound


@lru_cache(maxsize=64)
def _kernel_rules(rules: RuleSet) -> Rules:
    """The rules as the kernel scores by them, which does not depend on the number of players."""
    return Rules(rules.replace(schedule=(1,), teams=None), rules.player_range[0])


def sides(sheet: Sheet) -> int:
    """The number of sides that score on a sheet: players or teams."""
    return sheet.rules.teams or len(sheet.players)


def places_of_sides(sheet: Sheet, current: SheetRound) -> list[list[int]]:
    """For each side of a round (a seat, or a team), its places among the seats."""
    count = sheet.rules.teams or len(current.seats)
    return [seats_of(side, count, len(current.seats)) for side in range(count)]


def accounts(sheet: Sheet, current: SheetRound) -> list[Account]:
    """How the points of a finished round are made up: by seat, or by team."""
    rules = _kernel_rules(sheet.rules)

    def total(entries: tuple[int | None, ...], places: list[int]) -> int:
        return sum(entries[place] or 0 for place in places)

    return [
        account_for(
            rules,
            current.hand_size,
            bid=total(current.bids, places),
            won=total(current.won, places),
            bonus=total(current.bonus, places),
            mad=total(current.mad, places),
        )
        for places in places_of_sides(sheet, current)
    ]


def points(sheet: Sheet, current: SheetRound) -> list[int]:
    """The points of a finished round: by seat, or by team."""
    return [account.points for account in accounts(sheet, current)]


def card_points(sheet: Sheet, current: SheetRound, place: int) -> int:
    """What the Bonus and Mad cards in the tricks of a seat are worth, by its place."""
    bonus, mad = current.bonus[place], current.mad[place]
    rules = _kernel_rules(sheet.rules)
    account = account_for(rules, current.hand_size, bid=0, won=0, bonus=bonus, mad=mad)
    return account.for_bonus + account.for_mad


def by_side(sheet: Sheet, current: SheetRound) -> dict[int, Account]:
    """The accounts of a finished round, by side of the sheet."""
    found = accounts(sheet, current)
    return dict(zip(range(len(found)) if sheet.rules.teams else current.seats, found, strict=True))


def totals(sheet: Sheet) -> list[list[int]]:
    """The points so far by side, after each finished round."""
    sums = [0] * sides(sheet)
    after = []
    for current in sheet.finished:
        for side, account in by_side(sheet, current).items():
            sums[side] += account.points
        after.append(sums.copy())
    return after


def scores(sheet: Sheet) -> list[int]:
    """The points of each side after all rounds entered so far."""
    return (totals(sheet) or [[0] * sides(sheet)])[-1]


def met(sheet: Sheet) -> list[int]:
    """The number of rounds in which each side has met its bid."""
    counts = [0] * sides(sheet)
    for current in sheet.finished:
        for side, account in by_side(sheet, current).items():
            counts[side] += account.met
    return counts


def met_most(sheet: Sheet) -> list[int]:
    """The sides that have met the most bids; none before the first bid is met."""
    counts = met(sheet)
    return [side for side, count in enumerate(counts) if count == max(counts) > 0]


def present(sheet: Sheet) -> list[int]:
    """The sides that can lead and win: the teams, or the players of the last finished round."""
    if sheet.rules.teams:
        return [*range(sheet.rules.teams)]
    return sorted(sheet.finished[-1].seats) if sheet.finished else []


def leaders(sheet: Sheet) -> list[int]:
    """The sides that lead, by the ``tie`` of the rules; none before a round is finished."""
    if not sheet.finished:
        return []
    there, now, count = present(sheet), scores(sheet), met(sheet)
    points, decisive = [now[side] for side in there], [count[side] for side in there]
    return [there[at] for at in leading(sheet.rules, points, decisive)]


def winners(sheet: Sheet) -> list[int] | None:
    """The sides that have won; ``None`` until the game is over."""
    return leaders(sheet) if sheet.over else None


def members(sheet: Sheet, side: int) -> list[int]:
    """The players of a side: one, or all who ever sat on a team."""
    teams = sheet.rules.teams
    if teams is None:
        return [side]
    found: dict[int, None] = {}
    lists = [each.seats for each in sheet.rounds] or [sheet.seats]
    for seats in lists:
        found.update(dict.fromkeys(seats[side::teams]))
    return [*found]
