"""The game at the table: opening the table, deals, decisions and their consequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from rage.engine.deal import Deals, GivenSeed, NamedSeed, commitment
from rage.engine.kernel import Happened, Phase
from rage.engine.position import Position
from rage.game.account import accounts_data
from rage.game.game import Game
from rage.game.history import Round, TrumpChange, bidding_order, seat_after
from rage.game.rulings import ruling_data
from rage.rules.cards import LETTERS, MOVE_CODES
from rage.rules.editions import ruleset
from rage.rules.values import Move, letter_of
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.options import check_options
from rage.table.parts import By, SealedBid
from rage.table.people.names import read_name
from rage.table.people.signs import read_sign
from rage.table.play.sealing import game_for
from rage.table.schema import MAX_TEXT
from rage.table.state import State

Facts = Iterator[e.Fact]
SEED_BYTES: Final = range(16, 65)
#: A seed that is not secret may be as long as an event allows.
NAMED_SEED_BYTES: Final = range(1, MAX_TEXT // 2 + 1)
#: The facts that may follow from a decision, as long as the round is the same.
_OF_DECISIONS: Final = (e.Played, e.BidsShown, e.TrumpSet, e.TrickWon, e.RoundOver)


def create(state: State, command: c.Create, actor: str | None, seed: bytes | None) -> Facts:
    """Open a table; the sender becomes its host in seat 0."""
    if state.phase != "new":
        raise NotAllowed("table.open_already")
    if actor is None:
        raise NotAllowed("table.house")
    rules = ruleset(command.rules).for_players(command.players)
    options = check_options(command.options)
    name, sign = read_name(command.name), read_sign(command.sign)
    yield e.Created(rules.name, command.players, options)
    yield from _commit(1, seed)
    yield e.Joined(actor, name, sign=sign)
    yield e.HostPassed(actor)
    yield e.Sat(actor, 0)


def _commit(game: int, seed: bytes | None) -> Facts:
    """The commitment to a new seed, and the seed. Raises :class:`rage.NotReadable` if it is
    missing, too short or too long."""
    sizes = NAMED_SEED_BYTES if isinstance(seed, NamedSeed) else SEED_BYTES
    if seed is None or len(seed) not in sizes:
        raise NotReadable("table.seed", least=sizes.start, most=sizes.stop - 1)
    if isinstance(seed, GivenSeed):
        yield e.SeedCommitted(game, commitment(seed), seed.deals_id)
        yield e.SeedStored(seed.hex(), seed.words, seed.dealer, seed.moves)
    else:
        yield e.SeedCommitted(game, commitment(seed))
        yield e.SeedStored(seed.hex())


def rematch(state: State, command: c.Rematch, actor: str | None, seed: bytes | None) -> Facts:
    """Start another game with the same people; the next seat deals (host)."""
    state.require_host(actor)
    state.require_phase("over")
    state.check_not_ranked()
    assert state.next_dealer is not None
    yield e.Rematched(state.next_dealer)
    yield from _commit(state.games + 1, seed)


def go_on(state: State, command: c.GoOn, actor: str | None, seed: bytes | None) -> Facts:
    """Let the table go on without lost events (host or house): with a new game, if the seed of this
    one is public."""
    if not state.gap:
        raise NotAllowed("table.no_gap")
    if actor is not None:
        state.require_host(actor)
    yield e.SetBack(state.gap)
    if state.seed_is_public:
        dealer = state.next_dealer or 0
        if state.play is not None:
            dealer = seat_after(state.play.game.rounds[-1].dealer, 1, len(state.seats))
        yield e.Rematched(dealer)
        yield from _commit(state.last_over + 1, seed)


def pause(state: State, command: c.Pause, actor: str | None) -> Facts:
    """Stop play until it is resumed (host)."""
    person = state.require_host(actor)
    state.require_phase("playing")
    yield e.Paused(person)


def resume(state: State, command: c.Resume, actor: str | None) -> Facts:
    """Continue a game that is paused (host)."""
    person = state.require_host(actor)
    state.require_phase("paused")
    yield e.Resumed(person)


def play(state: State, command: c.Play, actor: str | None) -> Facts:
    """Make a decision: by the person whose turn it is, or by the house for a bot."""
    move = Move(command.move)
    by_seat = state.to_act if actor is None else state.seat_of(actor)
    if _was_made(state, command.ply, by_seat, move):
        raise NotAllowed("table.doubled")
    state.require_phase("playing")
    sealing = state.sealing
    if actor is None:
        seat = _seat_due(state, command.ply) if sealing else state.to_act
        if seat is None or state.seats[seat].bot is None:
            raise NotAllowed("table.no_bot_to_act")
    else:
        seat = state.require_seat(actor) if by_seat is None else by_seat
        if state.seats[seat].bot is not None:
            raise NotAllowed("table.bot_plays")
    state.check_ply(command.ply, seat if sealing else None)
    if seat in state.sealed:
        raise NotAllowed("table.stale")
    game = game_for(state, seat)
    before = game.position
    if seat != before.to_act or not before.is_legal(move.number):
        reason = game.why_not(move, seat)
        assert reason is not None
        raise NotAllowed(reason.code, **reason.params)
    by: Literal["person", "bot"] = "person" if actor is not None else "bot"
    if sealing:
        yield from _seal(state, seat, move, by)
        return
    after = game.position
    happened = after.play(move.number)
    if not happened or (happened == Happened.BID and before.hides_bids == after.hides_bids):
        # Most moves have no consequences, so no copy of the whole game is needed.
        yield _played(before, after, state.ply, move, by)
    else:
        dealer = state.require_play().dealer
        yield from decision(state, game.copy(), dealer, state.ply, move, by)


def _was_made(state: State, ply: int, seat: int | None, move: Move) -> bool:
    """Return whether a seat has already made this decision, and it was not taken back: it might be
    sent again long after it was accepted, even when the round or the game is over."""
    if ply >= state.ply:
        sealed = None if seat is None else state.sealed.get(seat)
        return sealed is not None and sealed.move == move and ply == state.ply_of(seat or 0)
    trail = () if state.play is None else state.play.trail
    return any(each[:3] == (ply, seat, move) for each in (*state.last_trick, *trail))


def _seat_due(state: State, ply: int) -> int | None:
    """While bids are sealed, the seat whose decision has this number."""
    return next((seat for seat in state.bidders if state.ply_of(seat) == ply), state.to_act)


def _seal(state: State, seat: int, move: Move, by: Literal["person", "bot"]) -> Facts:
    """Seal a bid where all bid at once; with the last one, the game receives them all, in its
    order."""
    bids = {**state.sealed, seat: SealedBid(move, by)}
    if len(bids) < len(state.bidders):
        yield e.BidSealed(seat, str(move), by)
        return
    play = state.require_play()
    game = play.game.copy()
    for ply, each in enumerate(state.bidders, state.ply):
        yield from decision(state, game, play.dealer, ply, bids[each].move, bids[each].by)


def retrace(state: State, game: Game, dealer: Deals) -> Facts:
    """Make the first moves of a game that continues from a moment of an earlier one, in ``game``,
    whose first round has been dealt."""
    ply = state.ply
    for number, moves in enumerate(state.given_moves, 1):
        if number > len(game.rounds):
            yield deal_next(game, dealer)
        for move in moves.split():
            assert game.to_act is not None
            by: By = "bot" if state.seats[game.to_act].person is None else "person"
            yield from decision(state, game, dealer, ply, Move(move), by)
            ply += 1


def decision(state: State, game: Game, dealer: Deals, ply: int, move: Move, by: By) -> Facts:
    """Make one decision, with its consequences, in ``game``, which must be a copy; ``dealer`` deals
    the next round."""
    before, known = game.position, len(game.trump_changes)
    game.play(move)
    position, changes = game.position, game.trump_changes[known:]
    yield _played(before, position, ply, move, by)
    reveals = before.hides_bids and not position.hides_bids
    if before.phase == Phase.BIDDING and reveals:
        yield e.BidsShown(_all(game.bids))
    for change in changes:
        if change.cause != "after":
            yield _trump_set(change)
    if position.tricks == before.tricks:
        return
    assert position.leader is not None
    current = game.rounds[-1]
    yield e.TrickWon(position.leader, ruling_data(current, before.tricks, game.rules.second_wild))
    for change in changes:
        if change.cause == "after":
            yield _trump_set(change)
    if not game.under_way:
        if reveals:
            yield e.BidsShown(_all(current.bids))
        yield from _round_over(state, game, dealer, current)


def is_complete(state: State, last: e.Fact) -> bool:
    """Return whether no more has to follow from decisions that were made together, of which
    ``last`` may be a fact."""
    if not isinstance(last, (*_OF_DECISIONS, e.Dealt)):
        return True
    if state.ply < sum(len(moves.split()) for moves in state.given_moves):
        return False  # being retraced
    if isinstance(last, e.Dealt):
        return True
    play = state.require_play()
    made = play.trail[-1]
    if state.sealing or (made.by == "claim" and play.game.under_way):
        return False
    game = play.game.copy()
    game.undo()
    *_, end = decision(state, game, play.dealer, made.ply, made.move, made.by)
    return _kind(end) == _kind(last)


def _kind(fact: e.Fact) -> tuple[type, str]:
    """The type of a fact, and the cause of a change of trump, as there may be several."""
    return type(fact), fact.cause if isinstance(fact, e.TrumpSet) else ""


def _played(before: Position, after: Position, ply: int, move: Move, by: By) -> e.Played:
    """The fact of a move, from the positions before and after it."""
    seat, led, code = before.to_act, before.led, MOVE_CODES[move.number]
    assert seat is not None
    if before.phase == Phase.BIDDING:
        last = after.phase != Phase.BIDDING
        return e.Played(ply, seat, code, by, hidden=before.hides_bids, last=last)
    if led is None:
        return e.Played(ply, seat, code, by, led=_letter(after.led))
    void = after.is_void(seat, led) and not before.is_void(seat, led)
    return e.Played(ply, seat, code, by, void=_letter(led) if void else None)


def _letter(colour: int | None) -> str | None:
    return None if colour is None else LETTERS[colour]


def _round_over(state: State, game: Game, dealer: Deals, current: Round) -> Facts:
    """The points of a round, and the end of the game or the next deal, unless the deal waits."""
    assert current.won is not None
    assert current.points is not None
    met, accounts = current.met or (), accounts_data(current, game.position.rules) or ()
    yield e.RoundOver(
        tuple(current.won), tuple(current.points), met=tuple(met), accounts=tuple(accounts)
    )
    if game.winners is None:
        for person, guest in state.guests.items():
            if guest.wants is not None and guest.wants_since < current.number:
                yield e.SeatRequested(person)
    if game.winners is None:
        if state.options.between == 0 or not any(seat.self_played for seat in state.seats):
            yield deal_next(game, dealer)
    else:
        seed = dealer.seed.hex() if state.event is None else ""  # others still play these deals
        yield e.GameOver(tuple(game.scores), tuple(game.winners), seed)


def deal_next(game: Game, dealer: Deals) -> e.Dealt:
    """Deal the next round in ``game``, which must be a copy."""
    deal = dealer.deal(len(game.rounds) + 1)
    game.deal(deal)
    change = game.rounds[-1].trump_changes[-1]
    return e.Dealt(
        round=game.rounds[-1].number,
        dealer=deal.dealer,
        hands=tuple(map(str, deal.hands)),
        stock=str(deal.stock),
        turned=str(change.cards),
        trump=letter_of(change.trump),
        order=tuple(bidding_order(deal.dealer, game.players)),
    )


def _trump_set(change: TrumpChange) -> e.TrumpSet:
    assert change.cause != "deal"
    return e.TrumpSet(change.cause, str(change.cards), letter_of(change.trump), change.seat)


def _all(bids: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(bid for bid in bids if bid is not None)
