"""How a game starts: players commit to words, the host starts, the words are revealed, and the
first round is dealt. A word that is not revealed in time is left out, as everyone can see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rage.engine.deal import Deals, word_commitment
from rage.game.game import Game
from rage.say import NotAllowed, NotReadable
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.options import check_bot
from rage.table.parts import withheld_in
from rage.table.people.guests import bot_name, check_distinguishable, is_free
from rage.table.people.names import read_name
from rage.table.people.speech import check_may_speak
from rage.table.play import clock
from rage.table.play.playing import deal_next, retrace
from rage.table.state import State

Facts = Iterator[e.Fact]
MAX_WORD: Final = 200
_HASH: Final = re.compile("[0-9a-f]{64}")


def commit_word(state: State, command: c.CommitWord, actor: str | None) -> Facts:
    """Commit to a word for the shuffle, after the commitment to the seed."""
    state.require_phase("gathering")
    seat = state.require_seat(actor)
    if state.deals_id is not None:
        raise NotAllowed("table.word.given")
    if _HASH.fullmatch(command.hash) is None:
        raise NotReadable("table.word.no_hash")
    if state.seats[seat].word_commitment != command.hash:
        yield e.WordCommitted(seat, command.hash)


def start(state: State, command: c.Start, actor: str | None) -> Facts:
    """Fill the empty seats with bots, and begin the game or first have words revealed (host)."""
    state.require_host(actor)
    state.require_phase("gathering")
    names = list(state.names)
    for sat in _fill(state, command, actor):
        names[sat.seat] = sat.name
        yield sat
    hashes = tuple(seat.word_commitment for seat in state.seats)
    if any(hashes):
        yield e.WordsClosed(hashes)
        return
    words = tuple(seat.word for seat in state.seats)  # uncommitted words, only in old logs
    yield from _begin(state, names, words if any(words) else ())


def _fill(state: State, command: c.Start, actor: str | None) -> Iterator[e.BotSat]:
    """Seat a bot in each empty seat, under the given names while they last."""
    bot = check_bot(command.bot)
    given = _bot_names(state, command, actor)
    names = list(state.names)
    for at, seat in enumerate(state.seats):
        if seat.empty:
            names[at] = given.pop(0) if given else bot_name(state, bot, names)
            yield e.BotSat(at, bot, names[at])


def _bot_names(state: State, command: c.Start, actor: str | None) -> list[str]:
    """The names that the host gives to bots, without any too similar to another at the table.
    Raises :class:`rage.NotReadable` and :class:`rage.NotAllowed`."""
    if command.names:
        check_may_speak(state, actor)
    given = [read_name(name) for name in command.names[: len(state.seats)]]  # no more can sit down
    for at, name in enumerate(given):
        for other in given[:at]:
            check_distinguishable(name, other)
    return [name for name in given if is_free(state, name)]


def reveal_word(state: State, command: c.RevealWord, actor: str | None) -> Facts:
    """Reveal a committed word; after the last one, the game begins."""
    state.require_phase("revealing")
    seat, word = state.require_seat(actor), command.word
    due = state.word_commitments[seat]
    if due is None:
        raise NotAllowed("table.word.none", seat=seat)
    if not 0 < len(word) <= MAX_WORD:
        raise NotReadable("table.text", most=MAX_WORD)
    if word_commitment(state.commitment, word) != due:
        raise NotAllowed("table.word.other")
    if state.words[seat] is not None:
        raise NotAllowed("table.doubled")
    yield e.WordRevealed(seat, word)
    if state.unrevealed == [seat]:
        words = [word if at == seat else each or "" for at, each in enumerate(state.words)]
        yield from _begin(state, state.names, words)


def start_anyway(state: State, command: c.StartAnyway, actor: str | None, now: int) -> Facts:
    """Begin the game once the house has waited long enough for words, or no one is left to wait
    for. If everyone has left meanwhile, the game is paused."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if command not in clock.due(state, now).commands:
        raise NotAllowed("table.not_due")
    yield from _begin(state, state.names, [word or "" for word in state.words])
    if not any(seat.person for seat in state.seats):
        yield e.Paused()


def _begin(state: State, names: Sequence[str], words: Sequence[str]) -> Facts:
    """Begin the game with these words by seat, or without any, and deal the first round."""
    rules, first = state.ruleset(), state.first_dealer
    if state.deals_id is not None:
        words = state.given_words
    game = Game(rules, names, deals=())
    yield e.Started(
        tuple(names),
        tuple(words),
        first,
        state.word_commitments,
        sides=tuple(map(tuple, game.side_seats)),
        withheld=tuple(withheld_in(state.word_commitments, words)),
    )
    dealer = Deals(rules, len(names), bytes.fromhex(state.seed), words, first)
    yield deal_next(game, dealer)
    yield from retrace(state, game, dealer)
