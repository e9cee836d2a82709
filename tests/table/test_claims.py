"""Claims by consent: played out card by card in an order that gives the claimed result, so that the
record stays whole, and refused if there is no such order."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from generators import deals_for, rules_from
from rage import Game
from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.notation import parse_record, replay, write_record
from rage.rules.values import MOVES
from rage.table import Answer, Claim, Play, ProposeUndo, StepIn
from rage.table.facts.events import Claimed, Played, ProposalEnded, RoundOver
from rage.table.play.claims import TooHard, find_order, is_forced
from table.tables import (
    TableRun,
    assert_same,
    comparable,
    game_with_cards,
    refusal_code,
    started_table,
)

#: Trump is red. Ann, who leads, has all the rest if she plays high cards first.
HANDS = ["R15 R14 Y9", "Y10 G1 G2", "Y3 B4 B5"]


def after_bidding(*people: str, hands: list[str] | None = None) -> TableRun:
    run = game_with_cards("poof+schedule:3", 2, hands or HANDS, "R1 Y2 Y4", *people)
    run.bid()
    return run


def claim(run: TableRun, tricks: tuple[int, ...], *agree: str) -> list[object]:
    facts: list[object] = [*run.do(Claim(run.table.ply, tricks), "ann")]
    for person in agree:
        facts += run.do(Answer(run.table.ply, True), person)
    return facts


def end_reasons(facts: list[object]) -> list[str]:
    return [fact.why for fact in facts if isinstance(fact, ProposalEnded)]


def test_an_accepted_claim_is_played_out_card_by_card() -> None:
    run = after_bidding("ann", "ben", "cleo")
    facts = claim(run, (2, 1, 0), "ben", "cleo")
    assert end_reasons(facts) == ["accepted"]
    cards = [fact for fact in facts if isinstance(fact, Played)]
    assert [fact.ply for fact in cards] == list(range(3, 12))
    assert {fact.by for fact in cards} == {"claim"}
    (over,) = [fact for fact in facts if isinstance(fact, RoundOver)]
    assert over.won == (2, 1, 0)
    assert run.table.phase == "over"
    assert replay(parse_record(write_record(run.table.record()))).over
    assert_same(run)


def test_an_order_is_found_although_the_first_that_comes_to_mind_fails() -> None:
    """Ben's Y10 must be thrown away on Ann's reds, before she leads Y9."""
    run = after_bidding("ann", "ben", "cleo", hands=["R15 R14 Y9", "Y10 G1 G2", "Y3 B4 B5"])
    facts = claim(run, (3, 0, 0), "ben", "cleo")
    assert end_reasons(facts) == ["accepted"]
    first = [fact.move for fact in facts if isinstance(fact, Played)]
    assert first.index("Y10") < first.index("Y9")


def test_a_claim_that_no_order_of_play_fits_is_refused_and_play_goes_on() -> None:
    hands = ["R14 R13 Y9", "R15 G1 G2", "Y3 B4 B5"]
    run = after_bidding("ann", "ben", "cleo", hands=hands)
    before = comparable(run.game)
    assert end_reasons(claim(run, (3, 0, 0), "ben", "cleo")) == ["no_order"]
    assert comparable(run.game) == before
    assert run.do(Play(3, "R14"), "ann")


def test_a_claim_shows_the_hand_and_needs_everybodys_consent() -> None:
    run = after_bidding("ann", "ben", "cleo")
    (fact,) = run.do(Claim(3, (3, 0, 0)), "ann")
    assert fact == Claimed(0, 3, (3, 0, 0), "R15 R14 Y9")
    run.do(Answer(3, True), "ben")
    assert run.game.ply == 3
    facts = run.do(Answer(3, False), "cleo")
    assert facts[-1] == ProposalEnded("declined")
    assert refusal_code(run, Claim(3, (3, 0, 0)), "ann") == "table.claimed_once"


def test_a_hand_shown_for_a_claim_is_a_card_shown() -> None:
    run = after_bidding("ann", "ben", "cleo")
    run.do(Claim(3, (3, 0, 0)), "ann")
    run.do(Answer(3, False), "ben")
    assert refusal_code(run, ProposeUndo(3), "cleo") == "table.undo_shown"


def test_a_claim_is_made_on_ones_turn_for_the_tricks_that_are_left() -> None:
    run = game_with_cards("poof+schedule:3", 2, HANDS, "R1 Y2", "ann", "ben", "cleo")
    assert refusal_code(run, Claim(0, (3, 0, 0)), "ann") == "table.claim_on_turn"
    run.bid()
    assert refusal_code(run, Claim(3, (0, 3, 0)), "ben") == "table.claim_on_turn"
    assert refusal_code(run, Claim(2, (3, 0, 0)), "ann") == "table.stale"
    for tricks in ((2, 0, 0), (4, -1, 0), (3, 0), (3, 0, 0, 0)):
        assert refusal_code(run, Claim(3, tricks), "ann") == "table.claim_sum"
    for move in ("R15", "G1", "B4"):
        run.play(move)
    assert refusal_code(run, Claim(6, (3, 0, 0)), "ann") == "table.claim_sum"
    assert end_reasons(claim(run, (2, 0, 0), "ben", "cleo")) == ["accepted"]


def test_a_bot_agrees_only_to_a_certain_claim() -> None:
    """Ben's bot may keep Y10, and so Ann's Y9 is not certain; with Y15 it is."""
    assert end_reasons(claim(after_bidding("ann"), (3, 0, 0))) == ["bot_declines"]
    certain = ["R15 R14 Y15", "Y10 G1 G2", "Y3 B4 B5"]
    assert end_reasons(claim(after_bidding("ann", hands=certain), (3, 0, 0))) == ["accepted"]
    run = after_bidding("ann", "ben", "cleo")
    run.do(StepIn(1), "ben")
    assert end_reasons(claim(run, (3, 0, 0), "cleo")) == ["bot_declines"]


def test_the_search_is_bounded() -> None:
    game = Game("poof+schedule:10", 4, seed=b"long")
    while game.bidding:
        game.play(game.legal_moves[0])
    with pytest.raises(TooHard):
        find_order(game.position, [9, 1, 0, 0], max_nodes=50)
    with pytest.raises(TooHard):
        is_forced(game.position, 0, [10, 0, 0, 0], max_nodes=3)


def outcomes(position: Position) -> set[tuple[int, ...]]:
    """Every way the tricks can fall, by trying everything."""
    if position.phase != Phase.PLAYING:
        return {tuple(position.won)}
    found = set()
    for move in position.legal_moves:
        ahead = position.copy()
        ahead.play(move)
        found |= outcomes(ahead)
    return found


def certain(position: Position, seat: int, won: tuple[int, ...]) -> bool:
    """Whether a seat can bring a result about, by trying everything."""
    if position.phase != Phase.PLAYING:
        return tuple(position.won) == won
    answers = []
    for move in position.legal_moves:
        ahead = position.copy()
        ahead.play(move)
        answers.append(certain(ahead, seat, won))
    return any(answers) if position.to_act == seat else all(answers)


@pytest.mark.parametrize("seed", range(60))
def test_the_search_agrees_with_trying_everything(seed: int) -> None:
    rng = Random(seed)
    rules, players = rules_from(rng.choice, rounds=1, most=3)
    game = Game(rules, players, deals=deals_for(rules, players, rng))
    while game.bidding or game.position.tricks < _late(game):
        game.play(rng.choice(game.legal_moves))
    seat = game.to_act
    assert seat is not None
    possible = outcomes(game.position)
    left = game.position.hand_size - game.position.tricks
    for tricks in product(range(left + 1), repeat=players):
        if sum(tricks) != left:
            continue
        won = tuple(a + b for a, b in zip(game.position.won, tricks, strict=True))
        order = find_order(game.position, won, max_nodes=10**6)
        assert (order is not None) == (won in possible)
        forced = is_forced(game.position, seat, won, max_nodes=10**6)
        assert forced == certain(game.position, seat, won)
        assert order is None or ended(game.position, order) == won


def ended(position: Position, order: list[int]) -> tuple[int, ...]:
    """The tricks by seat after some moves."""
    ahead = position.copy()
    for move in order:
        ahead.play(move)
    return tuple(ahead.won)


def _late(game: Game) -> int:
    """With how many tricks over trying everything takes a moment only."""
    return game.position.hand_size - {2: 3, 3: 2}.get(game.players, 1)


def test_the_search_distinguishes_positions_that_differ_only_in_trump() -> None:
    """Ann wins a trick only if she names blue: what red leads to is another matter."""
    run = game_with_cards("poof+schedule:2", 0, ["C B5", "R9 G2"], "Y1 Y2", "ann", "ben")
    run.bid()
    order = find_order(run.game.position, (1, 1))
    assert order is not None
    assert "CB" in [str(MOVES[move]) for move in order]


def test_the_next_round_has_its_own_claims() -> None:
    run = started_table("ann", "ben", rules="poof+schedule:2.2")
    for _ in range(2):
        run.bid()
        actor, left = run.actor, (1, 1)
        other = "ben" if actor == "ann" else "ann"
        run.do(Claim(run.table.ply, left), actor)
        run.do(Answer(run.table.ply, False), other)
        assert refusal_code(run, Claim(run.table.ply, left), actor) == "table.claimed_once"
        run.play()
        run.do(Claim(run.table.ply, left), other)
        for _ in range(3):
            run.play()
    assert run.table.phase == "over"


def test_the_last_trick_is_not_claimed() -> None:
    run = started_table("ann", "ben", rules="poof+schedule:2")
    run.bid()
    assert run.table.may_claim
    run.play()
    run.play()
    last = Claim(run.table.ply, (1, 0))
    assert refusal_code(run, last, run.actor) == "table.claim_last"
    assert not run.table.may_claim
