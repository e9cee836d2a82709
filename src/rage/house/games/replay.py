"""A finished game to step through: every moment with all hands, explained in sentences.

The page draws it without knowing the rules. It removes each played card from its hand; everything
else is included: trump and led colour after each decision, what else could have been played, who
won a trick and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from rage.engine.deal import Deal
from rage.game.game import Game
from rage.game.history import Round
from rage.game.story import (
    is_told,
    tell_card,
    tell_deal,
    tell_end,
    tell_points,
    tell_trump_change,
)
from rage.house.limits import MAX_REMARK, MAX_REMARKS
from rage.notation import Occupants, Record, occupants_of, replay, write_link
from rage.rules.hands import Cards
from rage.rules.values import Colour, Move, letter_of
from rage.say import NotReadable, Reason, ReasonData
from rage.table.facts.shapes import HolderData
from rage.table.people.signs import read_sign
from rage.table.seen.records import holders_in

#: The notation of a moment.
MOMENT: Final = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}")


class Step(Struct, omit_defaults=True):
    """One decision, or the deal of a round, and the state after it.

    ``at`` is the moment as ``rage replay --stop`` writes it: ``7.2.1`` after the first card of the
    second trick of round 7, ``7.0.2`` after two bids, ``7.0.0`` as dealt. ``legal``: the legal
    moves of the seat to act; ``turned``: the stock cards turned over; ``sets_trump``: whether the
    trump was set, and ``trump_by`` which seat (``null``: it was turned up); ``winner``: the seat
    that has just won the trick; ``missed``: the sides that can no longer meet their bids from here
    on; ``keeps``: in a trick that makes a side miss, the moves that would have avoided it, had the
    others played the same cards; ``hides_bids``: whether each bid is known only to its bidder;
    ``say``: what happened, and why, as reasons."""

    at: str
    say: list[ReasonData]
    seat: int | None = None
    move: str | None = None
    trump: str | None = None
    led: str | None = None
    to_act: int | None = None
    legal: str = ""
    turned: str = ""
    sets_trump: bool = False
    trump_by: int | None = None
    winner: int | None = None
    missed: list[int] = []
    keeps: str = ""
    hides_bids: bool = False


class ReplayRound(Struct):
    """One round: who was dealt it, its steps from the deal on, its result; ``met``: the sides that
    met their bids, once it is over; ``scores`` after it."""

    number: int
    players: list[str]
    bots: list[str | None]
    dealer: int
    hand_size: int
    hands: list[str]
    steps: list[Step]
    bids: list[int | None]
    won: list[int] | None
    points: list[int] | None
    met: list[int] | None
    scores: list[int]


class Replay(Struct):
    """A whole game. ``holders``: by seat, who held it, in order; ``signs``: by seat, as chosen
    (``rage.table.people.signs``); ``sides``: the seats that score together; ``remarks``: by moment;
    ``link``: the fragment that ``rage convert`` reads again."""

    rules: str
    edition: str
    players: list[str]
    bots: list[str | None]
    holders: list[list[HolderData]]
    signs: list[str]
    sides: list[list[int]]
    scheduled: int
    rounds: list[ReplayRound]
    scores: list[int]
    winners: list[int] | None
    remarks: dict[str, str]
    link: str


def replay_of(record: Record, whole: Game | None = None) -> Replay:
    """Every moment of a record's game (``whole``, if already replayed). Raises
    :class:`rage.notation.BrokenRule` if it breaks a rule."""
    whole = whole or replay(record)
    bots = bots_of(record)
    return Replay(
        rules=record.rules.name,
        edition=record.rules.edition,
        players=list(whole.names),
        bots=bots,
        holders=holders_in(record),
        signs=_signs_of(record),
        sides=whole.side_seats,
        scheduled=len(record.rules.schedule),
        rounds=_rounds(whole, bots, occupants_of(record)),
        scores=whole.scores,
        winners=whole.winners,
        remarks=remarks_of(record),
        link=write_link(record),
    )


def bots_of(record: Record) -> list[str | None]:
    """The bots of a record by seat; that field is not validated, so it may hold anything."""
    written, players = record.extra.get("bots"), len(record.names)
    bots = written if isinstance(written, list) and len(written) == players else [None] * players
    return [bot if isinstance(bot, str) else None for bot in bots]


def _signs_of(record: Record) -> list[str]:
    """The signs of a record by seat; empty if that field, which is not validated, is malformed."""
    written, players = record.extra.get("signs"), len(record.names)
    try:
        signs = [read_sign(each) for each in written] if isinstance(written, list) else []
    except (NotReadable, TypeError):
        signs = []
    return signs if len(signs) == players else [""] * players


def remarks_of(record: Record) -> dict[str, str]:
    """The valid remarks of a record, by moment."""
    written = record.extra.get("remarks")
    found = {
        at: normalize("NFC", text.strip())[:MAX_REMARK]
        for at, text in (written if isinstance(written, dict) else {}).items()
        if MOMENT.fullmatch(at) and isinstance(text, str) and text.strip()
    }
    return dict(list(found.items())[:MAX_REMARKS])


def _rounds(
    whole: Game, bots: list[str | None], earlier: dict[int, Occupants]
) -> list[ReplayRound]:
    """The rounds, replayed move by move."""
    again = Game(whole.rules, whole.names, deals=(), first_round=whole.first_round)
    found = []
    for each in whole.rounds:
        deal = each.deal
        assert deal is not None
        steps = list(_steps(again, deal, each))
        occupants = earlier.get(each.number)
        found.append(
            ReplayRound(
                number=each.number,
                players=occupants.players if occupants else list(whole.names),
                bots=occupants.bots if occupants else bots,
                dealer=each.dealer,
                hand_size=each.hand_size,
                hands=[str(hand) for hand in deal.hands],
                steps=steps,
                bids=list(each.bids),
                won=None if each.won is None else list(each.won),
                points=None if each.points is None else list(each.points),
                met=each.met,
                scores=again.scores,
            )
        )
    return found


def _missed(whole: Round, sides: list[list[int]]) -> dict[int, list[int]]:
    """By trick, from 0, the sides that could no longer meet their bids once it was won. Empty for a
    round that is not over, whose bids might still be hidden."""
    met = whole.met
    if met is None:
        return {}
    found: dict[int, list[int]] = {}
    for side, seats in enumerate(sides):
        if side in met:
            continue
        need = sum(whole.bids[seat] or 0 for seat in seats)
        for at, trick in enumerate(whole.tricks):
            need -= trick.winner in seats
            if not 0 <= need < len(whole.tricks) - at:
                found.setdefault(at, []).append(side)
                break
    return found


def _kept(game: Game, moves: Sequence[Move]) -> str:
    """The moves with which the side to act could still have met its bid, had the others played the
    same cards. ``moves``: the rest of the trick."""
    seat = game.to_act
    assert seat is not None
    move, *others = moves
    return " ".join(
        str(each)
        for each in game.legal_moves
        if each != move and _keeps(game, [each, *others], game.side_of(seat))
    )


def _keeps(game: Game, moves: Sequence[Move], side: int) -> bool:
    """Return whether a side can still meet its bid after these moves, which end a trick; false if
    one of them is illegal."""
    position = game.position
    met, rounds, size = position.met[side], position.round, position.hand_size
    for move in moves:
        if not position.is_legal(move.number):
            return False
        position.play(move.number)
    if position.round > rounds:
        return position.met[side] > met
    need = sum((position.bids[seat] or 0) - position.won[seat] for seat in game.side_seats[side])
    return 0 <= need <= size - position.tricks


def _steps(game: Game, deal: Deal, whole: Round) -> Iterator[Step]:
    """The deal and every decision of a round, made in ``game``."""
    missed = _missed(whole, game.side_seats)
    game.deal(deal)
    current = game.rounds[-1]
    first = current.trump_changes[0]
    said = [tell_deal(current), tell_trump_change(first)]
    dealt = _step(game, current, said, turned=str(first.cards))
    dealt.sets_trump = True
    yield dealt
    for at, move in enumerate(whole.moves):
        seat, bidding, known = game.to_act, game.bidding, len(current.trump_changes)
        before, keeps = game.trump, ""
        trick, place = divmod(at - game.players, game.players)
        if seat is not None and game.side_of(seat) in missed.get(trick, ()):
            keeps = _kept(game, whole.moves[at : at + game.players - place])
        game.play(move)
        current = game.rounds[-1]
        changes = current.trump_changes[known:]
        if bidding:
            said = [Reason("event.bid", {"player": seat, "n": move.tricks})]
        else:
            said = list(_consequences(game, current))
        cards = str(Cards(card for change in changes for card in change.cards))
        step = _step(game, current, said, seat=seat, move=move, turned=cards)
        if told := [change for change in changes if is_told(change, before)]:
            step.sets_trump, step.trump_by = True, told[-1].seat
        if step.winner is not None:
            step.missed = missed.get(trick, [])
        step.keeps = keeps
        yield step


def _consequences(game: Game, current: Round) -> Iterator[Reason]:
    """The card played last, and everything that followed from it."""
    trick = current.tricks[-1]
    yield from tell_card(current, len(current.tricks) - 1, len(trick.moves) - 1, game.rules)
    if current.points is not None:
        yield from tell_points(current)
    if game.winners is not None:
        yield tell_end(game.scores, game.winners, game.players)


def _step(
    game: Game,
    current: Round,
    said: list[Reason],
    *,
    seat: int | None = None,
    move: Move | None = None,
    turned: str = "",
) -> Step:
    bids = sum(bid is not None for bid in current.bids)
    trick = current.tricks[-1] if current.tricks else None
    place = (len(current.tricks), len(trick.moves)) if trick else (0, bids)
    ended = current.points is not None
    return Step(
        at=".".join(map(str, (current.number, *place))),
        say=[each.as_data() for each in said],
        seat=seat,
        move=None if move is None else str(move),
        trump=letter_of(_trump_after(game, current)),
        led=None if ended else letter_of(game.led),
        to_act=None if ended else game.to_act,
        legal="" if ended else " ".join(map(str, game.legal_moves)),
        turned=turned,
        winner=trick.winner if trick else None,
        hides_bids=game.position.hides_bids,
    )


def _trump_after(game: Game, current: Round) -> Colour | None:
    """The trump in force; after the last trick of a round, the trump when it was judged."""
    return current.tricks[-1].trump if current.points is not None else game.trump
