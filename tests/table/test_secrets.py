"""No byte to a person depends on what that person may not know: tables that differ only in
hidden cards, hidden bids and the seed show the same to each, errors included."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from generators import rules_from
from properties.worlds import elsewhere
from rage import Game, NotAllowed, NotReadable
from rage.cards import MOVE_CODES
from rage.deal import Dealer
from rage.editions import name_of
from rage.rules import CHOICES, PRINTED
from rage.table import (
    Answer,
    Chat,
    Claim,
    Command,
    Event,
    LookAt,
    Mute,
    Options,
    Play,
    ProposeUndo,
    ShowHand,
    Start,
    Table,
    TakeBack,
    Vote,
    Watch,
    command_data,
)
from rage.table.events import Dealt, Fact, Played, Sealed, Undone
from rage.table.playing import codes
from table.people import Evening, folded, started, table_of, told

VIEWERS = ("ann", "ben", "cleo", "eve", "olga")
OUTSIDE = ("eve", "olga")


def gathered(rules: str, players: int = 4, **options: Any) -> Evening:
    """Three people, bots, a spectator of the public view, and one who looks into Cleo's hand."""
    evening = table_of(
        "ann", "ben", "cleo", rules=rules, players=players, options=Options(**options)
    )
    for each in OUTSIDE:
        evening.do(Watch(each.title()), each)
    evening.do(ShowHand(True), "cleo")
    evening.do(LookAt(2), "olga")
    evening.do(Start("random"), "ann")
    return evening


def twin(evening: Evening, person: str, rng: Random) -> Table:
    """The same table in another world, which ``person`` cannot tell from this one."""
    game = twin_game(evening, person, rng)
    return folded(otherwise(evening.log, game, rng))


def twin_game(evening: Evening, person: str, rng: Random) -> Game:
    """The same game in another world, which ``person`` cannot tell from this one."""
    return elsewhere(evening.game, evening.table.state.eye(person), rng)


def otherwise(log: list[Event], game: Game, rng: Random) -> list[Event]:
    """The events of a table as they would have been had its game been ``game``."""
    deals = [each.deal for each in game.rounds]
    found = []
    dealt = 0
    for event in log:
        fact = event.fact
        if isinstance(fact, Sealed):
            fact = Sealed(_other_seed(game, rng).hex())
        elif isinstance(fact, Dealt):
            deal = deals[dealt]
            dealt += 1
            assert deal is not None
            hands = tuple(
                mine if sorted((mine or "").split()) == sorted(codes(hand).split()) else codes(hand)
                for mine, hand in zip(fact.hands, deal.hands, strict=True)
            )
            fact = replace(fact, hands=hands, stock=codes(deal.stock))
        elif isinstance(fact, Played) and fact.hidden:
            bid = game.rounds[dealt - 1].bids[fact.seat]
            fact = fact if bid is None else replace(fact, move=str(bid))
        found.append(event._replace(fact=fact))
    return found


def _other_seed(game: Game, rng: Random) -> bytes:
    """A seed by which the same seat deals."""
    while True:
        seed = rng.randbytes(16)
        if Dealer(game.rules, game.players, seed).first_dealer() == game.rounds[0].dealer:
            return seed


def stream(table: Table, log: list[Event], person: str) -> str:
    """Every byte that a person is sent: all events, and the view."""
    events = [table.redact(event, person) for event in log]
    return json.dumps([events, table.view_for(person)])


def answers(table: Table, person: str, now: int) -> str:
    """How a person's commands are taken: refused and why, or not refused."""
    ply = table.ply
    commands: list[Command] = [
        *(Play(ply, code) for code in MOVE_CODES[::5]), Play(ply - 1, "0"), ProposeUndo(ply),
        Claim(ply, (0, 0, 0, 99)), Claim(ply, (1, 0, 0, 0)), Answer(ply, True), TakeBack(),
        Vote(0, True), Chat("hint"), LookAt(1), Mute("ben"),
    ]  # fmt: skip
    found: list[Any] = [table.due(now).next, [command_data(c) for c in table.due(now).commands]]
    for command in commands:
        try:
            table.decide(command, person, now)
            found.append(None)
        except (NotAllowed, NotReadable) as error:
            found.append([error.reason.code, *error.reason.params.values()])
    return json.dumps(found, default=str)


def assert_twins_alike(evening: Evening, person: str, rng: Random) -> bool:
    """Whether the twin differed at all."""
    other = twin(evening, person, rng)
    log = otherwise(evening.log, _game(other), rng)
    assert stream(other, log, person) == stream(evening.table, evening.log, person)
    now = evening.now
    assert answers(other, person, now) == answers(evening.table, person, now)
    return _game(other).position.fields() != evening.game.position.fields()


def _game(table: Table) -> Game:
    assert table.state.play is not None
    return table.state.play.game


@pytest.mark.parametrize("bidding", CHOICES["bidding"])
@pytest.mark.parametrize("edition", PRINTED)
def test_twin_tables_look_alike_to_every_person(edition: str, bidding: str) -> None:
    """At each decision of a game of two rounds, for players and spectators."""
    rng = Random(edition + bidding)
    names = {"open": "", "hidden": "+hidden-bids", "secret": "+secret-bids"}
    evening = gathered(f"{edition}{names[bidding]}+schedule:3.2", known=edition == "poof")
    differ = moments = 0
    while evening.table.phase == "playing":
        for person in VIEWERS:
            differ += assert_twins_alike(evening, person, rng)
            moments += 1
        evening.play_on(rng, 1)
    assert evening.table.phase == "over"
    assert differ > moments / 2


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_twin_tables_look_alike_by_any_rules(seed: int) -> None:
    rng = Random(seed)
    rules, players = rules_from(rng.choice, rounds=2, most=4)
    while players < 3:
        rules, players = rules_from(rng.choice, rounds=2, most=4)
    evening = gathered(name_of(rules), players)
    while evening.table.phase == "playing":
        for person in VIEWERS:
            assert_twins_alike(evening, person, rng)
        evening.play_on(rng, 1)


@pytest.mark.parametrize("fact", [Dealt, Played])
def test_the_twins_would_show_a_leak(fact: type[Fact], monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: where every hand, or every bid, is sent to all, it does."""
    monkeypatch.setattr(fact, "seen_by", Fact.seen_by)
    evening = gathered("poof+hidden-bids+schedule:4")
    evening.play_on(Random(2), 3)
    with pytest.raises(AssertionError):
        assert_all_alike(evening, "eve", 20)


def assert_all_alike(evening: Evening, person: str, twins: int) -> None:
    rng = Random(3)
    for _ in range(twins):
        assert_twins_alike(evening, person, rng)


def test_hidden_bids_that_were_taken_back_stay_hidden() -> None:
    evening = gathered("poof+hidden-bids+schedule:4")
    rng = Random(5)
    while evening.actor is None:
        evening.play("1")
    first = evening.actor
    evening.play("2")
    if evening.actor is None:
        evening.play("3")
    evening.do(ProposeUndo(evening.table.ply), first)
    for each in set(VIEWERS[:3]) - {first}:
        evening.do(Answer(evening.table.ply, True), each)
    assert isinstance(evening.log[-1].fact, Undone)
    for person in VIEWERS:
        differed = [assert_twins_alike(evening, person, rng) for _ in range(10)]
        assert any(differed)


def test_no_event_shows_the_seed_before_the_end() -> None:
    evening = gathered("amigo+schedule:2.1")
    rng = Random(4)
    seed = evening.table.state.seed
    while evening.table.phase == "playing":
        for person in VIEWERS:
            assert seed not in stream(evening.table, evening.log, person)
        evening.play_on(rng, 1)
    assert all(seed in stream(evening.table, evening.log, person) for person in VIEWERS)


def test_each_is_dealt_their_own_hand_alone() -> None:
    evening = gathered("poof+schedule:5")
    (dealt,) = [event for event in evening.log if isinstance(event.fact, Dealt)]
    for person, seat in zip(VIEWERS, (0, 1, 2, None, 2), strict=True):
        data = evening.table.redact(dealt, person)
        assert "stock" not in data
        held = evening.game.rounds[-1].deal
        assert held is not None
        shown = [codes(hand) if at == seat else None for at, hand in enumerate(held.hands)]
        assert data["hands"] == shown


def test_a_hidden_bid_is_seen_by_its_bidder_until_all_are_shown() -> None:
    evening = started("ann", "ben", "cleo", rules="poof+hidden-bids+schedule:2")
    first = evening.actor
    evening.play("1")
    bid = evening.log[-1]
    for person in ("ann", "ben", "cleo"):
        assert evening.table.redact(bid, person).get("move") == ("1" if person == first else None)
    facts = [*evening.play("0"), *evening.play("2")]
    assert [each for each in facts if type(each).__name__ == "BidsShown"]


def test_nobody_from_outside_is_shown_an_event_or_a_game() -> None:
    evening = gathered("poof+schedule:2")
    with pytest.raises(NotAllowed):
        evening.table.redact(evening.log[0], "nobody")
    assert told(evening.table, "nobody")["game"] is None
    assert told(evening.table, None)["game"] is None
    assert evening.table.game_view("nobody") is None


@pytest.mark.parametrize("known", [False, True])
def test_what_is_publicly_known_is_displayed_to_all_or_to_nobody(known: bool) -> None:
    evening = gathered("poof+schedule:2", known=known)
    for person in VIEWERS:
        assert ("seen" in told(evening.table, person)["game"]) == known
        assert ("voids" in told(evening.table, person)["game"]) == known
        assert evening.table.view_for(person)["options"]["known"] == known
