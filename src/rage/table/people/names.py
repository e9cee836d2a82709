"""The names that people and bots can have, and which names look or read the same.

A name is stored in composed form (NFC), with single spaces inside and none around it. It has at
least one visible character, and none that hides, moves or covers others:

- no control characters, line separators, private-use, unassigned or surrogate code points, and
  no format characters (``Cf``: direction marks and overrides, soft hyphens, tags);
- except the two joiners (ZWNJ and ZWJ) between two visible characters, which Persian, the scripts
  of India and many emoji need, and the tags in the flags of England, Scotland and Wales;
- a combining mark or variation selector only after a character, and no more than
  :data:`MAX_MARKS` of them in a row;
- none of the letters that are drawn as a blank (:data:`_BLANK`).

Two names are *alike* if people could mistake one for the other: if they differ only in case, in
accents, in invisible characters, in compatibility forms (full-width and mathematical letters), in
letters of other scripts (Cyrillic, Greek, Armenian, Cherokee, Lisu, Coptic) that look like Latin
ones, or in ``0``/``O``, ``1``/``l``/``I``/``|``, ``rn``/``m`` and ``vv``/``w``.
"""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category, normalize
from unicodedata import name as unicode_name

from rage.say import JOINERS, NotReadable, flag_places

MAX_NAME: Final = 40
#: No script needs more marks than this in a row; more would cover the lines above and below.
MAX_MARKS: Final = 4
#: Letters, marks and symbols that are drawn as nothing (Hangul fillers, the braille blank ...).
_BLANK: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159\U00013441\U00013442"
)
#: Scripts whose only marks are accents, by the first word of their letters' Unicode names.
_WESTERN: Final = frozenset(("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "DIGIT"))
_SELECTORS: Final = re.compile(r"[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
#: Blanks of any width, except tabs, line ends and other control characters.
_BLANKS: Final = re.compile(r"[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_REFUSED: Final = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
#: Accents and vowel signs without which a name still reads the same: of Latin, Greek and Cyrillic,
#: of Hebrew and of Arabic. (The vowel signs of India and South-East Asia make different names.)
_ACCENTS: Final = re.compile(
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]"
)
#: By Latin letter, the letters that look like it. Case matters: a Greek capital eta looks like H, a
#: small one like n.
_LOOKALIKES: Final = {
    "A": "\u0410\u0391\u13aa", "B": "\u0412\u0392\u13f4", "C": "\u0421\u03f9\u13df",
    "D": "\u13a0\u0110", "E": "\u0415\u0395\u13ac", "G": "\u050c\u13c0",
    "H": "\u041d\u0397\u13bb\u0126",
    "I": "\u0406\u0399\u04c0\u13c6", "J": "\u0408\u037f\u13ab", "K": "\u041a\u039a\u13e6",
    "L": "\u13de\u053c\u0141", "M": "\u041c\u039c\u13b7", "N": "\u039d",
    "O": "\u041e\u039f\u0555\u00d8",
    "P": "\u0420\u03a1\u13e2", "Q": "\u051a", "R": "\u13a1", "S": "\u0405\u054f\u13da",
    "T": "\u0422\u03a4\u13a2", "U": "\u054d", "V": "\u0474\u13d9", "W": "\u051c\u13b3",
    "X": "\u0425\u03a7", "Y": "\u0423\u03a5\u04ae", "Z": "\u0396\u13c3",
    "a": "\u0430\u03b1\u0251", "b": "\u044c\u042c", "c": "\u0441\u03f2", "d": "\u0501\u0111",
    "e": "\u0435", "g": "\u0261\u0581", "h": "\u04bb\u0570\u0127", "i": "\u0456\u03b9\u0131",
    "j": "\u0458\u03f3", "k": "\u043a\u03ba", "l": "\u04cf\u0142", "n": "\u0578\u03b7",
    "o": "\u043e\u03bf\u0585\u00f8", "p": "\u0440\u03c1", "q": "\u051b\u0566", "s": "\u0455",
    "t": "\u0442\u03c4", "u": "\u057d\u03c5", "v": "\u03bd\u0475", "w": "\u051d\u03c9",
    "x": "\u0445\u03c7", "y": "\u0443\u03b3\u04af", "3": "\u0417\u0437", "6": "\u0431",
}  # fmt: skip
#: The same for letters of Lisu and Coptic, and for small capitals.
_MORE_LOOKALIKES: Final = {
    "A": "\ua4ee\u2c80\u2c81\u1d00", "B": "\ua4d0\u2c82\u2c83\u0299",
    "C": "\ua4da\u2ca4\u2ca5\u1d04", "D": "\ua4d3\u1d05", "E": "\ua4f0\u2c88\u2c89\u1d07",
    "F": "\ua4dd", "G": "\ua4d6\u0262", "H": "\ua4e7\u2c8e\u2c8f\u029c",
    "I": "\ua4f2\u2c92\u2c93\u026a", "J": "\ua4d9\u1d0a", "K": "\ua4d7\u2c94\u2c95\u1d0b",
    "L": "\ua4e1\u029f", "M": "\ua4df\u2c98\u2c99\u1d0d", "N": "\ua4e0\u2c9a\u2c9b\u0274",
    "O": "\ua4f3\u2c9e\u2c9f\u1d0f", "P": "\ua4d1\u2ca2\u2ca3\u1d18", "R": "\ua4e3\u0280",
    "S": "\ua4e2", "T": "\ua4d4\u2ca6\u2ca7\u1d1b", "U": "\ua4f4\u1d1c", "V": "\ua4e6\u1d20",
    "W": "\ua4ea\u1d21", "X": "\ua4eb\u2cac\u2cad", "Y": "\ua4ec\u2ca8\u2ca9\u028f",
    "Z": "\ua4dc\u1d22",
}  # fmt: skip
_LATIN: Final = {
    ord(other): latin
    for table in (_LOOKALIKES, _MORE_LOOKALIKES)
    for latin, others in table.items()
    for other in others
}
#: Latin letters, digits and signs that look alike.
_STROKES: Final = str.maketrans(dict.fromkeys("Il|\u01c0\u2223", "1") | {"0": "O"})


def read_name(text: str) -> str:
    """The stored form of a name. Raises :class:`rage.NotReadable` for text that is not one."""
    name = normalize("NFC", _BLANKS.sub(" ", text.strip()))
    _check_characters(name)
    _check_marks(name)
    if not any(_visible(letter) for letter in name):
        raise NotReadable("name.empty")
    if len(name) > MAX_NAME:
        raise NotReadable("name.long", most=MAX_NAME)
    return name


def name_from(text: str) -> str:
    """The closest valid name for any text, such as a user name; empty if nothing in it is
    visible."""
    try:
        return read_name(text)
    except NotReadable:
        plain = "".join(each for each in text if each == " " or _visible(each))
        return " ".join(normalize("NFC", plain).split())[:MAX_NAME].strip()


def _check_characters(name: str) -> None:
    """Raise :class:`rage.NotReadable` for a character that is not allowed, or not in its place."""
    flags = flag_places(name)
    for at, letter in enumerate(name):
        if letter in JOINERS:
            around = name[at - 1 : at] + name[at + 1 : at + 2]
            allowed = len(around) == 2 and at > 0 and all(map(_joined, around))
        else:
            allowed = at in flags or (letter not in _BLANK and category(letter) not in _REFUSED)
        if not allowed:
            raise NotReadable("name.character", character=f"U+{ord(letter):04X}")


def _joined(letter: str) -> bool:
    """Return whether a joiner may stand beside a character."""
    return _visible(letter) or _is_mark(letter)


def _check_marks(name: str) -> None:
    """Raise :class:`rage.NotReadable` for combining marks without a letter, or too many on one."""
    row = MAX_MARKS  # so that no name begins with a mark
    for letter in name:
        if not _is_mark(letter):
            row = 0 if letter != " " else MAX_MARKS
        elif (row := row + 1) > MAX_MARKS:
            raise NotReadable("name.marks", most=MAX_MARKS)


def _is_stray(name: str, at: int) -> bool:
    """Return whether a mark follows a letter of a script without such marks, so that it is
    invisible or looks like an accent."""
    if not _is_mark(name[at]):
        return False
    base = next((each for each in reversed(name[:at]) if not _is_mark(each)), " ")
    return unicode_name(base, "").partition(" ")[0] in _WESTERN


def _is_mark(letter: str) -> bool:
    return category(letter)[0] == "M"


def _visible(letter: str) -> bool:
    """Return whether a character is visible by itself."""
    return letter not in _BLANK and category(letter)[0] in "LNPS"


def alike(one: str, other: str) -> bool:
    """Return whether one of two names could be mistaken for the other."""
    return any(a == b for a, b in zip(forms(one), forms(other), strict=True))


def forms(name: str) -> tuple[str, str]:
    """A name as it reads, regardless of case, and as it looks, in its own case: names that agree in
    either are alike."""
    bare = _bare(name)
    read = _bare(bare.casefold()).translate(_LATIN)
    seen = bare.translate(_LATIN).translate(_STROKES).replace("rn", "m").replace("vv", "w")
    return read.casefold(), seen.casefold()


def _bare(name: str) -> str:
    """A name without accents and invisible characters, with single spaces."""
    name = _SELECTORS.sub("", _ACCENTS.sub("", normalize("NFKD", name)))
    name = "".join(each for at, each in enumerate(name) if not _is_stray(name, at))
    name = "".join(letter for letter in name if category(letter) != "Cf" and letter not in _BLANK)
    return " ".join(normalize("NFC", name).split())
