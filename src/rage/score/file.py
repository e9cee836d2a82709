"""Reads and writes the sheet file, ``.rage-score.json`` (``docs/score.md``)."""

from __future__ import annotations

from typing import Any, Final

from rage.notation.fields import Fields, is_integer, is_list_of, is_text, read_json
from rage.notation.reader import read_rules
from rage.notation.record import NotARecord
from rage.notation.writer import check_size, json_text, rules_data
from rage.say import NotAllowed, NotReadable, Reason
from rage.score.checking import check_sheet
from rage.score.sheet import Sheet, SheetRound
from rage.score.standing import points, scores, sides, winners

FORMAT: Final = "rage-score"
#: The sheets of all evenings, which the page writes.
MANY: Final = "rage-scores"
VERSION: Final = 1
ENDING: Final = ".rage-score.json"
#: The optional fields of a sheet, in the order in which they are written.
_OPTIONAL: Final = ("id", "started", "ended", "comment")
_SHEET_FIELDS: Final = frozenset(
    ("format", "version", "rules", "players", "rounds", "stopped", "scores", "winners")
)
_ROUND_FIELDS: Final = frozenset(
    ("seats", "hand_size", "dealer", "bids", "won", "bonus", "mad", "points")
)


class NotASheet(NotReadable):
    """The data is not a score sheet, as its form alone shows."""


def read_sheet(data: bytes) -> Sheet:
    """The sheet in ``data``. Raises :class:`NotASheet` if it is not one, and
    :class:`rage.NotAllowed` if it breaks a rule or its results are wrong."""
    return sheet_from(_json(data))


def sheet_from(value: Any) -> Sheet:
    """The sheet of a JSON value; raises like :func:`read_sheet`."""
    if isinstance(value, dict) and value.get("format") == MANY:
        sheets = value.get("sheets")
        if not isinstance(sheets, list) or len(sheets) != 1:
            n = len(sheets) if isinstance(sheets, list) else 0
            raise NotASheet("score.many", n=n)
        return sheet_from(sheets[0])
    try:
        sheet, results = _read(value)
    except NotARecord as error:
        raise NotASheet(error.reason.code, **error.reason.params) from None
    check_sheet(sheet)
    _check_results(sheet, *results)
    return sheet


def _json(data: bytes) -> Any:
    try:
        return read_json(data)
    except NotARecord as error:
        raise NotASheet(error.reason.code, **error.reason.params) from None


#: The results of a file, unchecked: the points of each round, the totals, the winners.
_Results = tuple[list[list[int] | None], list[int] | None, list[int] | None]


def _read(value: Any) -> tuple[Sheet, _Results]:
    fields = Fields(value, Reason("place.sheet"))
    fields.need("format", "score_format", lambda v: v == FORMAT)
    fields.need("version", "version", lambda v: is_integer(v) and v == VERSION)
    rules = read_rules(fields.need("rules", "object", lambda v: isinstance(v, dict)))
    players = fields.need("players", "names", is_list_of(is_text))
    listed = fields.need("rounds", "rounds", lambda v: isinstance(v, list))
    rounds: list[SheetRound] = []
    added: list[list[int] | None] = []
    seats = tuple(range(len(players)))
    for number, each in enumerate(listed, 1):
        place = Fields(each, Reason("place.round", {"round": number}))
        current = _read_round(place, len(players), seats)
        seats = current.seats
        rounds.append(current)
        added.append(place.get("points", "numbers", is_list_of(is_integer), None))
    stopped = fields.get("stopped", "flag", lambda v: isinstance(v, bool), False)
    totals = fields.get("scores", "numbers", is_list_of(is_integer), None)
    won = fields.get("winners", "winners", lambda v: v is None or is_list_of(is_integer)(v), None)
    sheet = Sheet(rules, tuple(players), tuple(rounds), stopped, fields.rest(_SHEET_FIELDS))
    return sheet, (added, totals, won)


def _read_round(fields: Fields, players: int, before: tuple[int, ...]) -> SheetRound:
    def is_player(value: Any) -> bool:
        return is_integer(value) and 0 <= value < players

    def is_entry(value: Any) -> bool:
        return value is None or is_integer(value)

    seats = tuple(fields.get("seats", "players", is_list_of(is_player), before))

    def entries(name: str, kind: str, usual: Any) -> tuple[Any, ...]:
        fits = is_list_of(is_entry if usual is None else is_integer)
        values = fields.get(name, kind, fits, [usual] * len(seats))
        if len(values) != len(seats):
            raise NotARecord(
                "notation.wrong_count",
                place=fields.place,
                field=name,
                n=len(values),
                due=len(seats),
            )
        return tuple(values)

    return SheetRound(
        seats,
        fields.need("hand_size", "whole", is_integer),
        fields.need("dealer", "player", is_player),
        entries("bids", "bids", None),
        entries("won", "bids", None),
        entries("bonus", "numbers", 0),
        entries("mad", "numbers", 0),
        fields.rest(_ROUND_FIELDS),
    )


def _check_results(
    sheet: Sheet,
    added: list[list[int] | None],
    totals: list[int] | None,
    won: list[int] | None,
) -> None:
    """Check the results that the file states. Raises :class:`rage.NotAllowed`."""
    for number, (current, given) in enumerate(zip(sheet.rounds, added, strict=True), 1):
        if given is None:
            continue
        if not current.over:
            why = Reason("notation.too_soon", {"field": "points"})
            raise NotAllowed("notation.at_round", round=number, why=why)
        if given != (right := points(sheet, current)):
            why = _not_right("points", right, given)
            raise NotAllowed("notation.at_round", round=number, why=why)
    if totals is not None and totals != scores(sheet):
        raise _refused(_not_right("scores", scores(sheet), totals))
    if won is not None:
        due = winners(sheet)
        if due is None:
            raise NotAllowed("notation.too_soon", field="winners")
        if won != due:
            raise _refused(_not_right("winners", due, won))


def _not_right(field: str, right: list[int], given: list[int]) -> Reason:
    return Reason("notation.not_right", {"field": field, "right": right, "given": given})


def _refused(reason: Reason) -> NotAllowed:
    return NotAllowed(reason.code, **reason.params)


def write_sheet(sheet: Sheet) -> bytes:
    """The file of a sheet. Reading it returns an equal sheet, and writing that one the same
    bytes."""
    lines = [f"  {json_text(name)}: {json_text(value)}" for name, value in _head(sheet).items()]
    rounds = ",\n".join(f"    {json_text(each)}" for each in _rounds(sheet))
    lines.append('  "rounds": [\n' + rounds + "\n  ]" if rounds else '  "rounds": []')
    lines += [f"  {json_text(name)}: {json_text(value)}" for name, value in _tail(sheet).items()]
    return check_size(("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _head(sheet: Sheet) -> dict[str, Any]:
    extra = sheet.extra
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": rules_data(sheet.rules),
        "players": list(sheet.players),
        **{name: extra[name] for name in _OPTIONAL if name in extra},
        **{name: value for name, value in extra.items() if name not in _OPTIONAL},
    }


def _tail(sheet: Sheet) -> dict[str, Any]:
    won = winners(sheet)
    return {
        **({"stopped": True} if sheet.stopped else {}),
        "scores": scores(sheet) if sheet.rounds else [0] * sides(sheet),
        **({} if won is None else {"winners": won}),
    }


def _rounds(sheet: Sheet) -> list[dict[str, Any]]:
    before = tuple(range(len(sheet.players)))
    listed = []
    for current in sheet.rounds:
        listed.append(_round_data(sheet, current, before))
        before = current.seats
    return listed


def _round_data(sheet: Sheet, current: SheetRound, before: tuple[int, ...]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if current.seats != before:
        data["seats"] = list(current.seats)
    data["hand_size"] = current.hand_size
    data["dealer"] = current.dealer
    for name in ("bids", "won"):
        if any(each is not None for each in getattr(current, name)):
            data[name] = list(getattr(current, name))
    for name in ("bonus", "mad"):
        if any(getattr(current, name)):
            data[name] = list(getattr(current, name))
    if current.over:
        data["points"] = points(sheet, current)
    return {**data, **current.extra}
