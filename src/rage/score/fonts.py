"""Finds the fonts for the letters of a printed sheet, and puts letters in the order in which they
are drawn."""

from __future__ import annotations

import os
import re
import struct
import subprocess
from collections.abc import Iterator
from itertools import chain
from typing import Final
from unicodedata import bidirectional, category, normalize

from arabic_reshaper import reshape
from bidi import get_display
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from rage.say import NotReadable

#: What every PDF reader has.
_WESTERN, _BOLD = "Helvetica", "Helvetica-Bold"
#: TrueType fonts that come with Linux, macOS and Windows, those for many scripts first.
_KNOWN: Final = (
    "DejaVuSans.ttf", "NotoSans-Regular.ttf", "Arial Unicode.ttf", "arialuni.ttf", "arial.ttf",
    "Arial.ttf", "LiberationSans-Regular.ttf", "FreeSans.ttf",
    "msyh.ttc", "msgothic.ttc", "malgun.ttf", "STHeiti Medium.ttc", "AppleGothic.ttf",
    "wqy-microhei.ttc", "wqy-zenhei.ttc", "DroidSansFallbackFull.ttf", "NanumGothic.ttf",
    "NotoSansHebrew-Regular.ttf", "NotoSansArabic-Regular.ttf",
    "Nirmala.ttf", "Nirmala.ttc", "NotoSansDevanagari-Regular.ttf", "FreeSerif.ttf",
    "LeelawUI.ttf", "Thonburi.ttc", "NotoSansThai-Regular.ttf",
    "seguisym.ttf", "seguiemj.ttf", "Symbola.ttf", "Symbola_hint.ttf",
)  # fmt: skip
#: What ReportLab raises for a file that is no font, or a damaged one.
_NO_FONT: Final = (TTFError, OSError, ValueError, LookupError, AttributeError, struct.error)
#: The letters of a word that goes from right to left: Hebrew, Arabic and their like.
_LEFTWARD: Final = ("R", "AL")
#: Variation selectors.
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


class Fonts:
    """The fonts of a sheet. Each text gets the first that shows all its letters; where none does,
    each letter gets the first that shows it."""

    def __init__(self, given: str | None) -> None:
        self.missing: set[str] = set()
        self._names = [_WESTERN]
        if given is not None:
            self._names.insert(0, _load(given))
        self._untried = iter(_KNOWN)
        self._runs: dict[tuple[str, bool], list[tuple[str, str]]] = {}

    def width(self, words: str, size: float, *, bold: bool) -> float:
        """How many points of a line words take up."""
        runs = self.runs(words, bold=bold)
        widths: list[float] = [pdfmetrics.stringWidth(run, font, size) for font, run in runs]
        return sum(widths)

    def runs(self, words: str, *, bold: bool) -> list[tuple[str, str]]:
        """Words from left to right, in pieces that one font shows, each with the name of its
        font."""
        if (words, bold) not in self._runs:
            names = {_WESTERN: _BOLD} if bold else {}
            runs = [(names.get(font, font), run) for font, run in self._split(_drawn(words))]
            self._runs[words, bold] = runs
        return self._runs[words, bold]

    def _split(self, words: str) -> list[tuple[str, str]]:
        whole = self._first(words)
        if whole is not None:
            return [(whole, words)]
        runs: list[tuple[str, str]] = []
        for letter in words:
            font = runs[-1][0] if runs and _shows(runs[-1][0], letter) else self._first(letter)
            if font is None:
                self.missing.add(letter)
                font, letter = _WESTERN, "?"
            if runs and runs[-1][0] == font:
                letter = runs.pop()[1] + letter
            runs.append((font, letter))
        return runs

    def _first(self, words: str) -> str | None:
        """The first font that shows all of some words."""
        if not self.missing.isdisjoint(words):
            return None
        return next((name for name in self._fonts(words) if _shows(name, words)), None)

    def _fonts(self, words: str) -> Iterator[str]:
        """The fonts in use; and while none will do, others of this system."""
        yield from tuple(self._names)
        for file in chain(self._untried, _installed(words)):
            try:
                name = _load(file)
            except NotReadable:
                continue
            if name not in self._names:
                self._names.append(name)
                yield name


def _load(file: str) -> str:
    """Register a font file; returns the name of the font. Raises :class:`rage.NotReadable`."""
    try:
        font = TTFont(file, file)
        if "glyf" not in font.face.table:  # letters as pictures, in colour
            raise TTFError
        pdfmetrics.registerFont(font)
    except _NO_FONT as error:
        raise NotReadable("score.no_font_file", file=file) from error
    return file


def _installed(words: str) -> list[str]:
    """The files of the upright fonts in which fontconfig, where it is installed, finds all letters
    of some words."""
    letters = " ".join(sorted({f"{ord(letter):x}" for letter in words}))
    pattern = f":charset={letters}:fontformat=TrueType:weight=80:slant=0"
    try:
        found = subprocess.run(
            ["fc-list", "-f", "%{file}\n", pattern], capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return sorted(os.fsdecode(found.stdout).splitlines())


def _shows(name: str, words: str) -> bool:
    """Whether a font shows all of some words."""
    if name == _WESTERN:
        return words == words.encode("cp1252", "ignore").decode("cp1252")
    glyphs: dict[int, int] = pdfmetrics.getFont(name).face.charToGlyph
    return all(ord(letter) in glyphs for letter in words)


def _drawn(words: str) -> str:
    """Words as they are drawn: composed, and from left to right, with Arabic letters joined. What
    only changes how its neighbours look is left out."""
    words = _SELECTORS.sub("", normalize("NFC", words))
    if any(bidirectional(letter) in _LEFTWARD for letter in words):
        words = get_display(reshape(words))
    return "".join(letter for letter in words if category(letter) != "Cf")
