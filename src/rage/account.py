"""How the points of a round came about: "4 tricks + 5 for Bonus = 9, bid 1 missed"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypedDict

from rage.cards import BONUS, CARD_CODES, MAD, PLAY_BONUS, PLAY_MAD
from rage.history import Round
from rage.kernel import Rules
from rage.say import Reason

#: What points are for: tricks won, all of them, Bonus and Mad cards in them, and the bid.
Kind = Literal["tricks", "sweep", "bonus", "mad", "bid"]


class PartData(TypedDict):
    """A part of the points of a side for a round, as plain data; ``n``, in points, may be less than
    0."""

    kind: Kind
    n: int


class Account(NamedTuple):
    """The points of one side for one round, and what they are made of: those for its tricks
    (``won``), for all of them (``for_sweep``), for the Bonus and Mad cards in them, and for the
    ``bid``, met or missed."""

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
    def parts(self) -> list[PartData]:
        """What the points add up from: the tricks, and whatever else is not 0."""
        rest: list[PartData] = [
            {"kind": "sweep", "n": self.for_sweep},
            {"kind": "bonus", "n": self.for_bonus},
            {"kind": "mad", "n": self.for_mad},
            {"kind": "bid", "n": self.for_bid},
        ]
        return [{"kind": "tricks", "n": self.won}, *(part for part in rest if part["n"])]


def account_of(current: Round, rules: Rules, side: int) -> Account:
    """The account of a side (a seat, or a team) for a round that is over. The points are those
    that the kernel has scored, and so is each part of them."""
    assert current.points is not None
    assert current.won is not None
    seats = range(side, len(current.bids), len(current.points))
    taken: list[int] = [
        move for trick in current.tricks if trick.winner in seats for move in trick.moves
    ]
    bid = sum(current.bids[seat] or 0 for seat in seats)
    won = sum(current.won[seat] for seat in seats)
    hand = current.hand_size
    plain = rules.points(hand, bid, won, 0)
    unswept = rules.points(hand + 1, bid, won, 0)  # as if there had been one more trick
    a_card = rules.points(hand, bid, won, 1) - plain
    return Account(
        bid=bid,
        won=won,
        for_sweep=plain - unswept,
        for_bonus=a_card * taken.count(PLAY_BONUS),
        for_mad=-a_card * taken.count(PLAY_MAD),
        for_bid=unswept - won,
        points=current.points[side],
    )


def accounts_data(current: Round, rules: Rules) -> list[list[PartData]] | None:
    """By side, the parts of its points for a round; ``None`` until the round is over."""
    if current.points is None:
        return None
    return [account_of(current, rules, side).parts for side in range(len(current.points))]


def tell_account(account: Account) -> Reason:
    """The account as a sentence."""
    total = Reason("account.tricks", {"n": account.won})
    for code, amount, params in _told(account):
        sign = "plus" if amount >= 0 else "minus"
        part = Reason(code, {"points": abs(amount), **params})
        total = Reason(f"account.{sign}", {"before": total, "part": part})
    code = "account.met" if account.met else "account.missed"
    return Reason(code, {"sum": total, "points": account.points, "bid": account.bid})


def tell_accounts(current: Round, rules: Rules) -> Iterator[Reason]:
    """The accounts of all sides for a round that is over, each with the names of its players."""
    assert current.points is not None
    sides = len(current.points)
    for side in range(sides):
        seats = list(range(side, len(current.bids), sides))
        account = tell_account(account_of(current, rules, side))
        yield Reason("event.points.account", {"players": seats, "account": account})


def _told(account: Account) -> Iterator[tuple[str, int, dict[str, object]]]:
    """What is added to the tricks: the code of a part, its points, and what else it names."""
    named: dict[Kind, tuple[str, dict[str, object]]] = {
        "sweep": ("account.sweep", {}),
        "bonus": ("account.card", {"card": CARD_CODES[BONUS]}),
        "mad": ("account.card", {"card": CARD_CODES[MAD]}),
        "bid": ("account.bid", {"bid": account.bid}),
    }
    for part in account.parts[1:]:
        code, params = named[part["kind"]]
        yield code, part["n"], params
