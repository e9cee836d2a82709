"""The lessons of the bidding: what a bid is, a fair one, and how the last one went."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rage.bots.learned import usable_network
from rage.bots.steady import best_move_of
from rage.coach.hints import Hint, Lesson, of_team, side_of
from rage.game.account import account_of
from rage.game.view import View
from rage.rules.cards import BID
from rage.rules.hands import Hand
from rage.rules.values import Card, Colour, Move
from rage.say import Reason

#: The lowest ranks of a strong trump, and of a strong card of any other colour.
_STRONG_TRUMP: Final = 9
_STRONG: Final = 13


def fair(view: View, code: str, **params: object) -> Hint:
    """A hint that ends with a fair bid, if one is known."""
    bid = _fair_bid(view)
    strong = Hand(card for card in view.hand if _is_strong(card, view.trump))
    said = Reason("coach.strong.none")
    if strong:
        said = Reason("coach.strong", {"cards": str(strong), "n": len(strong)})
    next_bid = said
    if bid is not None:
        tail = "coach.missed.next" if code == "coach.missed" else "coach.fair"
        next_bid = Reason(tail, {"strong": said, "fair": bid})
    if code == "coach.fair":
        return Hint(None, next_bid, str(strong), (), bid)
    reason = Reason(code, {**params, "strong": said, "fair": bid, "next": next_bid})
    return Hint(None, reason, str(strong), (), bid)


def _fair_bid(view: View) -> int | None:
    """The bid that the bot `steady` would make. With two players that is too low, so it is the bid
    that the network values most; ``None`` if it has not learned the round."""
    if view.players > 2:
        return best_move_of(view.position) - BID
    net = usable_network(view)
    return None if net is None else net.best_move(view.position) - BID


def _is_strong(card: Card, trump: Colour | None) -> bool:
    if card.rank is None:
        return card is Card.WILD
    return card.rank >= (_STRONG_TRUMP if card.colour is trump else _STRONG)


def _first_bid(view: View) -> Hint:
    return fair(view, "coach.bid", n=view.position.hand_size, exact=view.rules.exact)


def _missed(view: View) -> Hint | None:
    """The first bid that was missed, and what that cost."""
    return _last_round(view, met=False)


def _met(view: View) -> Hint | None:
    return _last_round(view, met=True)


def _last_round(view: View, *, met: bool) -> Hint | None:
    """A hint about the bid of the last round, if it was met or missed, as ``met`` says."""
    if len(view.rounds) < 2:
        return None
    account = account_of(view.rounds[-2], view.position.rules, side_of(view))
    if account.met != met:
        return None
    met_bid = view.position.rules.points(view.rounds[-2].hand_size, account.won, account.won, 0)
    better = met_bid + account.for_bonus + account.for_mad
    params = {
        "bid": account.bid,
        "won": account.won,
        "points": account.points,
        "better": better,
        "extra": account.for_bid,
    }
    if met:
        if account.for_bid > account.points:  # a Mad card took more than the tricks brought
            return None
        return Hint(None, Reason(f"coach.met{of_team(view)}", params))
    return fair(view, f"coach.missed{of_team(view)}", **params)


def _hidden(view: View) -> Hint | None:
    return fair(view, "coach.hidden") if view.rules.bidding == "hidden" else None


def _secret(view: View) -> Hint | None:
    return fair(view, "coach.secret") if view.rules.bidding == "secret" else None


def _with_team(view: View) -> Hint | None:
    """The bids of a team are added up."""
    mates = tuple(seat for seat in view.side_seats[side_of(view)] if seat != view.seat)
    if not mates:
        return None
    return fair(view, "coach.team", players=list(mates))._replace(seats=mates)


def _two(view: View) -> Hint | None:
    return fair(view, "coach.two") if view.players == 2 else None


def _forbidden(view: View) -> Hint | None:
    """The bid that is forbidden to the last bidder."""
    legal = view.legal_moves
    for bid in range(view.position.hand_size + 1):
        if Move.bid(bid) not in legal:
            tricks = view.position.hand_size
            return fair(view, "coach.forbidden", bid=bid, tricks=tricks)
    return None


#: By topic, in order of preference.
BIDDING: Final[Mapping[str, Lesson]] = {
    "bid": _first_bid,
    "forbidden": _forbidden,
    "missed": _missed,
    "met": _met,
    "hidden": _hidden,
    "secret": _secret,
    "team": _with_team,
    "two": _two,
}
