"""What needs the others' consent: taking a decision back, claiming the rest of a round.

**What "shown" means.** A decision may be taken back only while the one who made it has learnt
nothing since that was hidden from them when they made it. So an undo is refused once

- a stock card was turned over since (by the decision itself, too: a Change that turns up, the
  turn-up after an Out, the deal of the next round);
- hidden or secret bids were shown since (also by the decision itself, being the last bid);
- another player has decided since, so that it could be seen: a card played, a bid said aloud;
- somebody has shown a hand for a claim since.

Another's hidden bid shows nothing: such bids are taken back along with one's own, and made again.
That the others have seen the card taken back is what they consent to. Bots never object to an
undo: what would harm them is refused anyway.

**Claims.** Everybody who plays for themselves must agree; whoever has shown a hand for a claim
has used up this round's. A bot agrees only where the claim is certain, whatever the others play.
Only once all have agreed is it asked whether the hidden cards allow it at all, so that a proposal
alone tells nothing; with one claim a round, a bot's refusal tells little.

Any decision, and any change of who plays a seat, ends what is proposed.
"""

from __future__ import annotations

from collections.abc import Iterator

from rage.history import MOVES
from rage.kernel import Phase
from rage.say import NotAllowed
from rage.table import commands as c
from rage.table import events as e
from rage.table.claims import TooHard, find_order, is_forced
from rage.table.playing import check_ply, codes, decision
from rage.table.state import Proposal, State

Facts = Iterator[e.Fact]


def propose_undo(state: State, command: c.ProposeUndo, actor: str | None) -> Facts:
    """A player asks to take their last decision back."""
    seat = _proposer(state, actor, command.ply)
    if not state.options.undo:
        raise NotAllowed("table.no_undo")
    count = undo_count(state, seat)
    yield e.UndoProposed(seat, state.ply, count)
    proposal = Proposal("undo", seat, state.ply, count=count)
    if not state.consulted(seat):
        yield from _settle(state, proposal)


def undo_count(state: State, seat: int) -> int:
    """How many decisions are to be taken back for the last one of ``seat``. Raises
    :class:`rage.NotAllowed` where there is none in this round, or it may not be."""
    play = state.require_play()
    own = [at for at, each in enumerate(play.trail) if each.seat == seat]
    if not own:
        raise NotAllowed("table.nothing_to_undo")
    since = play.trail[own[-1] :]
    if any(each.reveals for each in since):
        raise NotAllowed("table.undo_turned")
    if play.barrier > own[-1] or not all(each.hidden for each in since[1:]):
        raise NotAllowed("table.undo_shown")
    return len(since)


def _proposer(state: State, actor: str | None, ply: int) -> int:
    """The seat of one who may propose something now."""
    state.in_phase("playing")
    seat = state.own_seat(actor)
    if state.seats[seat].bot is not None:
        raise NotAllowed("table.bot_plays")
    check_ply(state, ply, seat)
    if state.proposal is not None:
        raise NotAllowed("table.proposal_open")
    return seat


def claim(state: State, command: c.Claim, actor: str | None) -> Facts:
    """A player proposes how the tricks that are left fall."""
    seat = _proposer(state, actor, command.ply)
    play = state.require_play()
    position = play.game.position
    if position.phase != Phase.PLAYING or position.to_act != seat:
        raise NotAllowed("table.claim_on_turn")
    if seat in play.claimed:
        raise NotAllowed("table.claimed_once")
    left = position.hand_size - position.tricks
    tricks = command.tricks
    if len(tricks) != len(state.seats) or min(tricks) < 0 or sum(tricks) != left:
        raise NotAllowed("table.claim_sum", tricks=left)
    hand = codes(position.hand(seat))
    yield e.Claimed(seat, state.ply, tricks, hand)
    if not state.consulted(seat):
        yield from _settle(state, Proposal("claim", seat, state.ply, tricks=tricks))


def answer(state: State, command: c.Answer, actor: str | None) -> Facts:
    """A player agrees, or not."""
    proposal, seat = state.proposal, state.own_seat(actor)
    if proposal is None or proposal.ply != command.ply:
        raise NotAllowed("table.no_proposal")
    if seat not in state.consulted(proposal.seat) or seat in proposal.agreed:
        raise NotAllowed("table.not_asked")
    state.in_phase("playing")
    yield e.Answered(seat, command.yes)
    if not command.yes:
        yield e.ProposalEnded("declined")
    elif {*proposal.agreed, seat} >= set(state.consulted(proposal.seat)):
        yield from _settle(state, proposal)


def withdraw(state: State, command: c.Withdraw, actor: str | None) -> Facts:
    """A player drops their own proposal."""
    if state.proposal is None or state.proposal.seat != state.own_seat(actor):
        raise NotAllowed("table.no_proposal")
    yield e.ProposalEnded("withdrawn")


def _settle(state: State, proposal: Proposal) -> Facts:
    """All have agreed."""
    if proposal.kind == "undo":
        yield e.ProposalEnded("accepted")
        yield e.Undone(proposal.count, state.ply + 1)
        return
    position = state.require_play().game.position
    won = [a + b for a, b in zip(position.won, proposal.tricks, strict=True)]
    try:
        if _bots_object(state, proposal.seat, won):
            yield e.ProposalEnded("bot_declines")
            return
        order = find_order(position, won)
    except TooHard:
        yield e.ProposalEnded("too_hard")
        return
    if order is None:
        yield e.ProposalEnded("no_order")
        return
    yield e.ProposalEnded("accepted")
    yield from _played_out(state, order)


def _bots_object(state: State, claimer: int, won: list[int]) -> bool:
    others = (seat for at, seat in enumerate(state.seats) if at != claimer)
    if all(seat.bot is None for seat in others):
        return False
    return not is_forced(state.require_play().game.position, claimer, won)


def _played_out(state: State, order: list[int]) -> Facts:
    """The rest of the round, card by card."""
    play = state.require_play()
    game = play.game.copy()
    for ply, move in enumerate(order, state.ply):
        yield from decision(play, game, ply, MOVES[move], "claim")
