"""A finished game as the page gets it: every moment, all hands, and every sentence."""

from __future__ import annotations

from random import Random

import pytest

from rage import Game
from rage.game.story import tell_round
from rage.house.games.replay import Replay, Step, replay_of
from rage.notation import Record, read_link, record_of, replay, write_record
from rage.notation.validation import result
from rage.rules.hands import cards_of

KINDS = ("poof", "amigo", "amigo+secret-bids", "poof+hidden-bids", "fundex+two-teams+rising")


def finished(rules: str, seed: int) -> tuple[Record, Game]:
    """The record of a game of four that chance has played, and the game."""
    game, rng = Game(rules, list("ABCD"), seed=f"{rules} {seed}"), Random(seed)
    while not game.over:
        game.play(rng.choice(game.legal_moves))
    assert game.deals is not None
    return record_of(game, seed=game.deals.seed.hex(), bots=[None, "steady", None, None]), game


def steps(shown: Replay) -> list[Step]:
    return [step for each in shown.rounds for step in each.steps]


@pytest.mark.parametrize("rules", KINDS)
def test_every_moment_is_the_one_that_replaying_gives(rules: str) -> None:
    record, _ = finished(rules, 1)
    shown = replay_of(record)
    for each in shown.rounds:
        hands = [hand.split() for hand in each.hands]
        for step in each.steps:
            number, trick, card = map(int, step.at.split("."))
            if step.seat is not None and trick:
                assert step.move is not None
                hands[step.seat].remove(step.move[0] if step.move[0] in "WC" else step.move)
            if (trick == 0 and card < 4) or (trick == each.hand_size and card == 4):
                continue  # `until` stops after the bids, and never where a round is over
            stopped = replay(record, (number, trick, card))
            stands = result(stopped)
            assert (step.to_act, step.trump) == (stands["to_act"], stands["trump"]), step.at
            assert sorted(step.legal.split()) == stands["legal"], step.at
            held = [str(cards_of(stopped.position.hand(seat))).split() for seat in range(4)]
            assert [sorted(hand) for hand in hands] == [sorted(hand) for hand in held], step.at
        assert hands == [[]] * 4


@pytest.mark.parametrize("rules", KINDS)
def test_the_sentences_are_those_of_the_story(rules: str) -> None:
    """In the order of play; only secret bids stand elsewhere: the story shows them last."""
    record, game = finished(rules, 2)
    for each, current in zip(replay_of(record).rounds, game.rounds, strict=True):
        said = [line for step in each.steps for line in step.say if line["code"] != "event.end"]
        story = [line.as_data() for line in tell_round(current, game.rules)]
        if game.rules.bidding == "secret":
            said.sort(key=lambda line: line["code"] == "event.bid")
            story.sort(key=lambda line: line["code"] == "event.bid")
            points = [line for line in said if line["code"].startswith("event.points")]
            said = [line for line in said if line not in points] + points
            story = [line for line in story if line not in points] + points
        assert said == story


@pytest.mark.parametrize("rules", KINDS)
def test_bids_are_hidden_for_as_long_as_at_the_table(rules: str) -> None:
    record, game = finished(rules, 9)
    for each in replay_of(record).rounds:
        for step in each.steps:
            _, trick, card = map(int, step.at.split("."))
            bidding, ended = trick == 0 and card < 4, step is each.steps[-1]
            due = {"open": False, "hidden": bidding, "secret": not ended}
            assert step.hides_bids == due[game.rules.bidding], step.at


@pytest.mark.parametrize("rules", KINDS)
def test_it_is_said_from_when_on_a_bid_cannot_be_met(rules: str) -> None:
    record, game = finished(rules, 10)
    shown = replay_of(record)
    for each, current in zip(shown.rounds, game.rounds, strict=True):
        won, left = [0] * 4, each.hand_size
        missed = set[int]()
        for step in each.steps:
            if step.winner is None:
                assert step.missed == []
                continue
            won[step.winner] += 1
            left -= 1
            sums = [
                (sum(each.bids[seat] or 0 for seat in seats), sum(won[seat] for seat in seats))
                for seats in shown.sides
            ]
            lost = {side for side, (bid, has) in enumerate(sums) if not has <= bid <= has + left}
            assert set(step.missed) == lost - missed, step.at
            missed |= lost
        assert current.met is not None
        assert each.met == current.met
        assert missed == set(range(len(shown.sides))) - set(current.met)


def test_no_bid_is_met_or_missed_in_a_round_under_way() -> None:
    """It might still be hidden."""
    game = Game("amigo+secret-bids", list("ABCD"), seed="under way")
    while len(game.rounds[0].tricks) < 10:
        bids = [move for move in game.legal_moves if move.tricks == 10]
        game.play((bids or game.legal_moves)[0])
    shown = replay_of(record_of(game))
    assert shown.rounds[0].met is None
    assert not any(step.missed for step in steps(shown))


@pytest.mark.parametrize("rules", KINDS)
def test_every_trump_change_is_told_once_with_who_made_it(rules: str) -> None:
    record, game = finished(rules, 12)
    for each, current in zip(replay_of(record).rounds, game.rounds, strict=True):
        due: dict[str, list[int | None]] = {}
        trump = None
        for change in current.trump_changes:
            if change.cause != "out" or change.trump != trump:  # or nothing has changed
                place = f"{change.trick + 1}.{min(change.card + 1, 4)}"
                due.setdefault(f"{current.number}.{place}", []).append(change.seat)
            trump = change.trump
        told = {
            step.at: [line.get("by") for line in step.say if "event.trump." in line["code"]]
            for step in each.steps
        }
        assert {at: seats for at, seats in told.items() if seats} == due
        shown = {step.at: step.trump_by for step in each.steps if step.sets_trump}
        assert shown == {at: seats[-1] for at, seats in due.items()}
        for step in each.steps:
            assert step.sets_trump or not step.turned
    assert sum(len(each.trump_changes) for each in game.rounds) > 2 * len(game.rounds)


def test_what_else_it_tells_is_that_of_the_game() -> None:
    record, game = finished("amigo", 5)
    shown = replay_of(record)
    assert write_record(read_link(shown.link)) == write_record(record)
    assert (shown.scores, shown.winners) == (game.scores, game.winners)
    assert shown.bots == [None, "steady", None, None]
    won = [step.winner for step in steps(shown) if step.winner is not None]
    assert won == [trick.winner for each in game.rounds for trick in each.tricks]
    turned = [step.turned for step in steps(shown) if step.turned]
    changes = [change for each in game.rounds for change in each.trump_changes if change.cards]
    assert turned == [str(change.cards) for change in changes]


@pytest.mark.parametrize("rules", KINDS)
def test_a_missed_bid_says_what_would_have_kept_it(rules: str) -> None:
    """With each of these cards instead, and what the others played, the bid could still be met."""
    record, game = finished(rules, 5)
    kept = 0
    for each, current in zip(replay_of(record).rounds, game.rounds, strict=True):
        lost = {step.at.split(".")[1] for step in each.steps if step.missed}
        for step in each.steps:
            number, trick, card = map(int, step.at.split("."))
            assert not step.keeps or str(trick) in lost
            for move in step.keeps.split():
                assert step.seat is not None
                again = replay(record, (number, trick, card - 1))
                again.play(move)
                for late in current.tricks[trick - 1].moves[card:]:
                    again.play(late)
                seats = game.side_seats[game.side_of(step.seat)]
                won = sum(made.winner in seats for made in again.rounds[-1].tricks)
                bid = sum(current.bids[seat] or 0 for seat in seats)
                assert won <= bid <= won + each.hand_size - trick
                kept += 1
    assert kept
