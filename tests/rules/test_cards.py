"""Cards and moves as numbers, and their codes."""

from __future__ import annotations

import pickle

import pytest

from rage import Move, NotReadable
from rage.rules.cards import (
    BID,
    CARD_CODES,
    CARD_NUMBERS,
    CARD_OF_MOVE,
    LETTERS,
    MOVE_CODES,
    MOVE_NUMBERS,
    N_CARDS,
    N_MOVES,
    colour_of_move,
)
from rage.rules.hands import Hand
from rage.rules.values import Card, Colour


def test_every_card_has_a_code_of_its_own() -> None:
    """docs/record.md, "Cards"."""
    coloured = [f"{letter}{rank}" for letter in "ROYGBP" for rank in range(16)]
    assert list(CARD_CODES) == [*coloured, "W", "C", "X", "+", "-"]
    assert len(CARD_NUMBERS) == N_CARDS == 101
    assert all(CARD_CODES[card] == code for code, card in CARD_NUMBERS.items())


def test_every_move_has_a_code_of_its_own_and_reads_back() -> None:
    assert len(MOVE_CODES) == len(MOVE_NUMBERS) == N_MOVES == 128
    for number, code in enumerate(MOVE_CODES):
        move = Move(code)
        assert (move.number, str(move)) == (number, code)
        assert eval(repr(move), {"Move": Move}) is move
        assert pickle.loads(pickle.dumps(move)) is move


def test_a_move_is_written_as_its_code_in_every_format_of_text() -> None:
    move = Move("R4")
    assert f"{move}|{move:>4}|{move:.<4}|{move:x^6s}|{move!s:3}|" == "R4|  R4|R4..|xxR4xx|R4 |"
    assert [f"{Move(code):<3}" for code in ("10", "WR", "X", "+")] == [
        "10 ", "WR ", "X  ", "+  ",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="format"):
        f"{move:>4d}"


@pytest.mark.parametrize("code", ["", "W", "r1", "R16", "R01", "R-1", "16", "01", "CW", "x", "R1 ",
                                  "WX", "\x1b[2J", "R٣"])  # fmt: skip
def test_what_is_no_move_cannot_be_read(code: str) -> None:
    with pytest.raises(NotReadable) as refused:
        Move(code)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("number", [-1, 128, 10**9])
def test_a_number_out_of_range_is_no_move(number: int) -> None:
    with pytest.raises(NotReadable):
        Move.of(number)


def test_a_move_is_one_decision_a_card_with_its_colour_or_a_bid() -> None:
    for number, code in enumerate(MOVE_CODES):
        move = Move.of(number)
        if number >= BID:
            assert (move.tricks, move.card, move.colour, move.rank) == (int(code), None, None, None)
            continue
        assert move.tricks is None
        assert move.card is Card.of(CARD_OF_MOVE[number])
        card = code if code in CARD_CODES else code[0]
        assert CARD_CODES[CARD_OF_MOVE[number]] == card
        letter = code[1] if code[0] in "WC" and len(code) == 2 else code[0]
        colour = Colour(letter) if letter in LETTERS else None
        assert move.colour is colour
        assert colour_of_move(number) == (colour.number if colour else None)
        assert move.rank == (int(code[1:]) if code[1:].isdigit() else None)


def test_a_hand_is_shown_by_colour_high_cards_first_and_action_cards_last() -> None:
    assert str(Hand("- R2 W P0 R15 X O7 C +")) == "R15 R2 O7 P0 W C X + -"
