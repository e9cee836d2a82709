"""The score sheet where there is no server: ``web/src/offline`` against ``rage.score``."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from page.comparing import answered, plain, reason_data
from page.conftest import Ask
from rage.notation.writer import rules_data
from rage.say import RageError
from rage.score.bidding import are_hidden
from rage.score.checking import forbidden_bid
from rage.score.file import sheet_from, write_sheet
from rage.score.link import read_link
from score.sheets import sheet_from_picks
from score.test_cases import cases
from tools.generated.score_cases import good_case

COMPARED = ("file", "link", "csv", "totals", "met", "leaders", "winners", "next_dealer")


def compare(ask: Ask, wanted: list[dict[str, Any]]) -> None:
    for case, answer in zip(wanted, ask("sheet", wanted), strict=True):
        linked = write_sheet(read_link(case["link"])).decode()
        assert answer == {**{name: case[name] for name in COMPARED}, "linked": linked}, case


def test_the_shared_cases_come_out_alike(ask: Ask) -> None:
    compare(ask, cases("good"))


def test_random_sheets_come_out_alike(ask: Ask) -> None:
    """In every form, with every result."""
    rng = Random(31)
    compare(ask, [good_case("random", sheet_from_picks(rng.choice)) for _ in range(400)])


def test_the_shared_refusals_are_the_same(ask: Ask) -> None:
    wanted = cases("refused")
    answers = ask("no_sheet", [case["sheet"] for case in wanted])
    for case, answer in zip(wanted, answers, strict=True):
        with pytest.raises(RageError) as refused:
            sheet_from(case["sheet"])
        due = {"refused": plain(reason_data(refused.value.reason))}
        assert answered(answer) == due, case["about"]


def test_a_file_changed_anywhere_is_refused_alike(ask: Ask) -> None:
    rng = Random(32)
    wanted, due = [], []
    for _ in range(1500):
        data = json.loads(write_sheet(sheet_from_picks(rng.choice)))
        spoil(data, rng)
        wanted.append(data)
        try:
            due.append(json.loads(write_sheet(sheet_from(data))))
        except RageError as error:
            due.append({"refused": reason_data(error.reason)["code"]})
    assert sum("refused" in each for each in due) > 500
    for data, answer, right in zip(wanted, ask("no_sheet", wanted), due, strict=True):
        assert ("refused" in answer) == ("refused" in right), data
        if "refused" in right:
            assert answer["refused"]["code"] == right["refused"], data


def spoil(data: dict[str, Any], rng: Random) -> None:
    """Change one number somewhere in a sheet, or leave out a field."""
    inside = rng.choice([data, *data["rounds"]])
    name = rng.choice(list(inside))
    if rng.random() < 0.2:
        del inside[name]
    elif isinstance(inside[name], list) and inside[name] and name not in ("rounds", "players"):
        at = rng.randrange(len(inside[name]))
        inside[name][at] = rng.choice((None, -1, 0, 1, 2, 5, 16))
    elif isinstance(inside[name], int):
        inside[name] = rng.choice((-1, 0, 1, 3, 11, 16, None))


def test_a_link_that_was_changed_is_refused(ask: Ask) -> None:
    rng = Random(33)
    links = []
    for case in cases("good"):
        link = case["link"]
        at = rng.randrange(2, len(link))
        links += [link[:at] + rng.choice("ABxyz019_-") + link[at + 1 :], link[:-3], link + "."]
    links += ["", "1.", "1..", "2.abc.def", "hello"]
    due = []
    for link in links:
        try:
            due.append(json.loads(write_sheet(read_link(link))))
        except RageError as error:
            due.append({"refused": plain(reason_data(error.reason))})
    refused = [each for each in due if "refused" in each]
    assert len(refused) > 0.9 * len(due)
    for link, answer, right in zip(links, ask("no_link", links), due, strict=True):
        assert ("refused" in answer) == ("refused" in right), link
        if "refused" in right:
            assert answered(answer) == right


def test_the_bid_that_is_forbidden_is_the_same(ask: Ask) -> None:
    rng = Random(34)
    questions, due = [], []
    for _ in range(1000):
        sheet = sheet_from_picks(rng.choice)
        if not sheet.rounds:
            continue
        current = sheet.rounds[-1]
        seat = rng.randrange(len(current.seats))
        rules = sheet.rules.replace(bid_total="not_tricks", bidding="open")
        data = {**current._asdict(), "extra": {}}
        questions.append({"rules": rules_data(rules), "round": data, "place": seat})
        due.append(forbidden_bid(rules, current, seat))
    assert len({*due}) > 3
    assert ask("forbidden", questions) == due


def test_bids_are_hidden_alike(ask: Ask) -> None:
    rng = Random(35)
    questions, due = list[dict[str, Any]](), list[bool]()
    while len(due) < 1000:
        sheet = sheet_from_picks(rng.choice)
        if not sheet.rounds:
            continue
        rules = sheet.rules.replace(
            bidding=rng.choice(("open", "hidden", "secret")), bid_total="any"
        )
        sheet = sheet._replace(rules=rules)
        current = sheet.rounds[-1]
        questions.append({"rules": rules_data(rules), "round": {**current._asdict(), "extra": {}}})
        due.append(are_hidden(sheet, current))
    assert 100 < sum(due) < 900
    assert ask("hides_bids", questions) == due
