"""Draws a printed score sheet as a PDF, with ReportLab."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

from reportlab.lib.pagesizes import A4, LETTER, landscape
from reportlab.pdfgen.canvas import Canvas

from rage.score.fonts import Fonts
from rage.score.printed import Block, Cell, Printed, Row

mm: Final = 72 / 25.4  # in points, the unit of a PDF
PAPERS: Final = {"a4": A4, "letter": LETTER}
#: More blocks than these go on another page; as many fit an upright page.
_MAX_BLOCKS, _UPRIGHT = 8, 4
_MARGIN: Final = 11 * mm
_SIDE: Final = 17 * mm  # the column with the rounds
_LOWEST, _HIGHEST = 7 * mm, 16 * mm  # a row
_TITLE, _NAME, _GROUP, _LABEL, _TOTAL = 15 * mm, 9 * mm, 6 * mm, 5 * mm, 11 * mm
_NOTE: Final = 8.0  # points of the small print
_NARROWEST: Final = 6.5  # points of a label, before shorter labels are taken
_GREY: Final = 0.45


def write_pdf(sheet: Printed, paper: str = "a4", font: str | None = None) -> tuple[bytes, str]:
    """The sheet as a PDF on ``a4`` or ``letter``, and the letters that no font here shows: they
    are drawn as question marks. It is upright for up to four sides, else across. The same sheet
    gives the same bytes. ``font`` is a TrueType file that is tried before all others. Raises
    :class:`rage.NotReadable` where it cannot be read."""
    fonts = Fonts(font)
    wide, high = PAPERS[paper]
    across = max(len(sheet.blocks), sum(len(b.groups) for b in sheet.blocks)) > _UPRIGHT
    size = landscape((wide, high)) if across else (wide, high)
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=size, invariant=1)
    canvas.setTitle(f"{sheet.title}: {sheet.rules}")
    for first in range(0, len(sheet.blocks), _MAX_BLOCKS):
        page = _Page(canvas, sheet, fonts, size, range(len(sheet.blocks))[first:][:_MAX_BLOCKS])
        page.draw()
    canvas.save()
    return out.getvalue(), "".join(sorted(fonts.missing))


class _Page:
    """The pages of some of the blocks: as many as the rounds need."""

    def __init__(
        self,
        canvas: Any,
        sheet: Printed,
        fonts: Fonts,
        size: tuple[float, float],
        blocks: Sequence[int],
    ) -> None:
        self.canvas = canvas
        self.sheet = sheet
        self.fonts = fonts
        self.width, self.height = size
        self.blocks = blocks
        self.right = self.width - _MARGIN
        self.left = _MARGIN + _SIDE
        self.block_width = (self.right - self.left) / len(blocks)
        self.groups = any(len(sheet.blocks[i].groups) > 1 for i in blocks)
        self.narrow = any(
            self._wide(label, _NARROWEST) > self.block_width / sheet.blocks[i].columns - 1 * mm
            for i in blocks
            for group in sheet.blocks[i].groups
            for label in group.labels
        )

    def draw(self) -> None:
        """Draw as many pages as the rounds need."""
        head = _TITLE + _NAME + _LABEL + (_GROUP if self.groups else 0)
        notes = self._notes_height()
        room = self.height - 2 * _MARGIN - head - _TOTAL - notes
        rows = self.sheet.rows
        most = max(1, int(room // _LOWEST))
        pages = max(1, -(-len(rows) // most))
        each = -(-len(rows) // pages)
        row = min(_HIGHEST, room / max(each, 1))
        for first in range(0, max(len(rows), 1), max(each, 1)):
            shown = rows[first : first + each]
            top = self._draw_head(self.height - _MARGIN)
            for number, content in enumerate(shown):
                self._draw_row(content, top - number * row, row)
            bottom = top - len(shown) * row
            last = first + each >= len(rows)
            self._draw_columns(top, bottom)
            if last:
                bottom = self._draw_total(bottom)
            self._draw_frame(top, bottom)
            self._draw_notes(bottom - 2 * mm)
            self.canvas.showPage()

    # The parts of a page.

    def _draw_head(self, top: float) -> float:
        """The title, the names and the labels; returns where the rows begin."""
        sheet = self.sheet
        self._write(sheet.title, _MARGIN, top - 5 * mm, 15, bold=True)
        date = sheet.date if sheet.date[-1].isdigit() else f"{sheet.date} {'_' * 14}"
        self._write(date, self.right, top - 5 * mm, 9, align="right")
        size = self._fitting(sheet.rules, self.right - _MARGIN, 9, 5)
        self._write(sheet.rules, _MARGIN, top - 10.5 * mm, size, grey=True)
        top -= _TITLE
        under = top - _NAME - (_GROUP if self.groups else 0)
        middle = (self.left + _MARGIN) / 2
        size = self._fitting(sheet.corner, _SIDE - 2 * mm, 8, 5)
        self._write(sheet.corner, middle, under - _LABEL + 1.5 * mm, size, align="middle")
        for at, index in enumerate(self.blocks):
            self._draw_block_head(sheet.blocks[index], self._x(at), top)
        self._line(_MARGIN, under - _LABEL, self.right, under - _LABEL, 1)
        return under - _LABEL

    def _draw_block_head(self, block: Block, x: float, top: float) -> None:
        width = self.block_width
        if block.name:
            self._write_name(block.name, x + width / 2, top - _NAME, width - 2 * mm, _NAME)
        else:
            self._line(x + 2 * mm, top - _NAME + 2 * mm, x + width - 2 * mm, top - _NAME + 2 * mm,
                       0.4)  # fmt: skip
        column = width / block.columns
        under = top - _NAME - (_GROUP if self.groups else 0)
        for group in block.groups:
            wide = column * len(group.labels)
            if group.name and self.groups:
                self._write_name(group.name, x + wide / 2, top - _NAME - _GROUP, wide - 1 * mm,
                                 _GROUP)  # fmt: skip
            elif self.groups and group is not block.groups[-1]:
                y = top - _NAME - _GROUP + 1.5 * mm
                self._line(x + 1 * mm, y, x + wide - 1 * mm, y, 0.3)
            for label in group.short if self.narrow else group.labels:
                size = self._fitting(label, column - 0.8 * mm, 7.5, 4)
                self._write(label, x + column / 2, under - _LABEL + 1.5 * mm, size,
                            align="middle", grey=True)  # fmt: skip
                x += column

    def _draw_row(self, row: Row, top: float, height: float) -> None:
        bottom = top - height
        middle = bottom + height / 2
        self._write(str(row.number), _MARGIN + 4 * mm, middle - 3.5, 11, align="middle", bold=True)
        size = self._fitting(row.cards, _SIDE - 8 * mm, 7, 4)
        self._write(row.cards, self.left - 1 * mm, middle - 2.5, size, align="right", grey=True)
        for at, index in enumerate(self.blocks):
            block = self.sheet.blocks[index]
            column = self.block_width / block.columns
            for place, cell in enumerate(row.cells[index]):
                x = self._x(at) + place * column
                self._draw_cell(cell, x, bottom, column, height)
            if row.dealer is not None and row.dealer[0] == index:
                before = block.groups[: row.dealer[1]]
                x = self._x(at) + column * sum(len(group.labels) for group in before)
                self._draw_dealer(x, top)
        self._line(_MARGIN, bottom, self.right, bottom, 0.4)

    def _draw_cell(self, cell: Cell, x: float, y: float, width: float, height: float) -> None:
        middle = y + height / 2
        if cell.away:
            self._line(x + width / 2 - 1 * mm, middle, x + width / 2 + 1 * mm, middle, 0.6)
        if not cell.text:
            return
        size = self._fitting(cell.text, width - 1.5 * mm, 11, 6)
        self._write(cell.text, x + width / 2, middle - size * 0.35, size, align="middle")
        if cell.met:
            self.canvas.setLineWidth(0.7)
            self.canvas.circle(x + width / 2, middle, min(width, height) * 0.38)
        if cell.note:
            self._write(cell.note, x + width - 0.5 * mm, y + height - 2.4 * mm, 6, align="right")

    def _draw_dealer(self, x: float, top: float) -> None:
        """A filled corner."""
        side = 2.4 * mm
        path = self.canvas.beginPath()
        path.moveTo(x, top)
        path.lineTo(x + side, top)
        path.lineTo(x, top - side)
        path.close()
        self.canvas.drawPath(path, stroke=0, fill=1)

    def _draw_total(self, top: float) -> float:
        bottom = top - _TOTAL
        self._line(_MARGIN, top, self.right, top, 1)
        size = self._fitting(self.sheet.total, _SIDE - 2 * mm, 10, 5)
        self._write(self.sheet.total, _MARGIN + 1 * mm, bottom + 4 * mm, size, bold=True)
        for at, index in enumerate(self.blocks):
            block = self.sheet.blocks[index]
            x = self._x(at) + self.block_width / 2
            self._write(block.total, x, bottom + 3.5 * mm, 13, align="middle", bold=True)
        return bottom

    def _draw_frame(self, top: float, bottom: float) -> None:
        """The heavy lines, between the blocks and around them."""
        name_top = self.height - _MARGIN - _TITLE
        self._line(_MARGIN, bottom, self.right, bottom, 1)
        for x in (_MARGIN, self.left, *(self._x(at) for at in range(1, len(self.blocks) + 1))):
            self._line(x, bottom, x, name_top if x > _MARGIN else top, 1)
        self._line(self.left, name_top, self.right, name_top, 1)

    def _draw_columns(self, top: float, bottom: float) -> None:
        """The thin lines between the columns, less thin between the members of a team."""
        for at, index in enumerate(self.blocks):
            block = self.sheet.blocks[index]
            column = self.block_width / block.columns
            place = 0
            for group in block.groups:
                for label in range(len(group.labels)):
                    x = self._x(at) + place * column
                    self._line(x, bottom, x, top + _LABEL, 0.3 if label else 0.8)
                    place += 1

    def _draw_notes(self, top: float) -> None:
        """How a round scores, in two columns on a wide page, and what the mark means."""
        y = top - 4 * mm
        self._write(self.sheet.heading, _MARGIN, y, 9, bold=True)
        x = self.right - self._wide(self.sheet.dealer, _NOTE)
        self._write(self.sheet.dealer, x, y, _NOTE)
        self._draw_dealer(x - 4 * mm, y + 2 * mm)
        if self.sheet.met:
            x -= 10 * mm + self._wide(self.sheet.met, _NOTE)
            self._write(self.sheet.met, x, y, _NOTE)
            self.canvas.setLineWidth(0.7)
            self.canvas.circle(x - 2.5 * mm, y + 1 * mm, 1.4 * mm)
        columns = self._note_lines()
        wide = (self.right - _MARGIN) / len(columns)
        for at, lines in enumerate(columns):
            for number, line in enumerate(lines):
                down = y - (number + 1.3) * _NOTE * 1.25
                self._write(line, _MARGIN + at * wide, down, _NOTE)

    # Measures.

    def _x(self, at: int) -> float:
        """Where a block of the page begins."""
        return self.left + at * self.block_width

    def _notes_height(self) -> float:
        return 8 * mm + (max(map(len, self._note_lines())) + 0.6) * _NOTE * 1.25

    def _note_lines(self) -> list[list[str]]:
        """The lines of the notes, by column."""
        count = 2 if self.width > self.height else 1
        wide = (self.right - _MARGIN) / count - 4 * mm
        wrapped = [self._wrapped(note, wide, _NOTE) for note in self.sheet.notes]
        half = -(-sum(map(len, wrapped)) // count)
        columns: list[list[str]] = [[] for _ in range(count)]
        at = 0
        for lines in wrapped:
            if len(columns[at]) + len(lines) > half + 1 and at < count - 1:
                at += 1
            columns[at] += lines
        return columns

    def _wrapped(self, words: str, width: float, size: float) -> list[str]:
        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self._wide(longer, size) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def _wide(self, words: str, size: float, *, bold: bool = False) -> float:
        return self.fonts.width(words, size, bold=bold)

    def _fitting(
        self, words: str, width: float, size: float, least: float, *, bold: bool = False
    ) -> float:
        """The largest size up to ``size`` in which words are at most ``width`` wide."""
        while size > least and self._wide(words, size, bold=bold) > width:
            size -= 0.25
        return size

    # Strokes and letters.

    def _line(self, x0: float, y0: float, x1: float, y1: float, width: float) -> None:
        self.canvas.setLineWidth(width)
        self.canvas.line(x0, y0, x1, y1)

    def _write(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        align: str = "left",
        bold: bool = False,
        grey: bool = False,
    ) -> None:
        self.canvas.setFillGray(_GREY if grey else 0)
        wide = self._wide(words, size, bold=bold)
        shift = {"left": 0.0, "middle": wide / 2, "right": wide}[align]
        drawn = self.canvas.beginText(x - shift, y)
        for font, run in self.fonts.runs(words, bold=bold):
            drawn.setFont(font, size)
            drawn.textOut(run)
        self.canvas.drawText(drawn)
        self.canvas.setFillGray(0)

    def _write_name(self, name: str, x: float, y: float, width: float, height: float) -> None:
        """A name in one line or two, as large as there is room, cut where it must be."""
        size = self._fitting(name, width, 11, 7.5, bold=True)
        lines = [name]
        if self._wide(name, size, bold=True) > width:
            lines = self._halves(name)
            most = max(lines, key=lambda line: self._wide(line, 8, bold=True))
            size = self._fitting(most, width, 8, 5.5, bold=True)
        leading = min(size * 1.15, height / len(lines))
        start = y + height / 2 + leading * (len(lines) - 1) / 2 - size * 0.35
        for number, line in enumerate(lines):
            shown = self._cut(line, width, size)
            self._write(shown, x, start - number * leading, size, align="middle", bold=True)

    def _halves(self, name: str) -> list[str]:
        """A name in two lines, parted behind a blank or a hyphen near its middle."""
        middle = len(name) / 2
        ends = [at + 1 for at, letter in enumerate(name[:-1]) if letter in " -"]
        at = min(ends, key=lambda end: abs(end - middle)) if ends else int(middle)
        return [name[:at].strip(), name[at:].strip()]

    def _cut(self, line: str, width: float, size: float) -> str:
        if self._wide(line, size, bold=True) <= width:
            return line
        while line and self._wide(f"{line}…", size, bold=True) > width:
            line = line[:-1]
        return f"{line.strip()}…"
