"""How a game starts: nobody sees a word before all are fixed, and somebody who knows the seed can
do no more about the deal than withhold a word, which everybody sees."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest

from rage import NotAllowed, Reason
from rage.engine.deal import Deals, GivenSeed, word_commitment
from rage.notation import Record, parse_record, replay, write_record
from rage.notation.fair import conclusion, verify
from rage.rules.hands import Cards
from rage.table import (
    CommitWord,
    Configure,
    Create,
    GiveSeat,
    Join,
    Leave,
    Options,
    Pause,
    Rematch,
    Remove,
    Rename,
    RevealWord,
    Start,
    StartAnyway,
    Swap,
    Vacate,
    Watch,
)
from rage.table.facts.events import (
    BotSat,
    Dealt,
    GameOver,
    Paused,
    SeedCommitted,
    SeedStored,
    Started,
    Swapped,
    WordCommitted,
    WordRevealed,
    WordsClosed,
)
from rage.table.play.clock import REVEAL_SECONDS
from table.tables import (
    SEED,
    TableRun,
    data_of,
    refusal_code,
    reloaded,
    table_of,
    view_data,
)

LATE = REVEAL_SECONDS * 1000
RULES = "fundex+schedule:2.1"


def committed(*people: str, rules: str = RULES, players: int | None = None) -> TableRun:
    """A table at which everybody has added their own name as a word."""
    run = table_of(*people, rules=rules, players=players)
    for person in people:
        run.do(CommitWord(commitment_at(run, person)), person)
    return run


def commitment_at(run: TableRun, word: str) -> str:
    return word_commitment(run.table.state.commitment, word)


def record_of(run: TableRun) -> Record:
    """The record of the game, played to its end."""
    run.play_on(Random(1), 99)
    assert isinstance(run.log[-1].fact, GameOver)
    return parse_record(write_record(run.table.record()))


def begun(run: TableRun) -> Started:
    (fact,) = [each.fact for each in run.log if isinstance(each.fact, Started)]
    return fact


def test_seed_then_commitments_then_words_then_the_game() -> None:
    run = committed("ann", "ben", "cleo")
    run.do(Start(), "ann")
    assert run.table.phase == "revealing"
    for person in ("cleo", "ann", "ben"):
        assert run.table.phase == "revealing"
        run.do(RevealWord(person), person)
    kinds = [type(event.fact) for event in run.log]
    order = (SeedCommitted, SeedStored, WordCommitted, WordsClosed, WordRevealed, Started, Dealt)
    first = [kinds.index(kind) for kind in order]
    assert first == sorted(first)
    last_commitment = max(i for i, kind in enumerate(kinds) if kind is WordCommitted)
    assert last_commitment < kinds.index(WordsClosed)
    record = record_of(run)
    assert record.extra["words"] == ["ann", "ben", "cleo"]
    assert record.extra["word_commitments"] == [
        commitment_at(run, each) for each in ("ann", "ben", "cleo")
    ]
    assert record.extra["seating"] == record.names
    assert all(finding.ok for finding in verify(record))
    assert conclusion(verify(record)).code == "verify.proven"
    assert replay(record).over


def test_knowing_seed_and_commitments_leaves_a_choice_of_two_deals() -> None:
    """Ann reads the seed in the database and waits for all other words; whatever she then tries,
    the table takes the word she is bound to, or none."""
    run = committed("ann", "ben", "cleo")
    run.do(Start(), "ann")
    for person in ("ben", "cleo"):
        run.do(RevealWord(person), person)
    due = run.table.state.word_commitments[0]
    tries = [f"ann {number}" for number in range(60_000)]
    assert not any(word_commitment(run.table.state.commitment, each) == due for each in tries)
    assert {refusal_code(run, RevealWord(each), "ann") for each in tries[:200]} == {
        "table.word.other"
    }
    for command in (CommitWord(commitment_at(run, "ann 7")), Start(), Rematch()):
        with pytest.raises(NotAllowed):
            run.table.decide(command, "ann", run.now, seed=SEED)
    reachable = {
        Deals(run.table.state.ruleset(), 3, SEED, words).deal(1).hands
        for words in product(("ann", ""), ("ben",), ("cleo",))
    }
    assert len(reachable) == 2
    kept = reloaded(run.log)
    run.do(RevealWord("ann"), "ann")
    kept.do(StartAnyway(), None, run.now + LATE)
    assert {hands_of(run.table.record()), hands_of(kept.record())} == reachable


def hands_of(record: Record) -> tuple[Cards, ...]:
    return record.rounds[0].deal.hands


def test_the_first_dealer_of_another_game_is_told_before_the_words_are_revealed() -> None:
    """So that nobody can name another when the words are known."""
    run = committed("ann", "ben")

    def told_first() -> object:
        told_all = {run.table.view_for(each).first_dealer for each in ("ann", "ben", None)}
        (first,) = told_all
        return first

    run.do(Start(), "ann")
    assert told_first() is None
    for person in ("ann", "ben"):
        run.do(RevealWord(person), person)
    record_of(run)
    assert told_first() is None
    run.do(Rematch(), "ann", bytes(16))
    due = (run.table.state.next_dealer,)
    assert due[0] in (0, 1)
    run.do(CommitWord(commitment_at(run, "owl")), "ann")
    assert (told_first(),) == due
    run.do(Start(), "ann")
    assert (told_first(),) == due
    run.do(RevealWord("owl"), "ann")
    assert told_first() is None
    assert (run.table.record().extra["first_dealer"],) == due


@pytest.mark.parametrize("first", [None, 0, 2])
def test_the_first_dealer_of_given_deals_is_told_before_the_game(first: int | None) -> None:
    run = TableRun()
    seed = GivenSeed(bytes(16), "earlier1/1", (), first)
    run.do(Create("poof+schedule:2", 3, "Ann", Options()), "ann", seed)
    assert run.table.view_for("ann").first_dealer == first
    run.do(Start("random"), "ann")
    assert begun(run).dealer == first
    if first is not None:
        assert run.game.rounds[0].dealer == first


def test_no_word_is_at_the_table_before_all_are_fixed() -> None:
    """Neither in the log that is stored, nor in what anybody is told."""
    run = committed("ann", "secret owl")
    text = json.dumps(data_of(run.log))
    text += json.dumps([view_data(run.table, each) for each in ("ann", "secret owl", None)])
    assert commitment_at(run, "secret owl") in text
    assert '"word": "secret owl"' not in text
    with pytest.raises(NotAllowed, match="has not begun"):
        run.do(RevealWord("ann"), "ann")


def test_a_player_who_does_not_reveal_is_left_out_and_named() -> None:
    run = committed("ann", "ben", "cleo", players=4)
    run.do(Start("random"), "ann")
    closed = run.now
    run.do(RevealWord("cleo"), "cleo")
    assert refusal_code(run, StartAnyway(), None) == "table.not_due"
    assert refusal_code(run, StartAnyway(), "ann") == "table.house_only"
    due = run.table.due(run.now)
    assert (due.commands, due.next) == ((), closed + LATE)
    assert run.table.due(closed + LATE).commands == (StartAnyway(),)
    run.now = closed + LATE
    facts = run.do(StartAnyway(), None)
    assert [type(fact) for fact in facts] == [Started, Dealt]
    assert begun(run).words == ("", "", "cleo", "")
    hashes = (*(commitment_at(run, each) for each in ("ann", "ben", "cleo")), None)
    assert begun(run).word_commitments == hashes
    assert refusal_code(run, RevealWord("ben"), "ben") == "table.while.playing"
    assert view_data(run.table, "cleo")["withheld"] == [0, 1]
    run.do(GiveSeat(0, bot="random"), "ann")
    assert view_data(run.table, "cleo")["withheld"] == [0, 1], "no matter who sits there now"
    record = record_of(run)
    assert record.extra["words"] == [None, None, "cleo", None]
    findings = [(each.ok, each.reason.code, each.reason.params) for each in verify(record)]
    assert findings[1:4] == [
        (None, "verify.word_withheld", {"seat": 0}),
        (None, "verify.word_withheld", {"seat": 1}),
        (True, "verify.word_right", {"seat": 2}),
    ]
    assert conclusion(verify(record)) == Reason("verify.proven.withheld", {"words": 2, "deals": 4})


def test_without_any_word_the_game_begins_at_once() -> None:
    run = table_of("ann", players=3)
    facts = run.do(Start(), "ann")
    assert [type(fact) for fact in facts] == [BotSat, BotSat, Started, Dealt]
    assert begun(run) == Started(run.table.state.names, (), sides=((0,), (1,), (2,)))
    assert "word_commitments" not in run.table.record().extra


def test_seats_and_rules_cannot_change_meanwhile() -> None:
    run = committed("ann", "ben", players=3)
    run.do(Watch("Eve"), "eve")
    run.do(Start("random"), "ann")
    for command, person in (
        (Join("Eve"), "eve"),
        (GiveSeat(1, person="eve"), "ben"),
        (GiveSeat(0, bot="random"), "ann"),
        (Vacate(2), "ann"),
        (Swap(0, 1), "ann"),
        (Configure("amigo", 3, Options()), "ann"),
        (Start(), "ann"),
        (Pause(), "ann"),
        (CommitWord("0" * 64), "ben"),
        (Rename("Benny"), "ben"),
    ):
        assert refusal_code(run, command, person) == "table.while.revealing"
    run.do(RevealWord("ben"), "ben")
    run.do(RevealWord("ann"), "ann")
    assert begun(run).names[1] == "Ben"


def test_a_new_name_never_looks_as_if_seats_were_exchanged() -> None:
    """The record says who sat where when the words were fixed, by the names of then."""
    run = committed("ann", "ben")
    run.do(Start(), "ann")
    run.do(RevealWord("ben"), "ben")
    run.do(RevealWord("ann"), "ann")
    run.do(Rename("Benny"), "ben")
    assert refusal_code(run, Rename("Ben"), "ann") == "table.name_taken"
    run.do(Rename("Ben"), "ben")
    run.do(Rename("Benny"), "ben")
    record = record_of(run)
    assert (record.names, record.extra["seating"]) == (["Ann", "Benny"], ["Ann", "Ben"])
    assert [each.ok for each in verify(record) if "seat_" in each.reason.code] == [None]


def test_the_host_moves_people_who_take_their_words_along() -> None:
    run = committed("ann", "ben", players=3)
    hashes = [seat.word_commitment for seat in run.table.state.seats]
    assert run.do(Swap(0, 2), "ann") == [Swapped(0, 2)]
    assert run.do(Swap(1, 0), "ann") == [Swapped(1, 0)]
    assert run.do(Swap(1, 1), "ann") == []
    assert [seat.person for seat in run.table.state.seats] == ["ben", None, "ann"]
    assert [seat.word_commitment for seat in run.table.state.seats] == [hashes[1], None, hashes[0]]
    assert refusal_code(run, Swap(0, 3), "ann") == "view.no_seat"
    run.do(Start("random"), "ann")
    run.do(RevealWord("ann"), "ann")
    run.do(RevealWord("ben"), "ben")
    assert begun(run).words == ("ben", "", "ann")
    assert refusal_code(run, Swap(0, 1), "ann") == "table.while.playing"


def test_a_wrong_word_is_refused_with_its_reason() -> None:
    run = table_of("ann", "ben", "cleo")
    for bad in ("", "0" * 63, "G" * 64, "A" * 64, "0" * 65, "0" * 63 + "\n"):
        assert refusal_code(run, CommitWord(bad), "ann") == "table.word.no_hash"
    assert refusal_code(run, CommitWord("0" * 64), "eve") == "table.no_seat_of_yours"
    run.do(CommitWord(commitment_at(run, "first")), "ann")
    run.do(CommitWord(commitment_at(run, "owl")), "ann")
    assert run.do(CommitWord(commitment_at(run, "owl")), "ann") == []
    run.do(CommitWord(commitment_at(run, "x" * 201)), "cleo")
    run.do(Start(), "ann")
    assert refusal_code(run, RevealWord("first"), "ann") == "table.word.other"
    assert refusal_code(run, RevealWord("owl"), "ben") == "table.word.none"
    assert refusal_code(run, RevealWord("x" * 201), "cleo") == "table.text"
    assert refusal_code(run, RevealWord(""), "cleo") == "table.text"
    run.do(RevealWord("owl"), "ann")
    assert refusal_code(run, RevealWord("owl"), "ann") == "table.doubled"


def test_a_commitment_leaves_with_its_player_before_the_game() -> None:
    run = committed("ann", "ben", "cleo", players=4)
    run.do(Leave(), "ben")
    run.do(Join("Cleo", 3), "cleo")
    run.do(Start("random"), "ann")
    (closed,) = [each.fact for each in run.log if isinstance(each.fact, WordsClosed)]
    assert closed.hashes == (commitment_at(run, "ann"), None, None, None)


def test_a_player_who_leaves_meanwhile_is_not_waited_for_and_counts_as_not_revealing() -> None:
    run = committed("ann", "ben", "cleo")
    run.do(Start(), "ann")
    run.do(RevealWord("ann"), "ann")
    run.do(RevealWord("cleo"), "cleo")
    run.do(Leave(), "cleo")
    facts = run.do(Remove("ben"), "ann")
    assert isinstance(facts[0], BotSat)
    assert run.table.due(run.now).commands == (StartAnyway(),)
    run.do(StartAnyway(), None)
    assert begun(run).words == ("ann", "", "cleo")
    assert conclusion(verify(record_of(run))).params["words"] == 1


def test_when_everybody_has_left_the_game_waits() -> None:
    run = committed("ann", "ben")
    run.do(Start(), "ann")
    run.do(Leave(), "ann")
    run.do(Leave(), "ben")
    facts = run.do(StartAnyway(), None)
    assert [type(fact) for fact in facts] == [Started, Dealt, Paused]


def test_the_next_game_has_new_words() -> None:
    run = committed("ann", "ben")
    run.do(Start(), "ann")
    for person in ("ann", "ben"):
        run.do(RevealWord(person), person)
    record_of(run)
    run.do(Rematch(), "ann", bytes(16))
    view = view_data(run.table, "ann")
    assert (view["word_commitments"], view["withheld"]) == ([], [])
    assert [(seat["word"], seat["word_commitment"]) for seat in view["seats"]] == [("", None)] * 2
    run.do(CommitWord(commitment_at(run, "ben")), "ben")
    run.do(Start(), "ann")
    assert refusal_code(run, RevealWord("ann"), "ann") == "table.word.none"
