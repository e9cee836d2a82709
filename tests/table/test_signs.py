"""The signs that people choose: which there are, who sees them, and what becomes of them."""

from __future__ import annotations

import pytest

from rage.say import NotReadable
from rage.table import Create, Join, Leave, LookAt, Rename, ShowHand, Start, Watch
from rage.table.people.signs import read_sign
from table.tables import SEED, TableRun, refusal_code, reloaded, started_table


def chosen(run: TableRun, person: str | None = None) -> list[str]:
    """The signs by seat, as a person sees them."""
    return [seat.sign for seat in run.table.view_for(person).seats]


@pytest.mark.parametrize("sign", ["", "00", "77Zo", "35Ж9", "12é", "40e\u0301a"])
def test_a_sign_is_a_shape_a_stone_and_up_to_two_letters(sign: str) -> None:
    assert read_sign(read_sign(sign)) == read_sign(sign)


@pytest.mark.parametrize("sign", ["3", "83", "x5", "٣٥", "35abc", "35♥", "35\u202ea", "35 "])
def test_any_other_text_is_refused_in_one_way(sign: str) -> None:
    with pytest.raises(NotReadable) as refused:
        read_sign(sign)
    assert refused.value.reason.code == "table.sign"


def test_a_sign_is_seen_by_all_and_stays_with_the_seat() -> None:
    """Also with the bot that plays on for somebody, and in the record."""
    run = TableRun()
    run.do(Create("poof+schedule:1", 2, "Ann", sign="35Zo"), "ann", SEED)
    assert refusal_code(run, Join("Ben", sign="9"), "ben") == "table.sign"
    run.do(Join("Ben", sign="35"), "ben")
    assert chosen(run) == ["35Zo", "35"]
    run.do(Rename("Ben", "12Be"), "ben")
    run.do(Rename("Benno"), "ben")
    run.do(Start(), "ann")
    run.do(Leave(), "ben")
    assert chosen(run) == chosen(run, "ann") == ["35Zo", "12"]
    run.play_out()
    assert run.table.record().extra["signs"] == ["35Zo", "12"]
    assert reloaded(run.log).record() == run.table.record()


def test_who_has_seen_a_hand_says_nothing_by_a_sign() -> None:
    run = started_table("ann", "ben")
    run.do(Watch("Eve"), "eve")
    run.do(ShowHand(True), "ann")
    run.do(LookAt(0), "eve")
    assert refusal_code(run, Rename("Eve", "12"), "eve") == "table.looking"
    run.do(Leave(), "eve")
    run.do(Watch("Eve", sign="12Rb"), "eve")
    assert run.table.state.guests["eve"].sign == ""
