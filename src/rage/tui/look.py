"""How cards and colours look in a terminal: letters, symbols, bands, backgrounds and inks.

Each colour is recognisable in four ways: by its background, its letter, its symbol and the pattern
of its band, so that a terminal needs neither colours nor Unicode to show it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from rage.rules.values import COLOURS, Colour
from rage.say import KIND_OF_CODE, catalogue, colour_name, kind_name

CLOTH: Final = "#141b24"
RAISED: Final = "#1e2835"
LINE: Final = "#3a4858"
INK: Final = "#0b0d12"
PAPER: Final = "#e9e4d6"
QUIET: Final = "#9aa7b4"
WARM: Final = "#f2c14e"
GOOD: Final = "#7bd1a5"
BAD: Final = "#f08a8f"


class Suit(NamedTuple):
    """How one colour looks: background and text colour, symbol, and the pattern of its band, which
    also serves as the symbol without Unicode."""

    field: str
    ink: str
    symbol: str
    band: str


#: Flame, sun, bolt, flower, drop, moon; in the order of the colours. None is a suit of other cards.
SUITS: Final = (
    Suit("#bc3344", "#ffffff", "▲", "/"),
    Suit("#e37b0a", INK, "☼", "o"),
    Suit("#f1ea21", INK, "↯", "z"),
    Suit("#7bd1a5", INK, "✿", ">"),
    Suit("#16729f", "#ffffff", "◉", "~"),
    Suit("#bc8ce3", INK, "☾", "#"),
)
#: Narrower cards show the sign of an action card, not its name.
_MIN_NAME_WIDTH: Final = 6
_DARK: Final = Suit("#2b3646", PAPER, "", "")
#: The sign of each action card, with Unicode and without.
_SIGNS: Final = {
    "W": ("✱", "W"),
    "C": ("↻", "C"),
    "X": ("⊘", "X"),
    "+": ("+5", "+5"),
    "-": ("-5", "-5"),
}
_GLYPHS: Final = {
    "full": ("●", "*"),
    "empty": ("○", "o"),
    "over": ("✗", "x"),
    "met": ("✓", "+"),
    "missed": ("✗", "x"),
    "act": ("▸", ">"),
    "lead": ("»", ">>"),
    "partner": ("&", "&"),
    "won": ("★", "*"),
    "point": ("▲", "^"),
    "dash": ("–", "-"),
    "dots": ("…", "..."),
    "dot": ("·", "-"),
    "part": ("│", "|"),
    "slot": ("·", "."),
    "bar": ("█", "#"),
}
#: Every sign that is not ASCII.
_DRAWN: Final = "".join(
    [*(suit.symbol for suit in SUITS), *(sign for sign, _ in (*_SIGNS.values(), *_GLYPHS.values()))]
)


class Look:
    """How things look for one person: language, edition, and ``narrow`` for ASCII only."""

    def __init__(self, language: str = "en", edition: str | None = None, *, narrow: bool = False):
        self.language = language
        self.edition = edition
        self.narrow = narrow

    def glyph(self, name: str) -> str:
        """A sign by its name, in Unicode or in ASCII."""
        return _GLYPHS[name][self.narrow]

    def symbol(self, colour: Colour) -> str:
        """The symbol of a colour, one cell wide."""
        suit = SUITS[colour.number]
        return suit.band if self.narrow else suit.symbol

    def letter(self, colour: Colour) -> str:
        """The letter (or two) of a colour in this language."""
        return catalogue(self.language)[f"letter.{colour}"]

    def colour(self, colour: Colour | None) -> Text:
        """A colour as symbol and word on its background; "no trump" for ``None``."""
        if colour is None:
            return Text(f" {catalogue(self.language)['tui.no_trump']} ", f"bold {PAPER} on {INK}")
        suit = SUITS[colour.number]
        name = colour_name(colour.letter, self.language)
        return Text(f" {self.symbol(colour)} {name} ", f"bold {suit.ink} on {suit.field}")

    def _parts(self, code: str) -> tuple[Suit, str, str, Colour | None]:
        """Suit, main text and short symbol of a card code, and its colour."""
        head = code[0]
        if head in KIND_OF_CODE:
            sign = _SIGNS[head][self.narrow]
            colour = Colour(code[1]) if len(code) > 1 else None
            suit = SUITS[colour.number] if head == "W" and colour is not None else _DARK
            return suit, sign, "" if colour is None else self.symbol(colour), colour
        colour = Colour(head)
        return SUITS[colour.number], self.letter(colour) + code[1:], self.symbol(colour), colour

    def chip(self, code: str, width: int = 0) -> Text:
        """A card on one line, at least ``width`` cells: `` ▲R15 ``."""
        suit, main, symbol, _ = self._parts(code)
        text = f"{symbol}{main}"
        text = text.center(width) if width else f" {text} "
        return Text(text, Style(color=suit.ink, bgcolor=suit.field, bold=True))

    def face(self, code: str, width: int, height: int, *, dim: bool = False) -> list[Text]:
        """A card as ``height`` lines of ``width`` cells (at least 4 by 2): letter and rank at the
        top, the symbol in the middle, the band along the bottom; an action card with its name."""
        suit, main, symbol, _ = self._parts(code)
        style = Style(color=suit.ink, bgcolor=suit.field, bold=True)
        if dim:
            style = Style(color=PAPER, bgcolor=_towards_cloth(suit.field))
        kind = KIND_OF_CODE.get(code[0])
        name = "" if kind is None else kind_name(kind, self.language, self.edition)
        left = " " if width >= 6 else ""
        right = symbol if width >= 5 else ""
        lines = [f"{left}{main}".ljust(width - len(right) - len(left)) + right + left]
        inner = max(height - 2, 0)
        if kind is not None:
            words = _wrap(name, width, inner, _syllables(self.language))
            above = (inner - len(words)) // 2
            lines += [""] * above + [word.center(width) for word in words]
            lines += [""] * (inner - above - len(words))
        else:
            rows = [""] * inner
            if inner:
                rows[(inner - 1) // 2] = symbol.center(width)
            if inner >= 3:
                rows[-1] = f"{symbol}{main:>{width - 3}}".center(width)
            lines += rows
        drawn = [Text(line[:width].ljust(width), style) for line in lines]
        return [*drawn, self._band(code, width, style, dim=dim)]

    def _band(self, code: str, width: int, style: Style, *, dim: bool) -> Text:
        """The edge of a card: its colour's pattern, or all six on a Wild without a colour."""
        _, main, _, colour = self._parts(code)
        if colour is not None:
            return Text(SUITS[colour.number].band * width, style)
        if code[0] != "W":
            return Text((main if code[0] in "+-" else "=")[0] * width, style)
        band = Text()
        for i in range(width):
            suit = SUITS[i * len(SUITS) // width]
            field = _towards_cloth(suit.field) if dim else suit.field
            band.append(suit.band, Style(color=PAPER if dim else suit.ink, bgcolor=field))
        return band

    def highlight(self, sentence: str, style: str = PAPER) -> Text:
        """A sentence with the cards that it names shown in their colours."""
        text = Text(sentence, style)
        for match in re.finditer(
            rf"(?<!\w)({'|'.join(self._letters)})(1[0-5]|[0-9])(?!\w)", sentence
        ):
            suit = SUITS[self._letters[match[1]].number]
            text.stylize(Style(color=suit.ink, bgcolor=suit.field, bold=True), *match.span())
        return text

    @property
    def _letters(self) -> dict[str, Colour]:
        return {self.letter(colour): colour for colour in COLOURS}

    def back(self, width: int, height: int, text: str = "") -> list[Text]:
        """An empty place for a card, with ``text`` in the middle."""
        style = Style(color=QUIET, bgcolor=RAISED)
        lines = [" " * width] * height
        lines[height // 2] = text[:width].center(width)
        return [Text(line, style) for line in lines]


def _wrap(name: str, width: int, rows: int, syllables: Mapping[str, str]) -> list[str]:
    """A name in at most ``rows`` lines of ``width`` cells, its words broken only between syllables;
    empty if it does not fit that way."""
    if width < _MIN_NAME_WIDTH:
        return []
    lines = [""]
    for word in name.split():
        glue = " " if lines[-1] else ""
        if len(lines[-1] + glue + word) <= width:
            lines[-1] += glue + word
            continue
        lines += [""] if lines[-1] else []
        parts = syllables.get(word.lower(), word).split("-")
        for at, part in enumerate(parts):
            hyphen = "-" if at + 1 < len(parts) else ""
            if lines[-1] and len(lines[-1] + part + hyphen) > width:
                lines[-1] += "-"
                lines.append("")
            lines[-1] += part
    return lines if len(lines) <= rows and all(len(line) <= width for line in lines) else []


@cache
def _syllables(language: str) -> dict[str, str]:
    """The words that may be broken, in lower case, each with hyphens between its syllables."""
    words = catalogue(language)["tui.syllables"].split()
    return {word.replace("-", "").lower(): word for word in words}


def _towards_cloth(colour: str) -> str:
    """A colour mixed with the background of the table, dark enough for bright text."""
    pairs = zip(_rgb(colour), _rgb(CLOTH), strict=True)
    return "#" + "".join(f"{(a * 7 + b * 13) // 20:02x}" for a, b in pairs)


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def ascii_only(encoding: str | None, terminal: str | None) -> bool:
    """Return whether an output might be limited to ASCII, by its encoding or its terminal."""
    if terminal in ("dumb", "vt100", "vt220", "linux"):
        return True
    try:
        _DRAWN.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False
