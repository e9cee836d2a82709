"""What needs the others' consent: taking a decision back, claiming the rest of a round, and giving
a seat to a spectator during a game.

**What "shown" means.** A decision can be taken back only while the person who made it has since
learnt nothing that was hidden before. So an undo is refused once

- a stock card has been turned up (also by the decision itself: a Change that turns up a card, the
  turn-up after an Out, the deal of the next round);
- hidden or secret bids have been shown (also by the decision itself, if it was the last bid);
- another player has visibly decided something: a card played, an open bid;
- a player has shown a hand for a claim;
- the round is over.

Another player's hidden bid reveals nothing: all bids are then sealed again, and only the player who
asks has to bid once more. The others have seen the card that is taken back; that is what they
consent to. Bots never object to an undo: one that would harm them is refused anyway.

**Claims.** Everyone who plays for themselves must agree, and a player can show a hand for a claim
once a round. A bot agrees only if the claim is certain, whatever the others play. Whether the
hidden cards allow the claim at all is determined only once everyone has agreed, so that a proposal
alone reveals nothing; with one claim a round, a bot's refusal reveals little. The last trick cannot
be claimed: playing it is just as fast.

**Seats.** During a game a spectator gets a seat only if all others who play for themselves agree
(``transfers.py``), and only if the spectator has not seen another hand of the round by then. An
undo or a claim can be accepted only while the game is being played, a seat also while it is paused.
A person for whom a bot plays is no longer asked once their connection is lost; if all others have
agreed by then, the house settles the proposal.

Any decision, and any change of the player of a seat, ends the proposal, and everyone is told. So
does a host who turns off undo while one is proposed. After a refusal, a player may ask for an undo
again only once another decision has been made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rage.engine.kernel import Phase as GamePhase
from rage.rules.values import Move
from rage.say import NotAllowed
from rage.table import commands as c
from rage.table.facts import events as e
from rage.table.parts import Phase, Proposal
from rage.table.people.transfers import check_away_long, check_may_return, check_may_sit, sits
from rage.table.play.claims import TooHard, find_order, is_forced
from rage.table.play.playing import decision
from rage.table.state import State

Facts = Iterator[e.Fact]


def ending_open_proposal(facts: Iterable[e.Fact]) -> Facts:
    """The facts, with the end of the open proposal before the first fact that ends it, unless they
    contain it already."""
    ended = False
    for fact in facts:
        if not ended and isinstance(fact, e.Played):
            yield e.ProposalEnded("decided")
            ended = True
        elif not ended and isinstance(fact, (e.SteppedIn, e.TookBack, e.Sat, e.BotSat)):
            yield e.ProposalEnded("seats")
            ended = True
        ended = ended or isinstance(fact, e.ProposalEnded)
        yield fact


def propose_undo(state: State, command: c.ProposeUndo, actor: str | None) -> Facts:
    """Ask to take back the actor's last decision."""
    seat = _proposer(state, actor, command.ply)
    if not state.options.undo:
        raise NotAllowed("table.no_undo")
    if seat in state.undo_refused:
        raise NotAllowed("table.undo_refused")
    count = undo_count(state, seat)
    yield e.UndoProposed(seat, state.ply, count)
    proposal = Proposal("undo", seat, state.ply, count=count)
    if _is_agreed(state, proposal):
        yield from _settle(state, proposal)


def undo_count(state: State, seat: int) -> int:
    """How many decisions must be taken back to undo the last one of ``seat``. Raises
    :class:`rage.NotAllowed` if it has made none in this round, or cannot undo it."""
    if state.between_rounds:
        raise NotAllowed("table.undo_round")
    play = state.require_play()
    own = [at for at, each in enumerate(play.trail) if each.seat == seat]
    if not own:
        raise NotAllowed("table.nothing_to_undo")
    since = play.trail[own[-1] :]
    if any(each.reveals for each in since):
        raise NotAllowed("table.undo_turned")
    if play.barrier > own[-1] or not all(each.hidden for each in since[1:]):
        raise NotAllowed("table.undo_shown")
    return len(play.trail if since[0].hidden else since)


def may_undo(state: State) -> list[int]:
    """The seats whose players may take back their last decision now, if all agree; none while a
    proposal is open."""
    if not state.options.undo or state.phase != "playing" or state.between_rounds:
        return []
    if state.proposal is not None:
        return []
    play, found = state.require_play(), list[int]()
    for at in range(len(play.trail) - 1, play.barrier - 1, -1):
        each = play.trail[at]
        if each.reveals:
            break
        if state.seats[each.seat].bot is None and each.seat not in state.undo_refused:
            found.append(each.seat)
        if not each.hidden:
            break
    return sorted(found)


def _proposer(state: State, actor: str | None, ply: int) -> int:
    """The seat of a person who proposes something. Raises :class:`rage.NotAllowed` if they cannot
    now."""
    state.require_phase("playing")
    seat = state.require_seat(actor)
    if state.seats[seat].bot is not None:
        raise NotAllowed("table.bot_plays")
    state.check_ply(ply)
    if state.proposal is not None:
        raise NotAllowed("table.proposal_open")
    return seat


def claim(state: State, command: c.Claim, actor: str | None) -> Facts:
    """Propose how many of the remaining tricks each seat wins."""
    seat = _proposer(state, actor, command.ply)
    if (why := _why_no_claim(state, seat)) is not None:
        raise NotAllowed(why)
    position = state.require_play().game.position
    left = position.hand_size - position.tricks
    tricks = command.tricks
    if len(tricks) != len(state.seats) or min(tricks) < 0 or sum(tricks) != left:
        raise NotAllowed("table.claim_sum", tricks=left)
    hand = str(state.require_play().game.hand(seat))
    yield e.Claimed(seat, state.ply, tricks, hand)
    proposal = Proposal("claim", seat, state.ply, tricks=tricks)
    if _is_agreed(state, proposal):
        yield from _settle(state, proposal)


def _why_no_claim(state: State, seat: int) -> str | None:
    """Why ``seat`` cannot claim now, as a code."""
    play = state.require_play()
    position = play.game.position
    if position.phase != GamePhase.PLAYING or position.to_act != seat:
        return "table.claim_on_turn"
    if seat in play.claimed:
        return "table.claimed_once"
    return "table.claim_last" if position.hand_size - position.tricks == 1 else None


def may_claim(state: State) -> bool:
    """Return whether the player to act may claim the rest of the round."""
    seat = state.to_act
    if seat is None or not state.seats[seat].self_played or state.proposal is not None:
        return False
    return _why_no_claim(state, seat) is None


def answer(state: State, command: c.Answer, actor: str | None) -> Facts:
    """Accept or decline the open proposal."""
    proposal, seat = state.proposal, state.require_seat(actor)
    if proposal is None or proposal.ply != command.ply:
        raise NotAllowed("table.no_proposal")
    asked = state.seats_asked(proposal.kind, proposal.seat, proposal.given)
    if seat not in asked or seat in proposal.agreed:
        raise NotAllowed("table.not_asked")
    state.require_phase(*_phases(proposal))
    yield e.Answered(seat, command.yes)
    if not command.yes:
        yield e.ProposalEnded("declined")
    elif _is_agreed(state, proposal, seat):
        yield from _settle(state, proposal)


def _phases(proposal: Proposal) -> tuple[Phase, ...]:
    """The phases in which a proposal can be accepted."""
    return ("playing", "paused") if proposal.kind == "seat" else ("playing",)


def _is_agreed(state: State, proposal: Proposal, *also: int) -> bool:
    """Return whether all seats asked have agreed to a proposal, counting those in ``also``."""
    asked = state.seats_asked(proposal.kind, proposal.seat, proposal.given)
    return {*proposal.agreed, *also}.issuperset(asked)


def is_unanimous(state: State) -> bool:
    """Return whether an open proposal has every answer it needs, because anyone who has not agreed
    is no longer asked."""
    proposal = state.proposal
    if proposal is None or state.phase not in _phases(proposal):
        return False
    return _is_agreed(state, proposal)


def settle(state: State, command: c.Settle, actor: str | None) -> Facts:
    """Settle a proposal that has every answer it needs (house)."""
    if actor is not None:
        raise NotAllowed("table.house_only")
    if state.proposal is None or not is_unanimous(state):
        raise NotAllowed("table.not_due")
    yield from _settle(state, state.proposal)


def withdraw(state: State, command: c.Withdraw, actor: str | None) -> Facts:
    """Withdraw the proposal of a player, or of the host."""
    if state.proposal is None:
        raise NotAllowed("table.no_proposal")
    if state.proposal.seat is None:
        state.require_host(actor)
    elif state.proposal.seat != state.require_seat(actor):
        raise NotAllowed("table.no_proposal")
    yield e.ProposalEnded("withdrawn")


def _settle(state: State, proposal: Proposal) -> Facts:
    """The consequences once everyone has agreed."""
    if proposal.kind == "undo":
        yield e.ProposalEnded("accepted")
        unseen = state.require_play().trail[-1].hidden
        yield e.Undone(proposal.count, state.ply + 1, proposal.seat if unseen else None)
    elif proposal.kind == "seat":
        yield from _settle_seat(state, proposal)
    else:
        yield from _settle_claim(state, proposal)


def _settle_seat(state: State, proposal: Proposal) -> Facts:
    """Seat the spectator if still allowed: they may have seen another hand in the meantime."""
    given, person = proposal.given, proposal.person
    assert given is not None
    assert person is not None
    own = state.is_for_own(proposal)
    try:
        if own:
            check_may_return(state, person, given)
            check_away_long(state, person, given, state.at)
        else:
            check_may_sit(state, person, given)
    except NotAllowed:
        yield e.ProposalEnded("knows_cards")
        return
    yield e.ProposalEnded("accepted")
    yield sits(state, person, given) if own else e.Sat(person, given)


def _settle_claim(state: State, proposal: Proposal) -> Facts:
    """Play out the rest of the round, if possible."""
    assert proposal.seat is not None
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
    yield from _play_out(state, order)


def _bots_object(state: State, claimer: int, won: list[int]) -> bool:
    others = (seat for at, seat in enumerate(state.seats) if at != claimer)
    if all(seat.bot is None for seat in others):
        return False
    return not is_forced(state.require_play().game.position, claimer, won)


def _play_out(state: State, order: list[int]) -> Facts:
    """Play the rest of the round, card by card."""
    play = state.require_play()
    game = play.game.copy()
    for ply, move in enumerate(order, state.ply):
        yield from decision(state, game, play.dealer, ply, Move.of(move), "claim")
