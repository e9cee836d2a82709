"""The score sheet, laid out like the printed pads: one row per round, one column per player."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text

from rage.game.history import Round
from rage.game.scene import Scene
from rage.say import signed, text, visible
from rage.tui import look
from rage.tui.look import Look

_HEAD = Style(color=look.QUIET)
_COLUMNS_WIDTH = 17  # what _cell draws: 4 + 4 + 1 + 4 + 4
_PAIR_WIDTH = 10


def sheet(scene: Scene, looks: Look, width: int) -> Text:
    """The whole sheet in ``width`` cells: bid, tricks won, points and running total of each side,
    met bids ticked and missed ones struck out; in narrow windows only ticks and totals."""
    view = scene.view
    label = 6 if width >= 40 else 4
    sides = _shown(scene, max((width - label) // 4, 1))
    cell = min((width - label) // len(sides), 24)
    lines = [_names(scene, looks, label, cell, sides)]
    if cell >= _COLUMNS_WIDTH:
        lines.append(_columns(looks, label, cell, len(sides)))
    else:
        lines.append(_heading(looks, cell, width))
    lines.append(
        Text(((looks.narrow and "-") or "─") * min(label + cell * len(sides), width), _HEAD)
    )
    totals = [0] * view.sides
    shown = {each.number: each for each in scene.rounds}
    for number in range(view.first_round, len(view.rules.schedule) + 1):
        line = Text(f"{number:>2} ", _HEAD)
        line.append(f"{view.rules.schedule[number - 1]:>2} " if label == 6 else " ", look.LINE)
        current = shown.get(number)
        for side in range(view.sides):
            if current is not None:
                drawn = _cell(scene, current, side, totals, looks, cell)
                line.append_text(drawn if side in sides else Text())
        lines.append(line)
    return Text("\n").join(lines)


def _shown(scene: Scene, limit: int) -> list[int]:
    """At most ``limit`` sides, including the person's."""
    sides = scene.view.sides
    mine = scene.view.side_of(scene.view.seat or 0)
    first = max(0, min(mine, sides - limit))
    return list(range(first, min(first + limit, sides)))


def side_name(scene: Scene, side: int) -> str:
    """The name of a side: a player's, or the names of a team."""
    view = scene.view
    return "+".join(visible(view.names[seat]) for seat in view.side_seats[side])


def _names(scene: Scene, looks: Look, label: int, cell: int, sides: list[int]) -> Text:
    head = text("tui.sheet.round", looks.language)
    line = Text(set_cell_size(head if cell_len(head) < label else "", label), _HEAD)
    for side in sides:
        mine = scene.view.seat is not None and scene.view.side_of(scene.view.seat) == side
        name = cut(side_name(scene, side), cell - 1, looks)
        line.append(
            " " * (cell - cell_len(name)) + name,
            Style(color=look.WARM if mine else look.PAPER, bold=True),
        )
    return line


def _columns(looks: Look, label: int, cell: int, sides: int) -> Text:
    widths = {"bid": 3, "won": 3, "points": 4, "total": 3}
    heads = " ".join(
        cut(text(f"tui.sheet.{name}", looks.language), width, looks).rjust(width)
        for name, width in widths.items()
    )
    return Text(" " * label + heads.rjust(cell) * sides, _HEAD)


def _heading(looks: Look, cell: int, width: int) -> Text:
    """The meaning of the figures if cells are too narrow for columns; without the ticks if there is
    no room for them."""
    if cell >= _PAIR_WIDTH:
        words = text("tui.sheet.medium", looks.language)
    else:
        signs = {name: looks.glyph(name) for name in ("met", "missed")}
        words = text("tui.sheet.small", looks.language, **signs)
        if cell_len(words) > width:
            words = words.partition(";")[0]
    return Text(cut(words, width, looks), _HEAD)


def _cell(
    scene: Scene, current: Round, side: int, totals: list[int], looks: Look, cell: int
) -> Text:
    seats = scene.view.side_seats[side]
    bids = [current.bids[seat] for seat in seats]
    bid = None if None in bids else sum(each or 0 for each in bids)
    if current.points is None or current.won is None:
        known = looks.glyph("dash") if bid is None else str(bid)
        won = sum(scene.won[seat] for seat in seats)
        words = (
            f"{known:>4}{won:>4}".ljust(_COLUMNS_WIDTH) if cell >= _COLUMNS_WIDTH else f"{known:<5}"
        )
        return Text((words if cell >= _PAIR_WIDTH else known).rjust(cell), look.QUIET)
    won = sum(current.won[seat] for seat in seats)
    points = current.points[side]
    totals[side] += points
    met = side in (current.met or ())
    mark = looks.glyph("met" if met else "missed")
    colour = look.GOOD if met else look.BAD
    struck = Style(color=colour, strike=not met)
    line = Text()
    if cell >= _COLUMNS_WIDTH:
        _number(line, str(bid), 4, struck)
        _number(line, str(won), 4, struck)
        line.append(mark, colour)
        _number(line, signed(points, "+d"), 4, struck)
        _number(line, signed(totals[side]), 4, Style(color=look.PAPER))
    elif cell >= _PAIR_WIDTH:
        line.append(f"{won}/{bid}", struck).append(mark, colour)
        line.append(signed(totals[side], ">4"), look.PAPER)
    else:
        line.append(signed(totals[side]), look.PAPER).append(mark, colour)
    return Text(" " * max(cell - line.cell_len, 0)).append_text(line)


def _number(line: Text, digits: str, width: int, style: Style) -> None:
    """Append a right-aligned number; only its digits are struck out."""
    line.append(" " * (width - len(digits))).append(digits, style)


def cut(words: str, width: int, looks: Look) -> str:
    """A text cut to ``width`` cells, with an ellipsis if shortened."""
    if cell_len(words) <= width:
        return words
    if width < 6 or looks.narrow:
        return set_cell_size(words, max(width, 0))
    return set_cell_size(words, width - 1) + looks.glyph("dots")
