"""``python -m tools.generated.score_cases NAME`` prints ``tests/scores/NAME.json``, the cases that
Python and the page are both tested against, with ``tests`` in ``PYTHONPATH``.

``good``: sheets, each as the text of its file, as a link and as a table in two
languages, with its standing. ``refused``: sheets that are refused, with the code
of the reason, its round if it concerns one, and the exit status of ``rage score``.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from rage import NotReadable, RuleSet, ruleset
from rage.say import RageError
from rage.score.file import sheet_from, write_sheet
from rage.score.link import write_link
from rage.score.sheet import Sheet
from rage.score.spreadsheet import write_csv
from rage.score.standing import leaders, met, met_most, totals, winners
from score.entering import add_player, begin_round, enter, new_sheet, next_dealer, stop
from score.sheets import sheet_from_picks


def good_case(about: str, sheet: Sheet) -> dict[str, Any]:
    """A sheet in all its forms."""
    return {
        "about": about,
        "file": write_sheet(sheet).decode(),
        "link": write_link(sheet),
        "csv": {language: write_csv(sheet, language).decode() for language in ("en", "de")},
        "totals": totals(sheet),
        "met": met(sheet),
        "met_most": met_most(sheet),
        "leaders": leaders(sheet),
        "winners": winners(sheet),
        "next_dealer": next_dealer(sheet, sheet.seats),
    }


def good_cases() -> Iterator[dict[str, Any]]:
    """Sheets that keep the rules."""
    rules = ruleset("amigo+plus-minus-one")
    sheet = new_sheet(rules, ["Ann", "Ben", "Cem"])
    yield good_case("nothing entered", sheet)
    sheet = begin_round(sheet)
    yield good_case("a round begun", sheet)
    sheet = enter(sheet, bids=[3, None, 2])
    yield good_case("a bid missing", sheet)
    sheet = enter(sheet, bids=[3, 4, 2])
    yield good_case("all bids", sheet)
    sheet = enter(sheet, won=[3, None, 2], mad=[0, 0, 1])
    yield good_case("some tricks", sheet)
    sheet = enter(sheet, won=[3, 5, 2], bonus=[0, 1, 0])
    yield good_case("a round over", sheet)
    sheet = begin_round(add_player(sheet, "=Dora"), seats=[3, 0, 2], hand_size=8)
    sheet = enter(enter(sheet, bids=[1, 1, 1]), won=[2, 6, 0])
    yield good_case("one has left, one has come, and fewer cards than the schedule says", sheet)
    yield good_case("stopped", stop(sheet))
    yield good_case("a whole game of two teams", teams_game(ruleset("poof+two-teams+sweep")))
    yield good_case("ten players, in other seats in the second round", ten_players())
    random = Random(12)
    for n in range(20):
        yield good_case(f"random {n}", sheet_from_picks(random.choice, rounds=6))


def teams_game(rules: RuleSet) -> Sheet:
    """A whole game in which one player wins everything."""
    sheet = new_sheet(rules, ["Ann", "Ben", "Cem", "Dora"])
    for hand in rules.schedule:
        sheet = enter(begin_round(sheet), bids=[1, 0, hand // 2, 0])
        sheet = enter(sheet, won=[hand, 0, 0, 0], bonus=[1, 0, 0, 0])
    return sheet


def ten_players() -> Sheet:
    """Ten cards each for ten players, then nine for all but one, then ten again."""
    sheet = new_sheet(ruleset("1983"), [f"P{n}" for n in range(10)])
    for seats in ([*range(10)], [*range(9)], [9, *range(9)]):
        sheet = begin_round(sheet, seats=seats)
        sheet = enter(sheet, bids=[1] * len(seats))
        sheet = enter(sheet, won=[*[0] * (len(seats) - 1), sheet.rounds[-1].hand_size])
    return sheet


def refused_cases() -> Iterator[dict[str, Any]]:
    """Sheets with one mistake each."""
    sheet = new_sheet(ruleset("amigo+plus-minus-one"), ["Ann", "Ben", "Cem"])
    sheet = enter(begin_round(sheet), bids=[3, 4, 2])
    sheet = enter(sheet, won=[3, 5, 2], bonus=[0, 1, 0])
    sheet = enter(begin_round(sheet), bids=[2, 1, 4])
    base = json.loads(write_sheet(enter(sheet, won=[2, 3, 4])))
    for about, change in CHANGES.items():
        data = copy.deepcopy(base)
        change(data)
        try:
            sheet_from(data)
        except RageError as error:
            reason, number = error.reason, error.reason.params.get("round")
            if reason.code == "notation.at_round":
                reason = reason.params["why"]
            status = 2 if isinstance(error, NotReadable) else 1
            code = {"code": reason.code, "round": number, "status": status}
            yield {"about": about, "sheet": data, **code}
        else:
            raise AssertionError(about)


def _in_round(number: int, **fields: Any) -> Callable[[Any], object]:
    return lambda data: data["rounds"][number - 1].update(fields)


def _in_sheet(**fields: Any) -> Callable[[Any], object]:
    return lambda data: data.update(fields)


def _without(name: str) -> Callable[[Any], object]:
    return lambda data: data.pop(name)


#: The changes that each spoil a good sheet.
CHANGES: dict[str, Callable[[Any], object]] = {
    "another format": _in_sheet(format="rage-game"),
    "a later version": _in_sheet(version=2),
    "no players": _without("players"),
    "no rounds": _without("rounds"),
    "no such edition": _in_sheet(rules={"edition": "uno"}),
    "a setting out of range": _in_sheet(rules={"edition": "poof", "miss": -101}),
    "nobody": _in_sheet(players=[], rounds=[], scores=[]),
    "too many people": _in_sheet(players=[f"P{n}" for n in range(25)], rounds=[]),
    "two of one name": _in_sheet(players=["Ann", "Ann", "Cem"]),
    "two of one name, one decomposed": _in_sheet(players=["E\u0301" * 25, "É" * 25, "Cem"]),
    "a name of blanks": _in_sheet(players=["Ann", " ", "Cem"]),
    "a name with blanks around it": _in_sheet(players=["Ann", "Ben ", "Cem"]),
    "a name with a line end": _in_sheet(players=["Ann", "B\nen", "Cem"]),
    "a long name": _in_sheet(players=["Ann", "B" * 41, "Cem"]),
    "too few for the edition": _in_sheet(rounds=[{"seats": [0, 1], "hand_size": 9, "dealer": 0}]),
    "two seats for one": _in_round(1, seats=[0, 1, 1]),
    "no such player": _in_round(1, seats=[0, 1, 3]),
    "no such dealer": _in_round(1, dealer=3),
    "a dealer without a seat": lambda data: (
        data["players"].append("Dora"),
        data["rounds"][0].update(seats=[0, 1, 2], dealer=3),
    ),
    "too large a hand": _in_round(1, hand_size=16),
    "more cards than the pack": _in_sheet(
        players=[f"P{n}" for n in range(8)],
        rounds=[{"hand_size": 14, "dealer": 0}],
        scores=[0] * 8,
    ),
    "no hand size": lambda data: data["rounds"][0].pop("hand_size"),
    "a bid missing": _in_round(1, bids=[3, 4]),
    "a bid too high": _in_round(1, bids=[3, 11, 2]),
    "a bid that is not a number": _in_round(1, bids=[3, "4", 2]),
    "bids that make up the tricks": _in_round(1, bids=[3, 5, 2]),
    "tricks before the bids": _in_round(2, bids=[3, None, 2]),
    "too many tricks for one": _in_round(1, won=[11, 0, 0]),
    "too many tricks in all": _in_round(2, won=[2, 4, 4]),
    "too few tricks in all": _in_round(2, won=[2, 3, 3]),
    "too many Bonus cards": _in_round(1, bonus=[2, 2, 0]),
    "fewer than no Mad card": _in_round(1, mad=[0, -1, 0]),
    "a Mad card without a trick": _in_round(2, won=[9, 0, 0], mad=[0, 1, 0]),
    "more cards than the tricks hold": _in_round(2, won=[8, 1, 0], mad=[0, 2, 0], bonus=[0, 2, 0]),
    "a round left unfinished": _in_round(1, won=[3, 5, None]),
    "stopped in a round": lambda data: (data.update(stopped=True), data["rounds"][1].pop("won")),
    "stopped before it began": _in_sheet(stopped=True, rounds=[], scores=[0, 0, 0]),
    "wrong points": _in_round(1, points=[13, 5, 17]),
    "points too soon": lambda data: data["rounds"][1].pop("won"),
    "wrong scores": _in_sheet(scores=[0, 0, 0]),
    "winners too soon": _in_sheet(winners=[]),
    "wrong winners": _in_sheet(winners=[1], stopped=True),
    "more rounds than the schedule": _in_sheet(rules={"edition": "amigo", "schedule": [10]}),
}


FILES = {"good": good_cases, "refused": refused_cases}

if __name__ == "__main__":
    print(json.dumps([*FILES[sys.argv[1]]()], ensure_ascii=False, indent=1))
