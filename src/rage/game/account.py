"""How the points of a round add up: "Bid of 1 missed: 4 tricks + 5 for Bonus = 9 points"; and
leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from rage.engine.kernel import Rules
from rage.game.history import Round, seats_of
from rage.rules.values import Card
from rage.say import Reason


class PartsData(TypedDict, total=False):
    """The parts of a side's points for a round, except a point for each trick: for a sweep, for
    Bonus and Mad cards, and for the bid. They can be negative; zeros are left out."""

    sweep: int
    bonus: int
    mad: int
    bid: int


class Account(NamedTuple):
    """The points of one side for one round, and their parts: for its tricks (``won``), for winning
    all of them (``for_sweep``), for the Bonus and Mad cards in them, and for the ``bid``, met or
    missed."""

    bid: int
    won: int
    for_sweep: int
    for_bonus: int
    for_mad: int
    for_bid: int
    points: int

    @property
    def met(self) -> bool:
        """Whether the side has won exactly what it bid."""
        return self.bid == self.won

    @property
    def parts(self) -> PartsData:
        """The parts of the points, except a point for each trick, without zeros."""
        found: PartsData = {}
        if self.for_sweep:
            found["sweep"] = self.for_sweep
        if self.for_bonus:
            found["bonus"] = self.for_bonus
        if self.for_mad:
            found["mad"] = self.for_mad
        if self.for_bid:
            found["bid"] = self.for_bid
        return found


def account_for(rules: Rules, hand: int, *, bid: int, won: int, bonus: int, mad: int) -> Account:
    """The account of a side for a round of ``hand`` tricks, from its bid, its tricks, and the
    number of Bonus and Mad cards in them. All points come from the kernel."""
    plain = rules.points(hand, bid, won, 0)
    unswept = rules.points(hand + 1, bid, won, 0)  # as if there had been one more trick
    a_card = rules.points(hand, bid, won, 1) - plain
    return Account(
        bid=bid,
        won=won,
        for_sweep=plain - unswept,
        for_bonus=a_card * bonus,
        for_mad=-a_card * mad,
        for_bid=unswept - won,
        points=rules.points(hand, bid, won, bonus - mad),
    )


def account_of(current: Round, rules: Rules, side: int) -> Account:
    """The account of a side (a seat, or a team) for a round that is over."""
    assert current.points is not None
    assert current.won is not None
    seats = seats_of(side, len(current.points), len(current.bids))
    taken = [move.card for trick in current.tricks if trick.winner in seats for move in trick.moves]
    return account_for(
        rules,
        current.hand_size,
        bid=sum(current.bids[seat] or 0 for seat in seats),
        won=sum(current.won[seat] for seat in seats),
        bonus=taken.count(Card.BONUS),
        mad=taken.count(Card.MAD),
    )


def accounts_data(current: Round, rules: Rules) -> list[PartsData] | None:
    """The parts of each side's points for a round; ``None`` until it is over."""
    if current.points is None:
        return None
    return [account_of(current, rules, side).parts for side in range(len(current.points))]


def tell_account(account: Account) -> Reason:
    """How the points add up: tricks, then each part with its sign, and the bid last."""
    tricks = total = Reason("account.tricks", {"n": account.won})
    for amount, code, params in _told(account):
        sign = "plus" if amount >= 0 else "minus"
        part = Reason(code, {"points": abs(amount), **params})
        total = Reason(f"account.{sign}", {"before": total, "part": part})
    code = "account.met" if account.met else "account.missed"
    if total is tricks and not account.met:
        code = "account.missed.plain"  # nothing is added up
    return Reason(code, {"sum": total, "points": account.points, "bid": account.bid})


def tell_side(players: Sequence[int], account: Account) -> Reason:
    """The account of a side, with the names of its players."""
    told = tell_account(account)
    return Reason(f"event.points.{told.code}", {"players": players, **told.params})


def tell_accounts(current: Round, rules: Rules) -> Iterator[Reason]:
    """The accounts of all sides for a finished round, with the names of their players."""
    assert current.points is not None
    sides = len(current.points)
    for side in range(sides):
        seats = seats_of(side, sides, len(current.bids))
        yield tell_side(seats, account_of(current, rules, side))


def _told(account: Account) -> Iterator[tuple[int, str, dict[str, object]]]:
    """The parts added to the tricks, without zeros: points, code and parameters."""
    parts: list[tuple[int, str, dict[str, object]]] = [
        (account.for_sweep, "account.sweep", {}),
        (account.for_bonus, "account.card", {"card": str(Card.BONUS)}),
        (account.for_mad, "account.card", {"card": str(Card.MAD)}),
        (account.for_bid, "account.bid", {"bid": account.bid}),
    ]
    return (part for part in parts if part[0])


def leads(points: Sequence[float]) -> list[float]:
    """The lead of each side: its points less the mean of the others'."""
    total, others = sum(points), len(points) - 1
    return [each - (total - each) / others for each in points]
