"""The game at the table: opening it, starting, deals, decisions and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from rage.cards import CARD_CODES, LETTERS
from rage.deal import Dealer, NamedSeed, commitment
from rage.editions import name_of, ruleset
from rage.game import Game
from rage.history import Move, Round, Turn
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table import events as e
from rage.table.data import MAX_TEXT
from rage.table.guests import MAX_NAME, MAX_WORD, bot_name, clean, free_name
from rage.table.options import check_bot, check_options
from rage.table.state import Play, State

Facts = Iterator[e.Fact]
By = Literal["person", "bot", "claim"]
SEED_BYTES: Final = range(16, 65)
#: One that is no secret may be as short as people like, and as long as an event can hold.
NAMED_BYTES: Final = range(1, MAX_TEXT // 2 + 1)


def create(state: State, command: c.Create, actor: str | None, seed: bytes | None) -> Facts:
    """A table is opened."""
    if state.phase != "new":
        raise NotAllowed("table.open_already")
    if actor is None:
        raise NotAllowed("table.house")
    rules = ruleset(command.rules).for_players(command.players)
    options = check_options(command.options)
    name = clean(command.name, MAX_NAME)
    yield e.Created(name_of(rules), command.players, options)
    yield from _commit(1, seed)
    yield e.Joined(actor, name)
    yield e.HostPassed(actor)
    yield e.Sat(actor, 0)


def _commit(game: int, seed: bytes | None) -> Facts:
    """The commitment to a new seed, and the seed."""
    sizes = NAMED_BYTES if isinstance(seed, NamedSeed) else SEED_BYTES
    if seed is None or len(seed) not in sizes:
        raise NotReadable("table.seed", least=sizes.start, most=sizes.stop - 1)
    yield e.Committed(game, commitment(seed))
    yield e.Sealed(seed.hex())


def rematch(state: State, command: c.Rematch, actor: str | None, seed: bytes | None) -> Facts:
    """Another game with the same people, for which the deal moves on."""
    state.as_host(actor)
    state.in_phase("over")
    assert state.next_dealer is not None
    yield e.Rematched(state.next_dealer)
    yield from _commit(state.games + 1, seed)


def say_word(state: State, command: c.SayWord, actor: str | None) -> Facts:
    """A player adds to the shuffle, once the seed is committed to."""
    state.in_phase("gathering")
    yield e.WordSaid(state.own_seat(actor), clean(command.word, MAX_WORD))


def start(state: State, command: c.Start, actor: str | None) -> Facts:
    """The game begins; bots fill the empty seats."""
    state.as_host(actor)
    state.in_phase("gathering")
    rules = state.ruleset()
    bot = check_bot(command.bot)
    given = [free_name(state, name) for name in command.names]
    if len({name.casefold() for name in given}) < len(given):
        raise NotAllowed("table.name_taken", name=given[-1])
    names = list(state.names)
    for at, seat in enumerate(state.seats):
        if seat.empty:
            names[at] = given.pop(0) if given else bot_name(state, bot, at, names)
            yield e.BotSat(at, bot, names[at])
    words = tuple(seat.word for seat in state.seats)
    words = words if any(words) else ()
    first = state.next_dealer if state.next_dealer in range(len(names)) else None
    yield e.Started(tuple(names), words, first)
    dealer = Dealer(rules, len(names), bytes.fromhex(state.seed), words, first)
    yield deal_next(Game(rules, names, deals=()), dealer)


def pause(state: State, command: c.Pause, actor: str | None) -> Facts:
    """The host stops play."""
    person = state.as_host(actor)
    state.in_phase("playing")
    yield e.Paused(person)


def resume(state: State, command: c.Resume, actor: str | None) -> Facts:
    """The host lets play go on."""
    person = state.as_host(actor)
    state.in_phase("paused")
    yield e.Resumed(person)


def play(state: State, command: c.Play, actor: str | None) -> Facts:
    """A decision, by the person or the bot (for which the house speaks) whose it is."""
    state.in_phase("playing")
    under_way = state.require_play()
    game = under_way.game
    if actor is None:
        seat = game.to_act
        if seat is None or state.seats[seat].bot is None:
            raise NotAllowed("table.no_bot_to_act")
    else:
        seat = state.own_seat(actor)
        if state.seats[seat].bot is not None:
            raise NotAllowed("table.bot_plays")
    move = Move.parse(command.move)
    check_ply(state, command.ply, seat, move)
    if seat != game.to_act or not game.position.is_legal(move):
        reason = game.why_not(move, seat)
        assert reason is not None
        raise NotAllowed(reason.code, **reason.params)
    by: By = "person" if actor is not None else "bot"
    yield from decision(under_way, game.copy(), state.ply, move, by)


def check_ply(state: State, ply: int, seat: int, move: Move | None = None) -> None:
    """Raises :class:`rage.NotAllowed` unless ``ply`` numbers the decision that is due; what was
    sent twice is told from what came too late."""
    if ply < state.ply:
        made = state.require_play().trail
        twice = any(each.ply == ply and each[1:3] == (seat, move) for each in made)
        raise NotAllowed("table.doubled" if twice else "table.stale")
    if ply > state.ply:
        raise NotAllowed("table.early")


def decision(under_way: Play, game: Game, ply: int, move: Move, by: By) -> Facts:
    """One decision and all that follows, made in ``game``, which must be a copy."""
    current = game.rounds[-1]
    position = game.position
    seat, bidding, tricks, led = game.to_act, game.bidding, position.tricks, position.led
    assert seat is not None
    shown = () if led is None else position.voids[seat]
    known = len(current.turns)
    game.play(move)
    if bidding:
        yield e.Played(ply, seat, str(move), by, hidden=game.rules.bidding != "open")
    else:
        sets = _letter(position.led) if led is None else None
        void = led is not None and led not in shown and led in position.voids[seat]
        yield e.Played(ply, seat, str(move), by, led=sets, void=_letter(led) if void else None)
    if bidding and not game.bidding and game.rules.bidding == "hidden":
        yield e.BidsShown(_all(current.bids))
    for turn in current.turns[known:]:
        if turn.cause != "after":
            yield _trump_set(turn)
    if game.position.tricks == tricks:
        return
    winner = current.tricks[-1].winner
    assert winner is not None
    yield e.TrickWon(winner)
    for turn in current.turns[known:]:
        if turn.cause == "after":
            yield _trump_set(turn)
    if current.points is not None:
        yield from _round_over(under_way, game, current)


def _round_over(under_way: Play, game: Game, current: Round) -> Facts:
    """The points, and the next deal or the end."""
    assert current.won is not None
    assert current.points is not None
    if game.rules.bidding == "secret":
        yield e.BidsShown(_all(current.bids))
    yield e.RoundOver(tuple(current.won), tuple(current.points))
    if game.winners is None:
        yield deal_next(game, under_way.dealer)
    else:
        seed = under_way.dealer.seed.hex()
        yield e.GameOver(tuple(game.scores), tuple(game.winners), seed)


def deal_next(game: Game, dealer: Dealer) -> e.Dealt:
    """The next round, dealt in ``game``, which must be a copy."""
    deal = dealer.deal(len(game.rounds) + 1)
    game.deal(deal)
    turn = game.rounds[-1].turns[-1]
    return e.Dealt(
        game.rounds[-1].number,
        deal.dealer,
        tuple(codes(hand) for hand in deal.hands),
        codes(deal.stock),
        codes(turn.cards),
        _letter(turn.trump),
    )


def _trump_set(turn: Turn) -> e.TrumpSet:
    assert turn.cause != "deal"
    return e.TrumpSet(turn.cause, codes(turn.cards), _letter(turn.trump))


def codes(cards: Sequence[int]) -> str:
    """Card numbers as codes separated by single spaces."""
    return " ".join(CARD_CODES[card] for card in cards)


def _letter(colour: int | None) -> str | None:
    return None if colour is None else LETTERS[colour]


def _all(bids: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(bid for bid in bids if bid is not None)
