"""The lessons of the play: following, trump, the action cards, and what the bid still asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rage.bots.rollouts import Rollouts
from rage.bots.steady import best_move_of
from rage.coach.hints import Hint, Lesson, of_team, side_of
from rage.engine.kernel import COMPILED
from rage.game.history import seat_after
from rage.game.rulings import example_move, sets_led
from rage.game.view import View
from rage.rules.hands import Hand
from rage.rules.values import MOVES, Card, Move
from rage.say import Reason

#: The number of worlds in which a trick that costs points is judged.
WORLDS: Final = 32 if COMPILED else 4


def _followers(view: View) -> Hand:
    """The cards of the hand that follow the led colour."""
    return view.hand.of(view.led)


def _follow(view: View) -> Hint | None:
    """The led colour must be followed, so some cards of the hand cannot be played."""
    refused = _refused(view)
    if refused is None:
        return None
    aim = _aim(view)
    reason = refused if aim is None else Reason("coach.follow", {"why": refused, "aim": aim})
    return Hint(None, reason, str(_followers(view)))


def _refused(view: View) -> Reason | None:
    """Why a card of the hand cannot be played, if the led colour must be followed; ``None`` if no
    card is refused for that reason."""
    for card in view.hand:
        reason = view.why_not(example_move(card, view.rules, view.trump))
        if reason is not None and reason.code.startswith("refuse.follow"):
            params = {name: value for name, value in reason.params.items() if name != "card"}
            return Reason(reason.code, params)
    return None


def _void(view: View) -> Hint | None:
    """The hand has nothing of the led colour."""
    if view.led is None or _followers(view):
        return None
    params = {"colour": view.led.letter}
    trumps, split = view.hand.of(view.trump), _split(view)
    if not trumps or view.trump is None or split is None:
        return Hint(None, Reason("coach.void", params))
    others = Hand(card for card in view.hand if card.rank is not None and card not in trumps)
    winning = Hand(card for card in trumps if _would_win(view, Move(card)))
    avoids = _need(view) == 0
    if winning and (others or not avoids):
        reason = Reason(
            "coach.void.other" if avoids else "coach.void.trump",
            {**params, "trump": view.trump.letter},
        )
        return Hint(None, reason, str(others if avoids else _winning(view, str(winning))))
    said, cards = split
    both = {"first": Reason("coach.void", params), "second": said}
    return Hint(None, Reason("coach.both", both), cards)


def _lead(view: View) -> Hint | None:
    """The first card of a trick."""
    if view.ahead is not None:
        return None
    if view.trump is None:
        return Hint(None, Reason("coach.lead.no_trump"))
    return Hint(None, Reason("coach.lead", {"trump": view.trump.letter}))


def _change_seen(view: View) -> Hint | None:
    last = view.rounds[-1].trump_changes[-1]
    if last.cause != "change" or last.trump is None or last.seat is None:
        return None
    params = {"by": last.seat, "change": str(Card.CHANGE), "colour": last.trump.letter}
    return Hint(None, Reason("coach.change_seen", params), seats=(last.seat,))


def _out_seen(view: View) -> Hint | None:
    last = view.rounds[-1].trump_changes[-1]
    if last.cause != "out" or last.seat is None:
        return None
    params = {"by": last.seat, "out": str(Card.OUT)}
    return Hint(None, Reason(f"coach.out_seen.{view.rules.out}", params), seats=(last.seat,))


def _no_trump(view: View) -> Hint | None:
    return Hint(None, Reason("coach.no_trump")) if view.trump is None else None


def _in_trick(view: View) -> Iterator[tuple[int, Move]]:
    """The cards of the trick under way: the seat, and the move."""
    trick = view.trick
    for at, move in enumerate(trick.moves if trick else ()):
        yield seat_after(trick.leader if trick else 0, at, view.players), move


def _wild_seen(view: View) -> Hint | None:
    for seat, move in _in_trick(view):
        if move.card is Card.WILD:
            params = {"by": seat, "card": str(move), "colour": str(move.colour)}
            return Hint(None, Reason("coach.wild_seen", params), seats=(seat,))
    return None


def _bonus_seen(view: View) -> Hint | None:
    return _points_seen(view, Card.BONUS, "coach.bonus_seen")


def _mad_seen(view: View) -> Hint | None:
    return _points_seen(view, Card.MAD, "coach.mad_seen")


def _points_seen(view: View, wanted: Card, code: str) -> Hint | None:
    for seat, move in _in_trick(view):
        if move.card is wanted:
            return Hint(None, Reason(code, {"card": str(wanted)}), seats=(seat,))
    return None


def _held(card: Card, code: str, setting: str | None = None) -> Lesson:
    """A lesson about an action card of the hand that may be played now; it may depend on a
    ``setting`` of the rules."""

    def lesson(view: View) -> Hint | None:
        if not any(move.card is card for move in view.legal_moves):
            return None
        if card is Card.BONUS and _need(view) == 0:  # it needs a trick won, and none is wanted
            return None
        which = code if setting is None else f"{code}.{getattr(view.rules, setting)}"
        return Hint(None, Reason(which, {"card": str(card)}))

    return lesson


def reminder(view: View) -> Hint | None:
    """What the bid still asks for, and which card would win the trick as it stands."""
    aim, split = _aim(view), _split(view)
    if split is None:
        return None if aim is None else Hint(None, aim)
    said, cards = split
    if aim is None:
        return Hint(None, said, cards)
    return Hint(None, Reason("coach.both", {"first": aim, "second": said}), cards)


def _known_bid(view: View) -> int | None:
    """The bid of the reader's side; ``None`` unless all bids of the team are shown."""
    bids = [view.bids[seat] for seat in view.side_seats[side_of(view)]]
    known = [bid for bid in bids if bid is not None]
    return sum(known) if len(known) == len(bids) else None


def _won(view: View) -> int:
    """The tricks that the reader's side has won."""
    return sum(view.won[seat] for seat in view.side_seats[side_of(view)])


def _need(view: View) -> int | None:
    """How many more tricks the bid asks for, if it is known."""
    bid = _known_bid(view)
    return None if bid is None else bid - _won(view)


def _aim(view: View) -> Reason | None:
    """How many more tricks the bid asks for, out of how many; ``None`` if the bid is not known."""
    bid, won = _known_bid(view), _won(view)
    if bid is None:
        return None
    left = view.position.hand_size - view.position.tricks
    need = bid - won
    if need < 0:
        which = "over"
    elif need == 0:
        which = "none" if bid else "zero"
    elif need < left:
        which = "more"
    else:
        which = "all" if need == left else "short"
    params = {"bid": bid, "won": won, "need": need, "left": left}
    return Reason(f"coach.aim.{which}{of_team(view)}", params)


def of_inherited(reason: Reason) -> Reason:
    """A reason for a player whose bid someone else made."""
    code = reason.code
    if code.startswith("coach.aim.") and not code.endswith(".team"):
        code = "coach.aim.inherited"
    params = {
        name: of_inherited(value) if isinstance(value, Reason) else value
        for name, value in reason.params.items()
    }
    return Reason(code, params)


def _split(view: View) -> tuple[Reason, str] | None:
    """Which coloured cards would win the trick as it stands: all of them, none, or, if both can be
    played, the lowest that would and the highest that would not; and the cards that serve the bid.
    ``None`` when leading, or without a coloured card to play. If `steady` would play one of them,
    that one is named."""
    if not any(sets_led(move) for _, move in _in_trick(view)):
        return None
    wins, loses = list[Move](), list[Move]()
    for move in view.legal_moves:
        if move.rank is not None:
            (wins if _would_win(view, move) else loses).append(move)
    if not wins and not loses:
        return None
    need, best = _need(view), _best(view)
    lowest, highest = min(wins, key=_rank, default=None), max(loses, key=_rank, default=None)
    if lowest is not None and highest is not None:
        win, lose = best if best in wins else lowest, best if best in loses else highest
        serves = [win, lose] if need is None else [best] if best in (win, lose) else []
        reason = Reason("coach.split", {"win": str(win), "lose": str(lose)})
        return reason, " ".join(map(str, serves))
    if need == 0:
        return _unwanted(view, wins, highest)
    cards = _winning(view, " ".join(map(str, wins)))
    return Reason("coach.split.win" if wins else "coach.split.lose"), cards


def _unwanted(view: View, wins: list[Move], highest: Move | None) -> tuple[Reason, str]:
    """For an unwanted trick: the card to get rid of or, if all cards would win, the easiest one to
    beat."""
    if highest is not None:
        return Reason("coach.split.lose.spare", {"card": str(highest)}), str(highest)
    last = len(list(_in_trick(view))) == view.players - 1
    if last or len(wins) == 1:
        return Reason("coach.split.win.still"), ""
    lowest = str(min(wins, key=_rank))
    return Reason("coach.split.win.lowest", {"card": lowest}), _winning(view, lowest)


def _best(view: View) -> Move:
    """The move that the bot `steady` would make; but if that wins a trick that costs points, and
    others would not win it, the best of them all in some worlds."""
    best = MOVES[best_move_of(view.position)]
    cards = [*(move.card for _, move in _in_trick(view)), best.card]
    others = [move.number for move in view.legal_moves if not _would_win(view, move)]
    if cards.count(Card.MAD) <= cards.count(Card.BONUS) or best.number in others or not others:
        return best
    search = Rollouts(view.position, 0)
    tried = [best.number, *others]
    search.keep(tried)
    search.run(WORLDS)
    values = dict(search.values)
    return MOVES[max(tried, key=lambda move: values[move])]


def _winning(view: View, cards: str) -> str:
    """Winning cards to highlight: none if the best move is not among them."""
    return cards if str(_best(view)) in cards.split() else ""


def _rank(move: Move) -> int:
    return move.rank or 0


def _would_win(view: View, move: Move) -> bool:
    """Whether a coloured card would win the trick if no better one followed."""
    tried = view.position
    tricks = tried.tricks
    tried.play(move.number)
    ahead = tried.leader if tried.tricks > tricks else tried.ahead
    return ahead == view.seat


#: By topic, in order of preference.
PLAYING: Final[Mapping[str, Lesson]] = {
    "follow": _follow,
    "lead": _lead,
    "void": _void,
    "change_seen": _change_seen,
    "out_seen": _out_seen,
    "wild_seen": _wild_seen,
    "bonus_seen": _bonus_seen,
    "mad_seen": _mad_seen,
    "wild_held": _held(Card.WILD, "coach.wild_held"),
    "change_held": _held(Card.CHANGE, "coach.change_held", "change"),
    "out_held": _held(Card.OUT, "coach.out_held", "out"),
    "bonus_held": _held(Card.BONUS, "coach.bonus_held"),
    "mad_held": _held(Card.MAD, "coach.mad_held"),
    "no_trump": _no_trump,
}
