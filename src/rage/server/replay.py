"""A finished game to step through: every moment with all hands, told in sentences.

The page draws it without knowing a rule. It takes a card out of the hand it was played from, and
everything else stands here: trump and led colour after each decision, what else could have been
played, who won a trick and why.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from rage.cards import CARD_CODES, LETTERS, PLAY_OUT, codes_of
from rage.deal import Deal
from rage.editions import name_of
from rage.game import Game
from rage.history import Move, Round, Turn
from rage.notation import Record, replay, write_link
from rage.rulings import ruling
from rage.say import Reason
from rage.server.messages import reason_data
from rage.story import tell_end, tell_play, tell_points, tell_turn
from rage.table.shapes import ReasonData


class Step(Struct, omit_defaults=True):
    """One decision, or the deal of a round, and how things stand after it.

    ``at`` is the moment as ``rage replay --stop`` writes it: ``7.2.1`` after the first card of
    the second trick of round 7, ``7.0.2`` after two bids, ``7.0.0`` as dealt. ``legal``: what the
    one to act may do now; ``turned``: the stock cards turned over; ``winner``: who has just won
    the trick; ``say``: what happened, and why, as reasons."""

    at: str
    say: list[ReasonData]
    seat: int | None = None
    move: str | None = None
    trump: str | None = None
    led: str | None = None
    to_act: int | None = None
    legal: str = ""
    turned: str = ""
    winner: int | None = None


class ReplayRound(Struct):
    """One round: its deal, its steps from the deal on, what it came to; ``scores`` after it."""

    number: int
    dealer: int
    hand_size: int
    hands: list[str]
    steps: list[Step]
    bids: list[int | None]
    won: list[int] | None
    points: list[int] | None
    scores: list[int]


class Replay(Struct):
    """A game whole. ``sides``: how many score (players, or teams; seat *s* is on side *s* mod
    ``sides``); ``link``: the fragment that ``rage convert`` reads again."""

    rules: str
    edition: str
    players: list[str]
    bots: list[str | None]
    sides: int
    scheduled: int
    rounds: list[ReplayRound]
    scores: list[int]
    winners: list[int] | None
    link: str


def replay_of(record: Record) -> Replay:
    """Every moment of a record. Raises :class:`rage.notation.BrokenRule` where it breaks a
    rule."""
    whole = replay(record)
    bots = record.extra.get("bots")
    return Replay(
        rules=name_of(record.rules),
        edition=record.rules.edition,
        players=list(whole.names),
        bots=bots if isinstance(bots, list) else [None] * whole.players,
        sides=whole.sides,
        scheduled=len(record.rules.schedule),
        rounds=_rounds(whole),
        scores=whole.scores,
        winners=whole.winners,
        link=write_link(record),
    )


def _rounds(whole: Game) -> list[ReplayRound]:
    """The rounds, played once more move by move."""
    again = Game(whole.rules, whole.names, deals=(), first_round=whole.first_round)
    found = []
    for each in whole.rounds:
        deal = each.deal
        assert deal is not None
        steps = list(_steps(again, deal, each.moves()))
        found.append(
            ReplayRound(
                number=each.number,
                dealer=each.dealer,
                hand_size=each.hand_size,
                hands=[codes_of(hand) for hand in deal.hands],
                steps=steps,
                bids=each.bids,
                won=each.won,
                points=each.points,
                scores=again.scores,
            )
        )
    return found


def _steps(game: Game, deal: Deal, moves: list[Move]) -> Iterator[Step]:
    """The deal and every decision of a round, made in ``game``."""
    game.deal(deal)
    current = game.rounds[-1]
    first = current.turns[0]
    params = {"round": current.number, "dealer": current.dealer, "n": current.hand_size}
    told = [Reason("event.deal", params), tell_turn(first)]
    yield _step(game, current, told, turned=codes_of(first.cards))
    for move in moves:
        seat, bidding, known = game.to_act, game.bidding, len(current.turns)
        trump = game.position.trump
        game.play(move)
        turns = current.turns[known:]
        if bidding:
            told = [Reason("event.bid", {"player": seat, "n": move.bid})]
        else:
            told = list(_told(game, current, turns, move, dropped=trump is not None))
        cards = " ".join(CARD_CODES[card] for turn in turns for card in turn.cards)
        yield _step(game, current, told, seat=seat, move=move, turned=cards)


def _told(
    game: Game, current: Round, turns: list[Turn], move: Move, *, dropped: bool
) -> Iterator[Reason]:
    """What a card has brought about; ``dropped``: there was a trump that an Out could end."""
    trick = current.tricks[-1]
    yield tell_play(trick, len(trick.moves) - 1, game.players)
    for turn in turns:
        if turn.cause != "after" and (move != PLAY_OUT or dropped):
            yield tell_turn(turn)
    if trick.winner is not None:
        yield ruling(current, len(current.tricks) - 1, game.rules.second_wild)
    yield from (tell_turn(turn) for turn in turns if turn.cause == "after")
    if current.points is not None:
        yield from tell_points(current)
    if game.winners is not None:
        yield tell_end(game.scores, game.winners, game.players)


def _step(
    game: Game,
    current: Round,
    told: list[Reason],
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
        say=[reason_data(each) for each in told],
        seat=seat,
        move=None if move is None else str(move),
        trump=_letter(_trump_after(game, current)),
        led=None if ended else _letter(game.position.led),
        to_act=None if ended else game.to_act,
        legal="" if ended else " ".join(map(str, game.legal_moves())),
        turned=turned,
        winner=trick.winner if trick else None,
    )


def _trump_after(game: Game, current: Round) -> int | None:
    """The trump in force; after the last trick of a round, the one by which it was judged."""
    return current.tricks[-1].trump if current.points is not None else game.position.trump


def _letter(colour: int | None) -> str | None:
    return None if colour is None else LETTERS[colour]
