"""Sentences from codes and parameters, in the languages of ``locale``.

A refusal, a ruling or an event is data first: a :class:`Reason`. One catalogue per language
(``locale/en.json`` ...) turns it into a sentence with the card names of the edition played, or the
English one where a language lacks it. The page reads the same files, so their template language is
deliberately small:

=====================  ==========================================================
``{x}``                the parameter, unchanged
``{x:seat}``           the name of the player in that seat
``{x:seats}``          several of them, joined by "and"
``{x:seat|you}``       the same, but *you* for the reader's own seat; also with ``seats``, where
                       the reader comes first
``{x:person|you}``     a person's name; *you* if it is ``None``, which stands for the reader
``{x:you|a|b|c|d}``    the form of a word that agrees with a seat, seats or a person: *a* for the
                       reader, *b* for another, *c* for several with the reader, *d* for others
``{x:card}``           a card or a played card, from its code (``R15``, ``WR``, ``X``)
``{x:cards}``          several, from codes separated by spaces
``{x:choice}``         the same, joined by "or"
``{x:colour}``         a colour, from its letter
``{x:colours}``        several, from their letters in one string, joined by "and"
``{x:text}``           another sentence of the catalogue, by its code
``{x:reason}``         another reason
``{x:reasons}``        several, joined by ";"
``{x:number}``         a number with one decimal
``{x:plural|a|b}``     the form of a word for a number: one for each category of the language's
                       ``language.plural``
``{x:card:dative}``    a card in a form of its own, ``card.wild:dative``, or else as it is; also
                       with ``cards``, ``choice``, ``colour``, ``colours`` and ``text``, and with
                       ``seat`` and ``person`` (``seat:dative``)
=====================  ==========================================================

A sentence (its template ends with a full stop) gets a capital letter if it begins with a colour,
another sentence of the catalogue, "you" or a nameless seat. Names and bare parameters are never
changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NewType, TypeVar
from unicodedata import category

Item = TypeVar("Item")


def _languages() -> tuple[str, ...]:
    """English, then every other language with a catalogue."""
    try:
        names = os.listdir(os.path.join(os.path.dirname(__file__), "locale"))
    except NotADirectoryError:  # in a zip file
        from importlib.resources import files

        names = [each.name for each in files("rage").joinpath("locale").iterdir()]
    codes = {name.removesuffix(".json") for name in names if name.endswith(".json")}
    return ("en", *sorted(codes - {"en"}))


LANGUAGES: Final = _languages()
#: The most characters shown of a parameter, and of a name.
LONGEST: Final = 240
LONGEST_NAME: Final = 60
#: The start of the name shown for an erased person; a number follows.
ERASED: Final = "\N{EMPTY SET}"
#: ZWNJ and ZWJ, which separate or join their neighbours in Persian, Indian scripts and emoji.
JOINERS: Final = "\u200c\u200d"
#: Spaces at which no line breaks, as French has before some signs: they print as a space does.
NO_BREAK: Final = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
#: The flags of England, Scotland and Wales: a black flag, and its region in unprintable letters.
FLAGS: Final = re.compile(
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)"
    "\U000e007f"
)
_PLACE: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


#: A reason as plain data for JSON: its ``code`` alongside its parameters.
ReasonData = NewType("ReasonData", dict[str, Any])


class Reason:
    """A sentence as data: its code in the catalogue, and its parameters. ``str`` is the sentence in
    English."""

    __slots__ = ("code", "params")
    code: Final[str]
    params: Final[Mapping[str, Any]]

    def __init__(self, code: str, params: Mapping[str, Any] = {}) -> None:
        self.code = code
        self.params = params

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reason):
            return NotImplemented
        return (self.code, self.params) == (other.code, other.params)

    def __hash__(self) -> int:
        return hash(self.code)

    def sentence(
        self,
        language: str = "en",
        *,
        edition: str | None = None,
        names: Sequence[str] = (),
        you: int | None = None,
    ) -> str:
        """The sentence, with the card names of ``edition`` (by default the reason's own parameter
        ``edition``, or else generic ones) and the players' ``names`` by seat (or ``seat 2``);
        ``you`` is the seat of the reader. A reason about people of its own, as in an example, names
        them in its parameter ``cast``. Raises :class:`NotReadable` for a code that the catalogue
        lacks, and for a language or an edition that does not exist."""
        return sentence(self, language, edition=edition, names=names, you=you)

    def __str__(self) -> str:
        return sentence(self)

    def __repr__(self) -> str:
        return f"Reason({self.code!r}, {self.params!r})"

    def as_data(self) -> ReasonData:
        """The reason, and any reasons in its parameters, as plain data for JSON."""
        data: dict[str, Any] = {"code": self.code}
        for name, value in self.params.items():
            data[name] = _as_data(value)
        return ReasonData(data)


def _as_data(value: Any) -> Any:
    if isinstance(value, Reason):
        return value.as_data()
    if isinstance(value, list | tuple):
        return [_as_data(each) for each in value]
    return value


class RageError(ValueError):
    """A refusal that explains itself: ``reason`` is data, ``str()`` the English sentence."""

    __module__ = "rage"  # the name in tracebacks, under which programs catch it

    def __init__(self, code: str, /, **params: Any) -> None:
        super().__init__(code)
        plain = {name: each if isinstance(each, _PLAIN) else in_words(each)
                 for name, each in params.items()}  # fmt: skip
        self.reason: Reason = Reason(code, plain)

    def __str__(self) -> str:
        return sentence(self.reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return (partial(type(self), self.reason.code, **self.reason.params), ())


class NotReadable(RageError):
    """Something that cannot be parsed: no such setting, card, move or record."""

    __module__ = "rage"


class NotAllowed(RageError):
    """Something well-formed that a limit or the rules do not allow now."""

    __module__ = "rage"


#: The types of parameters; an object of any other type is put into words.
_PLAIN: Final = (str, int, float, type(None), tuple, list, dict, Reason)


def check_kind(given: object, kind: type, wanted: str) -> None:
    """Raise :class:`NotReadable` for anything but a ``kind``, as described by
    ``argument.<wanted>``."""
    if not isinstance(given, kind):
        raise NotReadable("argument.wrong", given=in_words(given), wanted=f"argument.{wanted}")


def as_list(given: Iterable[Item], wanted: str) -> list[Item]:
    """Convert an iterable to a list. Raises :class:`NotReadable` for anything else;
    ``argument.<wanted>`` describes what would fit."""
    try:
        return list(given)
    except TypeError:
        raise NotReadable(
            "argument.wrong", given=in_words(given), wanted=f"argument.{wanted}"
        ) from None


@cache
def catalogue(language: str) -> dict[str, str]:
    """All sentences of a language, by code; those that it lacks are the English ones. Raises
    :class:`NotReadable` for another language."""
    if language not in LANGUAGES:
        raise NotReadable(
            "language.unknown", language=in_words(language), allowed=", ".join(LANGUAGES)
        )
    import json  # imported only when needed
    from pkgutil import get_data

    data = get_data("rage", f"locale/{language}.json")  # works in a zip file, too
    assert data is not None
    own: dict[str, str] = json.loads(data)
    return own if language == "en" else completed(own)


def completed(own: Mapping[str, str]) -> dict[str, str]:
    """The sentences of a language, and the English ones where it lacks them, in which a number has
    the forms of English."""
    english = {code: words.replace(":plural|", ":plural:en|")
               for code, words in catalogue("en").items()}  # fmt: skip
    return english | {code: words for code, words in own.items() if words}  # tools leave ""


@cache
def _plural(language: str) -> Callable[[int], int]:
    """Which form of a word a language has for a whole number, as an index in the categories of its
    ``language.plural``."""
    from gettext import c2py  # imported only when needed

    return c2py(catalogue(language)["language.rule"])


def sentence(
    reason: Reason,
    language: str = "en",
    *,
    edition: str | None = None,
    names: Sequence[str] = (),
    you: int | None = None,
) -> str:
    """``reason`` as a sentence (:meth:`Reason.sentence`)."""
    check_kind(reason, Reason, "reason")
    check_kind(language, str, "text")
    texts = catalogue(language)
    if edition is not None and f"edition.{edition}" not in texts:
        raise NotReadable("edition.unknown", edition=in_words(edition), allowed=_editions(texts))
    if reason.code not in texts:
        raise NotReadable("reason.unknown", name=in_words(reason.code))
    return _sentence(reason, language, edition, names, you)


def _editions(texts: Mapping[str, str]) -> str:
    """The names of the printed editions."""
    short = "edition.short."
    return ", ".join(code.removeprefix(short) for code in texts if code.startswith(short))


def _sentence(
    reason: Reason, language: str, edition: str | None, names: Sequence[str], you: int | None
) -> str:
    """A reason of the catalogue as a sentence."""
    texts = catalogue(language)
    edition = edition or reason.params.get("edition")
    if "cast" in reason.params:
        names, you = reason.params["cast"], None
    template = texts[reason.code]

    def named(seat: int, words: Sequence[str], form: str = "") -> str:
        if words and seat == you:
            return words[0]
        return _name_in_form(seat_name(seat, language, names), texts, form)

    def nested(each: Reason) -> str:
        return _sentence(each, language, edition, names, you)

    def fill(match: re.Match[str]) -> str:
        words = placed(match)
        if match.start() == 0 and template.endswith(".") and _is_ours(match, reason, names, you):
            return words[:1].upper() + words[1:]
        return words

    def placed(match: re.Match[str]) -> str:
        key, kind = match.groups()
        value = reason.params[key]
        head, *words = (kind or "").split("|")
        head, _, form = head.partition(":")
        match head:
            case "" | "person":
                if value is None and words:
                    return words[0]
                if isinstance(value, int | float):
                    return _name_in_form(signed(value), texts, form)
                said = brief(value) if isinstance(value, str) else in_words(value)
                return _name_in_form(visible(said, language if head else ""), texts, form)
            case "seat":
                return named(value, words, form)
            case "seats":
                return join([named(seat, words) for seat in _you_first(value, you)], language)
            case "you":
                several = isinstance(value, list | tuple)
                mine = you in value if several else value is None or value == you
                at = 2 * (several and len(value) > 1) + (not mine)
                return words[at % len(words)]
            case "card":
                return card_name(value, language, edition, form)
            case "cards" | "choice":
                cards = [card_name(code, language, edition, form) for code in value.split()]
                return ", ".join(cards) if head == "cards" else join(cards, language, "list.or")
            case "colour":
                return colour_name(value, language, form)
            case "colours":
                return join([colour_name(each, language, form) for each in value], language)
            case "text":
                return _in_form(value, texts, form)
            case "reason":
                return nested(value)
            case "reasons":
                return clauses([nested(each) for each in value], language)
            case "number":
                return decimal(value, ".1f", language)
            case "plural":
                number = abs(value) if isinstance(value, int) else None
                return words[-1 if number is None else _plural(form or language)(number)]
        raise KeyError(f"{reason.code}: no placeholder {match.group()}")

    return _PLACE.sub(fill, template)


def _is_ours(match: re.Match[str], reason: Reason, names: Sequence[str], you: int | None) -> bool:
    """Whether a placeholder begins with a word of the catalogue, which can be capitalised, not with
    a name or a bare parameter."""
    value = reason.params[match[1]]
    head, *words = (match[2] or "").split("|")
    match head:
        case "seat" | "seats":
            seats = [value] if head == "seat" else _you_first(value, you)[:1]
            return not any(_has_name(seat, names) and not (words and seat == you) for seat in seats)
        case "person":
            return value is None
        case kind:
            return kind.partition(":")[0] in ("colour", "colours", "text", "you")


def _you_first(seats: Sequence[int], you: int | None) -> list[int]:
    return sorted(seats, key=lambda seat: seat != you)


def text(code: str, language: str = "en", /, edition: str | None = None, **params: Any) -> str:
    """The sentence for a code, with its parameters as keyword arguments."""
    return _sentence(Reason(code, params), language, edition, (), None)


def html_language(language: str) -> str:
    """The attributes of an HTML element in a language: ``lang="de" dir="ltr"``."""
    return f'lang="{language}" dir="{text("language.direction", language)}"'


def signed(value: float, written: str = "") -> str:
    """A number in a Python format such as ``+d``, with a true minus sign."""
    return format(value, written).replace("-", "−")


def decimal(value: float, written: str, language: str) -> str:
    """A number with the decimal sign of a language; ``written`` is a Python format such as
    ``+.1f``. A number rounded to 0 is not negative."""
    shown = format(value, written)
    if float(shown) == 0:
        shown = format(0.0, written)
    whole, point, part = shown.replace("-", "−").partition(".")
    return text("number.decimal", language, whole=whole, part=part) if point else whole


def percent(share: float, written: str, language: str) -> str:
    """A share of 1 as a percentage, formatted as by :func:`decimal`."""
    return text("number.percent", language, n=decimal(100 * share, written, language))


def seat_name(seat: int, language: str, names: Sequence[str]) -> str:
    """The name of the player in a seat, or "seat 2" (counted from 0) if the name is missing or
    empty."""
    if _has_name(seat, names):
        return visible(brief(names[seat], LONGEST_NAME), language)
    return text("seat", language, seat=seat)


def _has_name(seat: int, names: Sequence[str]) -> bool:
    return seat < len(names) and bool(names[seat].strip())


def _in_form(code: str, texts: Mapping[str, str], form: str) -> str:
    """A text of the catalogue in a form of its own, such as a case, if it has that form."""
    return texts.get(f"{code}:{form}") or texts[code]


def _name_in_form(name: str, texts: Mapping[str, str], form: str) -> str:
    """A name in a form such as "de Léa", "d'Ada", where the language has that form."""
    words = texts.get(_sounding(f"seat:{form}", name, texts), "{seat}")
    return words.replace("{seat}", name)


def kind_name(kind: str, language: str, edition: str | None, form: str = "") -> str:
    """The name that an edition prints on an action card: ``kind`` is ``wild``, ``change``, ``out``,
    ``bonus`` or ``mad``."""
    texts, code = catalogue(language), f"card.{kind}"
    return _in_form(f"{code}.{edition}" if f"{code}.{edition}" in texts else code, texts, form)


#: The kind of an action card by its code.
KIND_OF_CODE: Final = {"W": "wild", "C": "change", "X": "out", "+": "bonus", "-": "mad"}


def card_name(code: str, language: str = "en", edition: str | None = None, form: str = "") -> str:
    """The name of a card, a played card or a bid, from its code: ``R15``, ``Joker``; with the
    colour that a Wild or a Change names; in a ``form`` such as a case, where there is one."""
    kind = KIND_OF_CODE.get(code[:1])
    if kind is None:
        return catalogue(language).get(f"letter.{code[0]}", code[0]) + code[1:]
    name = kind_name(kind, language, edition, form)
    if len(code) == 1:
        return name
    return text(f"played.{kind}", language, card=name, colour=colour_name(code[1], language))


def short_name(code: str, language: str = "en") -> str:
    """A card or a move as people type it, from its code in a record: with the language's letter for
    its colour (``Gr4``, ``WGr``), and action cards by their letter or sign."""
    texts = catalogue(language)
    head, rest = code[:1], code[1:]
    if f"letter.{head}" in texts:
        return texts[f"letter.{head}"] + rest
    return head + texts.get(f"letter.{rest}", rest)


def colour_name(letter: str, language: str = "en", form: str = "") -> str:
    """A colour's name from its letter in ``docs/record.md``."""
    return _in_form(f"colour.{letter}", catalogue(language), form)


def join(words: Sequence[str], language: str = "en", code: str = "list.and") -> str:
    """Words as a list in a sentence: "A, B and C", or "A, B or C" with the code ``list.or``."""
    if len(words) < 2:
        return "".join(words)
    code = _sounding(code, words[-1], catalogue(language))
    return text(code, language, most=", ".join(words[:-1]), last=words[-1])


def clauses(words: Sequence[str], language: str) -> str:
    """Clauses joined by ";"."""
    closed = catalogue(language)["list.semicolon"]
    return " ".join([*(closed.replace("{words}", each) for each in words[:-1]), *words[-1:]])


def with_colon(words: str, language: str) -> str:
    """Words before what they name or introduce: "Ada:"."""
    return catalogue(language)["list.colon"].replace("{words}", words)


def _sounding(code: str, word: str, texts: Mapping[str, str]) -> str:
    """A code, or the one before words of some sounds: in Spanish, "Ana e Inés", "siete u ocho"."""
    return f"{code}.sound" if re.match(texts.get(f"{code}.before", "(?!)"), word) else code


def in_words(given: object) -> str:
    """Describe any object in a few words, even if its own code fails, so that an error about it can
    be sent to another process."""
    try:
        return brief(" ".join((given if isinstance(given, str) else str(given)).split())) or "''"
    except Exception:
        return type(given).__name__


def brief(words: str, most: int = LONGEST) -> str:
    """Shorten text from outside in the middle if it is too long."""
    if len(words) <= most:
        return words
    return f"{words[: most * 2 // 3]}…{words[-most // 4 :]}"


def fill(words: str, width: int, first: str = "", rest: str = "") -> str:
    """Wrap words into lines of at most ``width`` columns (at least 20), at spaces only, and not
    between the letter of a colour and its name; ``first`` and ``rest``, the prefixes of lines,
    count."""
    import textwrap  # only for terminals: the library does without

    bound = _LETTER.sub("\\1\N{NO-BREAK SPACE}", words)
    return textwrap.fill(
        bound, max(width, 20), initial_indent=first, subsequent_indent=rest,
        break_on_hyphens=False, break_long_words=False,
    ).replace("\N{NO-BREAK SPACE}", " ")  # fmt: skip


#: The letter of a colour before its name, such as ``R red``; also any capital at a word's place.
_LETTER: Final = re.compile(r"(?<!\S)([A-Z][a-z]?) (?=\w{3})")


def without_unseen(text: str) -> str:
    """Typed or pasted text, without soft hyphens, joiners, direction marks and other invisible
    characters."""
    return "".join(each for each in text if category(each) != "Cf")


def visible(name: str, language: str = "") -> str:
    """A name or other text from outside, safe to show: anything unprintable (control codes,
    direction marks, broken surrogates) is escaped, except a joiner between two printable characters
    that are not ASCII, :data:`NO_BREAK`, and the flags of :data:`FLAGS`. In a ``language``, the
    placeholder of an erased name (:data:`ERASED`) is put into words."""
    if language and name.startswith(ERASED) and name[1:].isdecimal():
        return text("name.erased", language, n=name[1:])
    if name.isprintable():
        return name
    flags = flag_places(name)
    return "".join(
        c if c.isprintable() or c in NO_BREAK or at in flags or _joins(name, at) else _escape(c)
        for at, c in enumerate(name)
    )


def flag_places(name: str) -> set[int]:
    """The indices of the characters of :data:`FLAGS`."""
    return {at for flag in FLAGS.finditer(name) for at in range(*flag.span())}


def _escape(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode()


def _joins(name: str, at: int) -> bool:
    """Whether a character is a joiner with something to join."""
    around = name[at - 1 : at] + name[at + 1 : at + 2] if at else ""
    plain = [c.isprintable() and not c.isascii() for c in around]
    return name[at] in JOINERS and plain == [True, True]
