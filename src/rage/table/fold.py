"""Folds facts into the state. This never fails for facts that ``decide`` returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rage.engine.deal import Deal, Deals
from rage.game.game import Game
from rage.game.history import seat_after
from rage.rules.editions import ruleset
from rage.rules.values import Move
from rage.table.facts import events as e
from rage.table.parts import Decision, Proposal, SealedBid, Seat, TableGame
from rage.table.people import seating
from rage.table.state import State


def fold(state: State, event: e.Event) -> None:
    """Fold one event into the state. If it is dated before the last one, the clock was wrong
    then."""
    if event.at < state.at:
        state.set_back(event.at)
    state.seq, state.at = event.seq, event.at
    _FOLDS[type(event.fact)](state, event.fact)


def _created(state: State, fact: e.Created) -> None:
    state.phase = "gathering"
    _configured(state, fact)


def _configured(state: State, fact: e.Created | e.Configured) -> None:
    state.rules, state.options = ruleset(fact.rules).for_players(fact.players), fact.options
    count = fact.players - len(state.seats)
    state.seats = [*state.seats[: fact.players], *(Seat() for _ in range(count))]
    if not fact.options.spectators:
        for guest in state.guests.values():
            guest.looking = None


def _seed_committed(state: State, fact: e.SeedCommitted) -> None:
    state.games, state.commitment, state.deals_id = fact.game, fact.hash, fact.deals_id


def _seed_stored(state: State, fact: e.SeedStored) -> None:
    assert fact.seed is not None
    state.seed, state.given_words, state.given_dealer = fact.seed, fact.words, fact.dealer
    state.given_moves = fact.moves


# The game.


def _words_closed(state: State, fact: e.WordsClosed) -> None:
    state.phase = "revealing"
    state.word_commitments, state.words_closed_at = fact.hashes, state.at
    state.seating = state.names
    state.words = (None,) * len(fact.hashes)


def _word_revealed(state: State, fact: e.WordRevealed) -> None:
    words = list(state.words)
    words[fact.seat] = state.seats[fact.seat].word = fact.word
    state.words = tuple(words)


def _started(state: State, fact: e.Started) -> None:
    rules = state.ruleset()
    dealer = Deals(rules, len(fact.names), bytes.fromhex(state.seed), fact.words, fact.dealer)
    game = Game(rules, fact.names, deals=())
    state.play = TableGame(game, dealer, fact.words, fact.dealer, state.at)
    state.word_commitments = fact.word_commitments
    state.phase = "playing"


def _dealt(state: State, fact: e.Dealt) -> None:
    play = state.require_play()
    play.game.deal(Deal(fact.dealer, [hand or "" for hand in fact.hands], fact.stock or ""))
    _keep_last_trick(state, play)
    play.trail, play.barrier = [], 0
    state.undo_refused.clear()
    play.claimed.clear()
    state.ready.clear()
    state.not_same.clear()
    state.begin_turn()
    state.saw, state.gone, state.replaced = {}, {}, {}
    state.dealt_to = tuple(seat.person for seat in state.seats)
    play.occupants[fact.round] = state.occupants
    for at, seat in enumerate(state.seats):
        if seat.person is not None:
            play.players[seat.person] = at
            seating.note_seen(state, seat.person, at)
    for person, guest in state.guests.items():
        if guest.looking is not None:
            seating.note_seen(state, person, guest.looking)


def _keep_last_trick(state: State, play: TableGame) -> None:
    """Keep the last decision of each seat when another round or game begins."""
    if play.trail:
        state.last_trick = tuple(play.trail[-len(state.seats) :])


def _played(state: State, fact: e.Played) -> None:
    play = state.require_play()
    assert fact.move is not None
    move = Move(fact.move)
    play.game.play(move)
    play.trail.append(Decision(fact.ply, fact.seat, move, fact.hidden, by=fact.by))
    state.sealed.pop(fact.seat, None)
    state.ply = fact.ply + 1
    state.proposal = None
    state.undo_refused.clear()
    state.votes.pop(fact.seat, None)
    state.begin_turn()


def _bid_sealed(state: State, fact: e.BidSealed) -> None:
    assert fact.move is not None
    state.seal(fact.seat, SealedBid(Move(fact.move), fact.by))


def _mark_revealing(state: State) -> None:
    """Mark the last decision as revealing, so that it cannot be taken back."""
    trail = state.require_play().trail
    trail[-1] = trail[-1]._replace(reveals=True)


def _bids_shown(state: State, fact: e.BidsShown) -> None:
    _mark_revealing(state)


def _trump_set(state: State, fact: e.TrumpSet) -> None:
    if fact.cards:
        _mark_revealing(state)


def _round_over(state: State, fact: e.RoundOver) -> None:
    """Forget who has seen hands: all cards have been played."""
    state.saw, state.gone = {}, {}


def _player_ready(state: State, fact: e.PlayerReady) -> None:
    state.ready.add(fact.seat)


def _game_over(state: State, fact: e.GameOver) -> None:
    play = state.require_play()
    play.ended = state.at
    seating.drop_wishes(state)
    play.people = tuple(seat.person for seat in state.seats)
    play.bots = tuple(seat.bot for seat in state.seats)
    play.signs = tuple(seat.sign for seat in state.seats)
    state.phase = "over"
    state.next_dealer = seat_after(play.game.rounds[-1].dealer, 1, len(state.seats))


def _paused(state: State, fact: e.Paused) -> None:
    state.phase = "paused"


def _resumed(state: State, fact: e.Resumed) -> None:
    state.phase = "playing"
    state.begin_turn()


def _undone(state: State, fact: e.Undone) -> None:
    play = state.require_play()
    if state.to_act is not None:
        state.votes.pop(state.to_act, None)
    if fact.seat is not None:
        for each in play.trail[-fact.count :]:
            if each.seat != fact.seat:
                state.sealed[each.seat] = SealedBid(each.move, each.by)
    for _ in play.trail[-fact.count :]:
        play.game.undo()
    del play.trail[-fact.count :]
    state.ply = fact.ply
    state.proposal = None
    state.undo_refused.clear()
    state.begin_turn()


def _rematched(state: State, fact: e.Rematched) -> None:
    state.phase = "gathering"
    state.next_dealer = fact.dealer
    if state.play is not None:
        _keep_last_trick(state, state.play)
    state.play = state.proposal = None
    state.sealed, state.bid_since = {}, []
    seating.drop_wishes(state)
    state.votes.clear()
    state.saw.clear()
    state.gone.clear()
    state.replaced.clear()
    state.not_same.clear()
    state.dealt_to = ()
    state.word_commitments = state.words = state.seating = ()
    for seat in state.seats:
        seat.word_commitment, seat.word = None, ""
        if seat.person is not None:
            seat.bot = None


# Bots, votes and proposals.


def _nudged(state: State, fact: e.Nudged) -> None:
    state.nudged = fact.ply


def _takeover_vote_opened(state: State, fact: e.TakeoverVoteOpened) -> None:
    state.asked = fact.ply


def _voted(state: State, fact: e.Voted) -> None:
    state.votes.setdefault(fact.seat, {})[fact.person] = fact.yes


def _stepped_in(state: State, fact: e.SteppedIn) -> None:
    state.seats[fact.seat].bot = fact.bot
    state.votes.pop(fact.seat, None)
    state.proposal = None


def _took_back(state: State, fact: e.TookBack) -> None:
    state.seats[fact.seat].bot = None
    state.proposal = None
    state.renew_turn(fact.seat)


def _undo_proposed(state: State, fact: e.UndoProposed) -> None:
    state.proposal = Proposal("undo", fact.seat, fact.ply, count=fact.count)


def _claimed(state: State, fact: e.Claimed) -> None:
    play = state.require_play()
    play.claimed.add(fact.seat)
    play.barrier = len(play.trail)
    state.proposal = Proposal("claim", fact.seat, fact.ply, tricks=fact.tricks, hand=fact.hand)


def _seat_proposed(state: State, fact: e.SeatProposed) -> None:
    proposal = Proposal("seat", fact.by, fact.ply, given=fact.seat, person=fact.person)
    state.proposal = proposal


def _answered(state: State, fact: e.Answered) -> None:
    if state.proposal is not None and fact.yes:
        state.proposal.agreed.add(fact.seat)


def _proposal_ended(state: State, fact: e.ProposalEnded) -> None:
    proposal, state.proposal = state.proposal, None
    if proposal and proposal.kind == "undo" and fact.why == "declined":
        assert proposal.seat is not None
        state.undo_refused.add(proposal.seat)
    if proposal and proposal.person and state.is_for_own(proposal) and fact.why == "declined":
        state.not_same.add(proposal.person)


def _set_back(state: State, fact: e.SetBack) -> None:
    state.gap, state.last_over, state.lost_until = 0, 0, state.seq - 1 + fact.lost
    state.begin_turn()


def _no_change(state: State, fact: e.Fact) -> None:
    """Change nothing: the fact only informs people, or follows from earlier ones."""


_FOLDS: Final[dict[type[e.Fact], Callable[[State, Any], None]]] = {
    e.Created: _created, e.Configured: _configured, e.SeedCommitted: _seed_committed,
    e.SeedStored: _seed_stored, e.Joined: seating.joined, e.Left: seating.left,
    e.Renamed: seating.renamed, e.Sat: seating.sat, e.BotSat: seating.bot_sat,
    e.Vacated: seating.vacated, e.Swapped: seating.swapped, e.HostPassed: seating.host_passed,
    e.WordCommitted: seating.word_committed,
    e.WordsClosed: _words_closed, e.WordRevealed: _word_revealed, e.Started: _started,
    e.Dealt: _dealt, e.Played: _played, e.BidSealed: _bid_sealed, e.BidsShown: _bids_shown,
    e.TrumpSet: _trump_set, e.TrickWon: _no_change, e.RoundOver: _round_over,
    e.PlayerReady: _player_ready, e.GameOver: _game_over, e.Paused: _paused, e.Resumed: _resumed,
    e.PresenceSet: seating.presence_set, e.Nudged: _nudged,
    e.TakeoverVoteOpened: _takeover_vote_opened, e.Voted: _voted, e.SteppedIn: _stepped_in,
    e.TookBack: _took_back, e.UndoProposed: _undo_proposed, e.Claimed: _claimed,
    e.SeatProposed: _seat_proposed, e.Answered: _answered, e.ProposalEnded: _proposal_ended,
    e.Undone: _undone, e.Rematched: _rematched, e.HandShown: seating.hand_shown,
    e.ViewpointChanged: seating.viewpoint_changed, e.Muted: seating.muted, e.ClockSet: _no_change,
    e.SeatRequested: seating.seat_requested, e.SetBack: _set_back,
}  # fmt: skip
assert _FOLDS.keys() == set(e.FACTS)
