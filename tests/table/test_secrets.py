"""No byte sent to a person depends on what that person may not know: tables that differ only in
hidden cards, hidden bids and the seed look the same to everybody, errors included."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from generators import rules_from
from properties.worlds import indistinguishable_game
from rage import Game, NotAllowed, NotReadable
from rage.engine.deal import Deals
from rage.rules.cards import MOVE_CODES
from rage.rules.settings import CHOICES, PRINTED
from rage.rules.values import Move
from rage.table import (
    Answer,
    ChangeBid,
    Chat,
    Claim,
    Command,
    Event,
    GiveSeat,
    LookAt,
    Mute,
    Options,
    Play,
    ProposeUndo,
    React,
    Remove,
    Rename,
    ShowHand,
    Start,
    Table,
    TakeBack,
    TakeHost,
    UnloggedCommand,
    Vote,
    Watch,
)
from rage.table.facts.events import BidSealed, Dealt, Fact, Played, SeedStored, Undone
from table.tables import TableRun, data_of, reloaded, started_table, table_of, view_data

VIEWERS = ("ann", "ben", "cleo", "eve", "olga")
OUTSIDE = ("eve", "olga")


def watched_table(rules: str, players: int = 4, **options: Any) -> TableRun:
    """Three people, bots, a spectator of the public view, and one who looks into Cleo's hand."""
    run = table_of("ann", "ben", "cleo", rules=rules, players=players, options=Options(**options))
    for each in OUTSIDE:
        run.do(Watch(each.title()), each)
    run.do(ShowHand(True), "cleo")
    run.do(LookAt(2), "olga")
    run.do(Start("random"), "ann")
    return run


def twin(run: TableRun, person: str, rng: Random) -> Table:
    """The same table in another world, which ``person`` cannot tell from this one."""
    seat = run.table.state.viewpoint(person)
    other = reloaded(otherwise(run.log, twin_game(run, person, rng), seat, rng))
    other.restore_changed(changed_otherwise(run.table, seat, rng))
    return other


def twin_game(run: TableRun, person: str, rng: Random) -> Game:
    """The same game in another world, which ``person`` cannot tell from this one."""
    return indistinguishable_game(run.game, run.table.state.viewpoint(person), rng)


def changed_otherwise(table: Table, seat: int | None, rng: Random) -> bytes:
    """The changed bids as they might have been: ``seat`` has bid the same."""
    bids = {
        at: str(Move(sealed.move)) if at == seat else str(_any_bid(table, rng))
        for at, sealed in table.state.sealed.items()
        if at == seat or rng.random() < 0.5
    }
    return msgspec.json.encode({"ply": table.ply, "bids": bids})


def _any_bid(table: Table, rng: Random) -> int:
    play = table.state.require_play()
    return rng.randrange(play.game.position.hand_size + 1)


def otherwise(log: list[Event], game: Game, seat: int | None, rng: Random) -> list[Event]:
    """The events of a table as they would have been had its game been ``game``, and had those who
    are not at ``seat`` sealed other bids."""
    deals = [each.deal for each in game.rounds]
    found = []
    dealt = 0
    for event in log:
        fact = event.fact
        if isinstance(fact, SeedStored):
            fact = SeedStored(_other_seed(game, rng).hex())
        elif isinstance(fact, Dealt):
            deal = deals[dealt]
            dealt += 1
            assert deal is not None
            hands = tuple(
                mine if sorted((mine or "").split()) == sorted(hand.split()) else hand
                for mine, hand in zip(fact.hands, map(str, deal.hands), strict=True)
            )
            fact = replace(fact, hands=hands, stock=str(deal.stock))
        elif isinstance(fact, Played) and fact.hidden:
            bid = game.rounds[dealt - 1].bids[fact.seat]
            if bid is None and fact.seat != seat:  # taken back
                bid = rng.randrange(game.rounds[dealt - 1].hand_size + 1)
            fact = fact if bid is None else replace(fact, move=str(bid))
        elif isinstance(fact, BidSealed) and fact.seat != seat:
            fact = replace(fact, move=str(rng.randrange(game.rounds[dealt - 1].hand_size + 1)))
        found.append(event._replace(fact=fact))
    return found


def _other_seed(game: Game, rng: Random) -> bytes:
    """A seed by which the same seat deals."""
    while True:
        seed = rng.randbytes(16)
        if Deals(game.rules, game.players, seed).first_dealer() == game.rounds[0].dealer:
            return seed


def stream(table: Table, log: list[Event], person: str) -> str:
    """Every byte that a person is sent: all events, what may be done after them, and the view."""
    events = data_of(table.redact(event, person) for event in log)
    now = [table.turn_for(person), table.proposal, table.takeover, person in table.may_undo]
    return json.dumps([events, msgspec.to_builtins(now), view_data(table, person)])


def answers(table: Table, person: str, now: int) -> str:
    """How a person's commands are taken: refused and why, or not refused."""
    ply = table.ply
    commands: list[Command | UnloggedCommand] = [
        *(Play(ply, code) for code in MOVE_CODES[::5]), Play(ply - 1, "0"), ProposeUndo(ply),
        Claim(ply, (0, 0, 0, 99)), Claim(ply, (1, 0, 0, 0)), Answer(ply, True), TakeBack(),
        Vote(0, True), Chat("hint"), LookAt(1), Mute("ben"), GiveSeat(3, "eve"),
        *(React("wow", 1, 1, seat) for seat in range(4)),
        GiveSeat(2, "olga"), TakeHost(), Rename("hint"),
    ]  # fmt: skip
    seat = table.state.seat_of(person)
    if seat is not None:
        due = table.ply_of(seat)
        commands += [*(Play(due, bid) for bid in "0123"), *(ChangeBid(due, bid) for bid in "0123")]
    found: list[Any] = [table.due(now).next, str(table.due(now).commands)]
    for command in commands:
        try:
            if isinstance(command, ChangeBid):
                found.append(table.change_bid(command, person) is None)
                continue
            if isinstance(command, React):
                table.react(command, person)
            elif isinstance(command, Chat):
                table.say(command, person, now)
            else:
                table.decide(command, person, now)
            found.append(None)
        except (NotAllowed, NotReadable) as error:
            found.append([error.reason.code, *error.reason.params.values()])
    return json.dumps(found, default=str)


def assert_twins_alike(run: TableRun, person: str, rng: Random) -> bool:
    """Whether the twin differed at all."""
    other = twin(run, person, rng)
    log = otherwise(run.log, _game(other), run.table.state.viewpoint(person), rng)
    assert stream(other, log, person) == stream(run.table, run.log, person)
    now = run.now
    assert answers(other, person, now) == answers(run.table, person, now)
    assert other.own_bid(person) == run.table.own_bid(person)
    sealed = other.state.sealed != run.table.state.sealed
    return sealed or _game(other).position._fields() != run.game.position._fields()


def _game(table: Table) -> Game:
    assert table.state.play is not None
    return table.state.play.game


@pytest.mark.sampled(4)
@pytest.mark.parametrize("bidding", CHOICES["bidding"])
@pytest.mark.parametrize("edition", PRINTED)
def test_twin_tables_look_alike_to_every_person(edition: str, bidding: str) -> None:
    """At each decision of a game of two rounds, for players and spectators."""
    rng = Random(edition + bidding)
    names = {"open": "", "hidden": "+hidden-bids", "secret": "+secret-bids"}
    run = watched_table(f"{edition}{names[bidding]}+schedule:3.2", known=edition == "poof")
    differ = moments = 0
    while run.table.phase == "playing":
        for person in VIEWERS:
            differ += assert_twins_alike(run, person, rng)
            moments += 1
        run.play_on(rng, 1)
    assert run.table.phase == "over"
    assert differ > moments / 2


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100))
def test_twin_tables_look_alike_under_any_rules(seed: int) -> None:
    rng = Random(seed)
    rules, players = rules_from(rng.choice, rounds=2, most=4)
    while players < 3:
        rules, players = rules_from(rng.choice, rounds=2, most=4)
    run = watched_table(rules.name, players)
    while run.table.phase == "playing":
        for person in VIEWERS:
            assert_twins_alike(run, person, rng)
        run.play_on(rng, 1)


@pytest.mark.parametrize("fact", [Dealt, Played, BidSealed])
def test_the_twins_would_show_a_leak(fact: type[Fact], monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: where every hand, or every bid, is sent to all, it does."""
    monkeypatch.setattr(fact, "seen_by", Fact.seen_by)
    run = watched_table("poof+secret-bids+schedule:4")
    run.play_on(Random(2), 3 if fact is BidSealed else 5)
    with pytest.raises(AssertionError):
        assert_all_alike(run, "eve", 20)


def assert_all_alike(run: TableRun, person: str, twins: int) -> None:
    rng = Random(3)
    for _ in range(twins):
        assert_twins_alike(run, person, rng)


def test_secret_bids_that_were_taken_back_stay_secret() -> None:
    run = watched_table("poof+secret-bids+schedule:4")
    rng = Random(5)
    for bid in "1234":
        run.play(bid)
    run.do(ProposeUndo(run.table.ply), "ben")
    for each in ("ann", "cleo"):
        run.do(Answer(run.table.ply, True), each)
    assert isinstance(run.log[-1].fact, Undone)
    assert run.awaited == [1]
    for person in VIEWERS:
        differed = [assert_twins_alike(run, person, rng) for _ in range(10)]
        assert any(differed)


def test_everybody_is_dealt_only_their_own_hand() -> None:
    run = watched_table("poof+schedule:5")
    (dealt,) = [event for event in run.log if isinstance(event.fact, Dealt)]
    for person, seat in zip(VIEWERS, (0, 1, 2, None, 2), strict=True):
        data = data_of(run.table.redact(dealt, person))
        assert "stock" not in data
        held = run.game.rounds[-1].deal
        assert held is not None
        shown = [str(hand) if at == seat else None for at, hand in enumerate(held.hands)]
        assert data["hands"] == shown


def test_a_hidden_bid_is_seen_by_its_bidder_until_all_are_shown() -> None:
    run = started_table("ann", "ben", "cleo", rules="poof+hidden-bids+schedule:2")
    first = run.actor
    run.play("1")
    for person in ("ann", "ben", "cleo"):
        assert "move" not in data_of(run.table.redact(run.log[-1], person))
        assert run.table.own_bid(person) == (1 if person == first else None)
    facts = [*run.play("0"), *run.play("2")]
    assert [each for each in facts if type(each).__name__ == "BidsShown"]


def test_people_who_are_not_at_the_table_see_no_event_and_no_game() -> None:
    run = watched_table("poof+schedule:2")
    with pytest.raises(NotAllowed):
        run.table.redact(run.log[0], "nobody")
    assert view_data(run.table, "nobody")["game"] is None
    assert view_data(run.table, None)["game"] is None
    assert run.table.game_view("nobody") is None


def test_people_who_are_not_at_the_table_are_not_told_the_seed_of_a_game_that_is_over() -> None:
    """From it they could deal all its cards."""
    run = watched_table("poof+schedule:2")
    run.do(Remove("eve", bar=True), "ann")
    run.play_on(Random(0), 1000)
    assert run.table.phase == "over"
    seed = run.table.state.seed
    for outside in ("nobody", "eve", None):
        assert seed not in json.dumps(view_data(run.table, outside))
    for person in ("ann", "ben", "cleo", "olga"):
        assert view_data(run.table, person)["seed"] == seed


@pytest.mark.parametrize("known", [False, True])
def test_what_is_publicly_known_is_displayed_to_all_or_to_nobody(known: bool) -> None:
    run = watched_table("poof+schedule:2", known=known)
    for person in VIEWERS:
        assert ("seen" in view_data(run.table, person)["game"]) == known
        assert ("voids" in view_data(run.table, person)["game"]) == known
        assert view_data(run.table, person)["options"]["known"] == known
