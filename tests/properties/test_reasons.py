"""Refusals, rulings and events: always a reason, in every language, and a true one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given

import oracle
from generators import deals_for, games, rules_from
from rage import Game, Move, NotAllowed, Reason
from rage.game.history import Round
from rage.game.rulings import ruling
from rage.game.story import tell_end, tell_round
from rage.rules.cards import CARD_CODES, LETTERS, N_MOVES
from rage.rules.values import MOVES, letter_of
from rage.say import LANGUAGES, catalogue, sentence
from reasons import all_reasons, is_printable
from scenes import NAMES, table


def said(game: Game, reason: Reason) -> str:
    """A reason in every language; the English sentence."""
    for language in reversed(LANGUAGES):
        words = sentence(reason, language, edition=game.rules.edition, names=game.names)
        assert words
        assert is_printable(words)
        assert "{" not in words
        assert "None" not in words
    return words


@given(games())
def test_a_move_is_legal_or_refused_with_a_reason(game: Game) -> None:
    legal = game.legal_moves
    for move in MOVES:
        reason = game.why_not(move)
        assert (reason is None) == (move in legal)
        if reason is not None:
            said(game, reason)


@given(games())
def test_only_the_seat_to_act_may_move(game: Game) -> None:
    for seat in range(game.players):
        for move in (*game.legal_moves[:2], MOVES[0]):
            reason = game.why_not(move, seat)
            if game.over or seat != game.to_act:
                assert reason is not None
                assert reason == game.view(seat).why_not(move)
                assert reason.code == ("refuse.game_over" if game.over else "refuse.turn")
    reason = game.view(None).why_not(MOVES[0])
    assert reason is not None
    said(game, reason)


@given(games())
def test_a_refusal_is_true(game: Game) -> None:
    """What the reasons claim, by the oracle's idea of a trick."""
    if game.to_act is None or game.bidding:
        return
    hand = [CARD_CODES[card] for card in game.position.hand(game.to_act)]
    trick = [str(MOVES[move]) for move in game.position.trick]
    led = oracle.led(trick)
    setter = next((code for code in trick if oracle.colour(code)), "")
    for move in MOVES:
        reason = game.why_not(move)
        card = str(move)[:1] if str(move)[0] in oracle.ACTIONS else str(move)
        if reason is not None and reason.code == "refuse.follow_anytime":
            assert game.rules.anytime_actions
            assert any(each[0] in oracle.ACTIONS for each in hand)
            reason = Reason(
                reason.params["why"].code, {**reason.params["why"].params, "card": card}
            )
        match reason and reason.code:
            case "refuse.not_held":
                assert card not in hand
            case "refuse.follow" | "refuse.follow_wild" as code:
                assert reason is not None
                assert reason.params["colour"] == led
                cards = reason.params["cards"].split()
                assert sorted(cards) == sorted(c for c in hand if c[0] == led)
                assert cards
                assert (code == "refuse.follow_wild") == (setter[0] == "W")
                assert card in hand
            case "refuse.change_same":
                assert game.position.trump == LETTERS.index(str(move)[1])
            case "refuse.change_turns":
                assert game.rules.change == "reveal"
                assert len(str(move)) == 2
            case "refuse.change_names":
                assert game.rules.change == "choose"
                assert str(move) == "C"
            case None | "refuse.bids_made":
                assert reason is None or move.is_bid
            case code:
                pytest.fail(f"{move}: {code}")


@given(games(started=True))
def test_a_refused_move_leaves_the_game_as_it_was(game: Game) -> None:
    before = game.position._fields()
    for move in MOVES:
        if game.why_not(move) is not None:
            with pytest.raises(NotAllowed):
                game.play(move)
    assert game.position._fields() == before


def many_games(number: int) -> Iterator[Game]:
    """Random games of random rule sets, played to their ends; in every second one Wilds are
    played when they can be, and called red, so that they meet."""
    for seed in range(number):
        rng = Random(seed)
        rules, players = rules_from(rng.choice, rounds=2, most=6)
        game = Game(rules, NAMES[:players], deals=deals_for(rules, players, rng))
        while not game.over:
            legal = game.legal_moves
            wild = Move("WR")
            game.play(wild if wild in legal and seed % 2 else rng.choice(legal))
        yield game


def test_every_ruling_is_said_and_true() -> None:
    codes = set()
    for game in many_games(150):
        for current in game.rounds:
            for index, trick in enumerate(current.tricks):
                reason = ruling(current, index, game.rules.second_wild)
                assert game.names[trick.winner or 0] in said(game, reason)
                check_ruling(game, current, index)
                codes |= {each.code for each in all_reasons(reason)}
    assert codes == {code for code in catalogue("en") if code.startswith("trick.")}


def trump_setter(current: Round, index: int) -> tuple[int, str]:
    """Which card of a trick gave it the trump by which it was judged, if one did: its place and
    ``C`` or ``X``. One that changes nothing does not count."""
    trump = next(each.trump for each in reversed(current.trump_changes) if each.trick < index)
    found = (0, "")
    for place, move in enumerate(current.tricks[index].moves):
        if str(move)[0] in "CX":
            now = next(
                t.trump for t in current.trump_changes if (t.trick, t.card) == (index, place)
            )
            if now != trump:
                trump, found = now, (place, str(move)[0])
    return found


def check_ruling(game: Game, current: Round, index: int) -> None:
    """What a ruling claims, from the moves alone."""
    trick = current.tricks[index]
    reason = ruling(current, index, game.rules.second_wild)
    parts = {each.code: each for each in all_reasons(reason)}
    noted = {code for code in parts if code.startswith("trick.wilds_")}
    main = next(parts[c] for c in parts if c != "trick.with_note" and c not in noted)
    codes = [str(move) for move in trick.moves]
    trump = letter_of(trick.trump)
    winner = oracle.winner(game.rules, codes, trump)
    seat = (trick.leader + winner) % game.players
    assert trick.winner == main.params["winner"] == seat
    assert main.params["card"] == codes[winner]
    colour = oracle.colour(codes[winner])
    assert main.params.get("colour") == colour
    setter, last = trump_setter(current, index)
    expected = (
        "trick.only_actions" if colour is None
        else "trick.trump_changed" if colour == trump and last == "C"
        else "trick.trump" if colour == trump
        else "trick.led" if trump is not None
        else "trick.led_out" if last == "X"
        else "trick.led_no_trump"
    )  # fmt: skip
    assert main.code == expected
    if expected in ("trick.trump_changed", "trick.led_out"):
        assert main.params["by"] == (trick.leader + setter) % game.players
    if expected == "trick.led":
        assert main.params["trump"] == trump
        assert all(oracle.colour(code) != trump for code in codes)
    several = colour is not None and codes.count(f"W{colour}") > 1
    assert noted == ({f"trick.wilds_{game.rules.second_wild}"} if several else set())


def test_every_event_is_said_in_order() -> None:
    codes = set()
    for game in many_games(60):
        for current in game.rounds:
            story = list(tell_round(current, game.rules))
            for reason in story:
                said(game, reason)
            codes |= {each.code for reason in story for each in all_reasons(reason)}
            events = [reason.code for reason in story]
            assert events.count("event.bid") == game.players
            assert events.count("event.lead") == current.hand_size
            assert events.count("event.play") == current.hand_size * (game.players - 1)
            changes = [code for code in events if code.startswith("event.trump")]
            # A second Out, with no Change between, does no more than the first.
            again = [
                each
                for before, each in pairwise(current.trump_changes)
                if each.cause == "out" and before.trump is None
            ]
            assert len(changes) == len(current.trump_changes) - len(again)
        assert game.winners
        said(game, tell_end(game.scores, game.winners, game.players))
    assert codes >= {f"event.trump.{cause}" for cause in
                     ("deal", "change_named", "change_turned", "out", "after")}  # fmt: skip


@given(games())
def test_a_round_under_way_is_told_from_every_seat(game: Game) -> None:
    for seat in (None, *range(game.players)):
        for current in game.view(seat).rounds:
            for reason in tell_round(current, game.rules):
                said(game, reason)


def test_every_refusal_of_the_catalogue_is_met() -> None:
    """Save the one that only laboratory settings reach, and the spectator's."""
    met = {"refuse.other", "refuse.spectator"}
    scenes = [
        table("poof+plus-minus-one", "R1 C", "G1 W", bids="1"),
        table("poof", "R1 C", "G1 R2", play="R1"),
        table("poof", "W G1", "G2 B1", play="WG"),
        table("poof", "C G1", "G2 B1"),
        table("poof+anytime-actions", "R1 R2 R3", "G1 R4 X", play="R1"),
        table("poof", "R1", "R2", play="R1 R2"),
        table("poof", "R1", "R2", play="R1 R2", more_rounds=(1,)),
        table("amigo", "C", "R2", "R3"),
    ]
    for game in scenes:
        for seat in (None, 0, 1):
            reasons = [game.why_not(Move.of(number), seat) for number in range(N_MOVES)]
            met |= {reason.code for reason in reasons if reason is not None}
    assert met == {code for code in catalogue("en") if code.startswith("refuse.")}
