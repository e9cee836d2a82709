"""Replays a record: checks every move against the rules, and the results."""

from __future__ import annotations

from typing import Any

from rage.engine.kernel import Phase
from rage.game.game import Game
from rage.game.history import bidding_order, seat_after
from rage.notation.record import BrokenRule, NotARecord, Record, RoundRecord
from rage.rules.cards import MAX_BID
from rage.rules.number import as_int
from rage.rules.values import MOVE_OF, Move, letter_of
from rage.say import NotAllowed, RageError, Reason, check_kind, in_words, sentence

#: A moment of a game, as :meth:`rage.Game.at` takes it: a round by its number, then a trick and a
#: card, from 1; 0 is "before".
Moment = tuple[int, int, int]


def replay(record: Record, until: Moment | None = None) -> Game:
    """The game of a record, checked move by move; with ``until``, only up to that moment (a round,
    a trick and a card, as :meth:`rage.Game.at` takes them), without checking the results. Raises
    :class:`rage.NotAllowed` for a moment that the record does not have, :class:`BrokenRule` at the
    first break, and :class:`NotARecord` if a stock runs short."""
    check_kind(record, Record, "record")
    if until is not None:
        _check_moment(record, until)
    game = Game(record.rules, record.names, deals=(), first_round=record.first_round)
    for index, written in enumerate(record.rounds):
        number = record.first_round + index
        if until and number > until[0]:
            return game
        try:
            _replay_round(game, written, number, until if until and number == until[0] else None)
        except NotAllowed as error:
            if error.reason.code != "deal.stock_short":
                raise
            place = Reason("place.round", {"round": number})
            raise NotARecord("notation.stock_short", place=place) from None
        if until is None:
            _check_round(game, written, number)
    if until is None:
        _check_results(game, record)
    return game


def _check_moment(record: Record, until: Moment) -> None:
    """Raise :class:`rage.NotAllowed` for a moment that the record cannot have."""
    first, number = record.first_round, None
    if isinstance(until, tuple) and len(until) == 3 and None not in map(as_int, until):
        number, trick, card = until
        if first <= number < first + len(record.rounds):
            players = len(record.names)
            cards = range(players + 1) if trick else (0, players)  # before a trick, all have bid
            if 0 <= trick <= record.rules.schedule[number - 1] and card in cards:
                return
    raise NotAllowed("replay.no_moment", moment=in_words(until), first=first,
                     last=first + len(record.rounds) - 1)  # fmt: skip


def _replay_round(game: Game, written: RoundRecord, number: int, until: Moment | None) -> None:
    if game.rounds:
        due = seat_after(game.rounds[-1].dealer, 1, game.players)
        if written.deal.dealer != due:
            params = {"dealer": written.deal.dealer, "due": due}
            raise BrokenRule(_named(game, "deal.dealer", params), number)
    game.deal(written.deal)
    _replay_bids(game, written, number)
    for t, codes in enumerate(written.tricks, 1):
        for c, code in enumerate(codes, 1):
            if until and (t, c) > until[1:]:
                return
            _replay_card(game, code, number, t, c)


def _replay_bids(game: Game, written: RoundRecord, number: int) -> None:
    """Replay the bids, starting with eldest; none may follow a missing one."""
    order = bidding_order(written.deal.dealer, game.players)
    for i, seat in enumerate(order):
        bid = written.bids[seat]
        if bid is None:
            for later in order[i + 1 :]:
                if written.bids[later] is not None:
                    params = {"player": later, "due": seat}
                    raise BrokenRule(_named(game, "notation.bid_early", params), number)
            return
        if not 0 <= bid <= min(MAX_BID, game.position.hand_size):
            params = {"bid": bid, "most": game.position.hand_size}
            raise BrokenRule(Reason("refuse.bid_range", params), number)
        try:
            game.play(Move.bid(bid))
        except NotAllowed as error:
            raise BrokenRule(error.reason, number) from None


def _replay_card(game: Game, code: str, number: int, trick: int, card: int) -> None:
    seat = game.to_act
    if game.bidding:
        raise BrokenRule(Reason("notation.bids_missing"), number, trick, card)
    assert seat is not None
    if code not in MOVE_OF:
        why = Reason("notation.wild_needs_colour", {"card": "W"})
    else:
        refused = game.why_not(code)
        if refused is None:
            game.play(code)
            return
        why = refused
        if why.code == "refuse.follow_anytime":  # advice comes too late
            why = why.params["why"]
    params = {"player": seat, "card": code, "why": why}
    raise BrokenRule(_named(game, "notation.cannot_play", params), number, trick, card)


def _named(game: Game, code: str, params: dict[str, Any]) -> Reason:
    """A reason with the names of the players and the edition, for a reader who knows neither."""
    return Reason(code, {**params, "cast": game.names, "edition": game.rules.edition})


def _check_round(game: Game, written: RoundRecord, number: int) -> None:
    """Check that ``won`` and ``points`` are right, and given only for a finished round."""
    played = game.rounds[-1]
    for field in ("won", "points"):
        given, right = getattr(written, field), getattr(played, field)
        if given is None:
            continue
        if right is None:
            raise BrokenRule(Reason("notation.too_soon", {"field": field}), number)
        if given != list(right):
            params = {"field": field, "given": given, "right": list(right)}
            raise BrokenRule(Reason("notation.not_right", params), number)


def _check_results(game: Game, record: Record) -> None:
    """Check that ``scores`` and ``winners`` are right, and given only when they are known."""
    for field, given, right in (
        ("scores", record.scores, game.scores),
        ("winners", record.winners, game.winners),
    ):
        if given is None:
            continue
        if right is None:
            raise BrokenRule(Reason("notation.too_soon", {"field": field}), None)
        if given != right:
            params = {"field": field, "given": given, "right": right}
            raise BrokenRule(Reason("notation.not_right", params), None)


def failure(error: RageError, language: str = "en") -> dict[str, Any]:
    """The failed result for ``rage replay --json``; with the place, if a rule is broken."""
    failed = {"ok": False, "error": sentence(error.reason, language)}
    if isinstance(error, BrokenRule):
        failed |= {"round": error.round, "trick": error.trick, "card": error.card}
    return failed


def result(game: Game) -> dict[str, Any]:
    """The standing of a game, for ``rage replay --json``."""
    check_kind(game, Game, "game")
    position = game.position
    under_way = position.phase in (Phase.BIDDING, Phase.PLAYING)
    trump = game.trump if under_way else None
    over = [each for each in game.rounds if each.points is not None]
    return {
        "ok": True,
        "complete": game.over,
        "rounds": [
            {"won": list(each.won or ()), "points": list(each.points or ())} for each in over
        ],
        "scores": game.scores,
        "winners": game.winners,
        "trump": letter_of(trump),
        "to_act": game.to_act,
        "legal": sorted(str(move) for move in game.legal_moves),
    }
