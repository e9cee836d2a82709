"""A position as one line of text: whatever a game comes to is written and read again, and whatever
people write is a position on which the kernel can play, or is refused."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import games
from rage import Game, NotAllowed, NotReadable, View
from rage.engine.moment import PHASES
from rage.engine.moment_text import read_moment
from rage.engine.position import Position

USUAL = "amigo players=3 round=8 hands=R15,G3,X/Y7,B2,W/P1,P2,P3 bids=1/1/0"
PLAYED = f"{USUAL} stock=Y9"
FORGOTTEN = ("first_round", "rounds")


@given(games(), st.integers(0, 2**32 - 1))
def test_every_position_is_written_and_read_again(game: Game, seed: int) -> None:
    rng = Random(seed)
    while True:
        position = game.position
        seat = rng.choice([None, *range(game.players)])
        seen = position.masked(seat)
        view = game.view(seat)
        assert view.text == seen.text
        assert known(View.from_text(view.text, seat)) == known(view)
        for each in (position, seen, position.forgetful()):
            assert Position.from_text(each.text) == each
            assert Position.from_text(each.text).text == each.text
            assert pickle.loads(pickle.dumps(each)) == each
        if game.to_act is None:
            return
        for _ in range(rng.randrange(1, 9)):
            if game.to_act is not None:
                game.play(rng.choice(game.legal_moves))


def known(view: View) -> dict[str, object]:
    """What a view says, without what a position has forgotten: earlier tricks and rounds."""
    current = view.round if view.under_way else None
    return {
        **{key: value for key, value in view.as_data().items() if key not in FORGOTTEN},
        "round": None if current is None else (current.number, current.dealer, current.bids),
        "trick": view.trick,
    }


@given(games(), st.integers(0, 2**32 - 1))
def test_whatever_is_changed_can_be_played_on_or_is_refused(game: Game, seed: int) -> None:
    """The kernel trusts its record: nothing that a text says leads it out of its own memory."""
    rng = Random(seed)
    head, *fields = game.position.text.split()
    others = Game("poof", 4, seed=seed).position.text.split()[1:]
    for _ in range(40):
        changed = [*fields, *rng.sample(others, min(len(others), rng.randrange(2)))]
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(changed))
            name, _, value = changed[at].partition("=")
            parts = value.replace(",", "/").split("/")
            other = rng.choice(["", "-", "?", "0", "15", "255", "-1", "R5", "X", *parts])
            changed[at] = f"{name}={value.replace(rng.choice(parts) or '/', other, 1)}"
            if rng.random() < 0.2:
                del changed[at]
        try:
            position = Position.from_text(" ".join([head, *changed]))
        except (NotAllowed, NotReadable):
            continue
        assert Position.from_text(position.text) == position
        for _ in range(200):
            legal = position.legal_moves
            if not legal:
                break
            position.play(rng.choice(legal))


def test_a_person_writes_what_matters_and_no_more() -> None:
    position = Position.from_text(PLAYED)
    assert (position.to_act, position.trump, position.text) == (0, 2, PLAYED)
    assert PHASES[position.phase] == "play"
    trick = Position.from_text(
        "poof players=4 round=9 hands=R5,G2/R8/X/B1 bids=1/0/0/1 won=0/0/0/0 leader=1"
        " trick=R9,WB,Y3 trump=B"
    )
    assert trick.to_act == 0
    changed = Position.from_text("poof players=3 round=10 hands=//R1 bids=0/0/0 trick=CR,B3")
    assert changed.trump == 0
    assert Position.from_text("poof players=3 round=5").round == 4
    assert [trick.is_legal(move) for move in trick.hand(0)] == [True, False]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position.text.rules"),
        ("players=4", "position.text.rules"),
        ("amigo", "position.text.rules"),
        ("nothing players=4", "ruleset.no_term"),
        ("amigo players=9", "position.text.number"),
        ("amigo players=2", "players.refused"),
        ("amigo players=4 colour=R", "position.text.field"),
        ("amigo players=4 players=4", "position.text.twice"),
        ("amigo players=4 round=0", "position.text.number"),
        ("amigo players=4 round=12", "position.text.due"),
        ("amigo players=4 phase=playing", "position.text.word"),
        ("amigo players=4 points=1/2", "position.text.entries"),
        ("amigo players=3 round=8 hands=R15,G3/B2,Y7,W/P1,P2,P3", "position.hand_size"),
        (f"{USUAL} dealer=3", "view.no_seat"),
        (f"{USUAL} trick=R15", "position.hand_size"),
        (f"{USUAL} trump=Q", "position.text.card"),
        (f"{USUAL} trick=R16", "position.text.card"),
        (f"{USUAL} won=1/1/1", "position.text.due"),
        (f"{USUAL} seen=R15", "position.too_often"),
        (f"{USUAL} stock=Y9 seen=Y8", "position.text.unseen"),
        (f"{USUAL} turn=2", "position.text.due"),
        (f"{USUAL} voids=R//", "position.text.void"),
        (f"{USUAL} bonus=9/0/0", "position.too_often"),
        (f"{USUAL} before=R15,R14,R13", "position.too_often"),
        (f"{USUAL} phase=play".replace("1/1/0", "1/-/0"), "position.text.bid.missing"),
        ("poof players=3 round=10 hands=//R1 bids=0/0/0 trick=CR,B3 trump=B", "position.text.due"),
        (f"{USUAL} stock=Y9,Y8 turned=2", "position.text.due"),
        (f"{USUAL} stock=Y9 shown=2", "position.text.due"),
        (USUAL.replace("1/1/0", "9/1/0"), "position.text.bid.high"),
        ("amigo players=3 hands=R15/?/? bids=-/1/- turn=0", "position.text.bid.early"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: str) -> None:
    with pytest.raises((NotAllowed, NotReadable)) as raised:
        read_moment(text)
    assert raised.value.reason.code == code
