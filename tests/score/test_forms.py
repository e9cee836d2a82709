"""Sheets are written as files, links and tables, and read again (``docs/score.md``)."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rage import NotReadable, ruleset
from rage.say import LANGUAGES, text
from rage.score.checking import check_sheet
from rage.score.file import read_sheet, write_sheet
from rage.score.link import read_link, write_link
from rage.score.sheet import Sheet
from rage.score.spreadsheet import write_csv
from rage.score.standing import totals
from score.entering import begin_round, enter, new_sheet
from score.sheets import sheets

FORMULA = tuple("=+-@＝＋－＠")


@given(sheets())
def test_a_sheet_is_read_as_it_was_written(sheet: Sheet) -> None:
    check_sheet(sheet)
    data = write_sheet(sheet)
    assert read_sheet(data) == sheet
    assert write_sheet(read_sheet(data)) == data


@given(sheets())
def test_a_link_holds_the_sheet_but_for_other_fields(sheet: Sheet) -> None:
    link = write_link(sheet)
    assert read_link(link) == sheet._replace(extra={})
    assert read_link(f"https://example.org/score#{link}") == sheet._replace(extra={})


@given(sheets(), st.data())
def test_a_damaged_link_is_refused(sheet: Sheet, data: st.DataObject) -> None:
    link = write_link(sheet)
    at = data.draw(st.integers(0, len(link) - 1))
    other = data.draw(st.sampled_from("Aa1_-.%"))
    damaged = data.draw(st.sampled_from((link[:at], link[:at] + other + link[at + 1 :])))
    if damaged == link:
        return
    with pytest.raises(NotReadable, match="not a link to a score sheet"):
        read_link(damaged)


@given(sheets(), st.sampled_from(LANGUAGES))
def test_a_spreadsheet_reads_the_table(sheet: Sheet, language: str) -> None:
    written = write_csv(sheet, language).decode("utf-8-sig")
    separator = text("score.csv.separator", language)
    head, *rows = csv.reader(io.StringIO(written, newline=""), delimiter=separator)
    assert all(len(row) == len(head) for row in rows)
    assert len(rows) == sum(len(each.seats) for each in sheet.finished)
    assert not any(row[2].startswith(FORMULA) for row in rows)
    if sheet.finished and not sheet.rules.teams:
        last = sheet.finished[-1].seats
        sums = [int(row[-1]) for row in rows[-len(last) :]]
        assert sums == [totals(sheet)[-1][player] for player in last]


@pytest.mark.parametrize("sign", FORMULA)
def test_no_name_is_a_formula(sign: str) -> None:
    """Also with the signs in full width, which spreadsheets take for the same."""
    sheet = begin_round(new_sheet(ruleset("poof"), [f"{sign}1", "Ben"]))
    sheet = enter(enter(sheet, bids=[0, 1]), won=[4, 6])
    rows = csv.reader(io.StringIO(write_csv(sheet, "en").decode("utf-8-sig"), newline=""))
    assert [row[2] for row in rows][1:] == [f"'{sign}1", "Ben"]


def test_a_long_game_fits_a_link() -> None:
    """Ten rounds of eight players with names of twelve letters: far less than 1,000 characters."""
    names = [f"Maximilian {n}" for n in range(1, 9)]
    sheet = new_sheet(ruleset("amigo+secret-bids+sweep+anytime-actions+level"), names)
    for _ in range(10):
        sheet = begin_round(sheet)
        sheet = enter(sheet, bids=[9] * 8)
        won, cards = [3, 0, 1, 2, 2, 0, 1, 1], [1, 0, 0, 1, 0, 0, 0, 1]
        sheet = enter(sheet, won=won, bonus=cards, mad=cards)
    assert len("https://rage.example.org/score#" + write_link(sheet)) <= 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_sheet_has_only_a_head(language: str) -> None:
    sheet = Sheet(ruleset("poof"), ("Ann", "Ben"))
    assert write_csv(sheet, language).decode("utf-8-sig").count("\r\n") == 1
