"""A position as one line of text that people can write, like FEN in chess: ``docs/position.md``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rage.engine.moment import (
    MARKS,
    MAX_STOCK,
    MOST,
    MOST_POINTS,
    PHASES,
    UNSET,
    Cards,
    Moment,
    check_moment,
    trump_of,
)
from rage.rules.cards import (
    CARD_CODES,
    CARD_NUMBERS,
    CARD_OF_MOVE,
    LETTERS,
    MOVE_CODES,
    MOVE_NUMBERS,
    N_COLOURED,
)
from rage.rules.editions import ruleset
from rage.rules.number import read_number
from rage.rules.ruleset import RuleSet
from rage.rules.settings import MAX_PLAYERS
from rage.say import NotAllowed, NotReadable, in_words


def _number(least: int, most: int) -> Callable[[str, str], int]:
    def read(name: str, word: str) -> int:
        sign, digits = (-1, word[1:]) if word.startswith("-") else (1, word)
        number = read_number(digits, 0, max(-least, most))
        if number is None or not least <= sign * number <= most:
            raise NotReadable(
                "position.text.number", field=name, value=in_words(word), least=least, most=most
            )
        return sign * number

    return read


def _or_none(read: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
    return lambda name, word: None if word == "-" else read(name, word)


def _one_of(*words: str) -> Callable[[str, str], str]:
    def read(name: str, word: str) -> str:
        if word not in words:
            raise NotReadable(
                "position.text.word", field=name, value=in_words(word), allowed=", ".join(words)
            )
        return word

    return read


def _code(numbers: dict[str, int]) -> Callable[[str, str], int]:
    def read(name: str, word: str) -> int:
        if word not in numbers:
            raise NotReadable("position.text.card", field=name, value=in_words(word))
        return numbers[word]

    return read


def _several(read: Callable[[str, str], Any], between: str) -> Callable[[str, str], Any]:
    def read_all(name: str, word: str) -> tuple[Any, ...]:
        return tuple(read(name, each) for each in word.split(between)) if word else ()

    return read_all


def _hidden_or(read: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
    return lambda name, word: None if word == "?" else read(name, word)


def _letters(name: str, word: str) -> Cards:
    return tuple(sorted({_colour(name, letter) for letter in word}))


def _by_seat(read: Callable[[str, str], Any]) -> Callable[[str, str], Any]:
    return lambda name, word: tuple(read(name, each) for each in word.split("/"))


_colour: Final = _code({letter: number for number, letter in enumerate(LETTERS)})
_cards: Final = _several(_code(CARD_NUMBERS), ",")
_moves: Final = _several(_code({code: move for code, move in MOVE_NUMBERS.items()
                                if not code.isdigit()}), ",")  # fmt: skip
_seat: Final = _or_none(_number(0, MAX_PLAYERS - 1))
_counts: Final = _by_seat(_number(0, MOST))
_READ: Final[dict[str, Callable[[str, str], Any]]] = {
    "players": _number(1, MAX_PLAYERS),
    "round": _number(1, 33),
    "hands": _by_seat(_hidden_or(_cards)),
    "bids": _by_seat(_or_none(_number(0, MOST))),
    "phase": _one_of(*PHASES),
    "dealer": _seat,
    "won": _counts,
    "leader": _seat,
    "trick": _moves,
    "before": _moves,
    "turn": _seat,
    "stock": _cards,
    "shown": _number(0, MAX_STOCK),
    "turned": _number(0, MAX_STOCK),
    "up": _number(0, MAX_STOCK),
    "trump": _or_none(_colour),
    "seen": _cards,
    "voids": _by_seat(_letters),
    "bonus": _counts,
    "mad": _counts,
    "points": _by_seat(_number(-MOST_POINTS, MOST_POINTS)),
    "met": _by_seat(_number(0, MAX_STOCK)),
    "marks": _several(_one_of(*MARKS), ","),
}
#: The fields with an entry for each seat, and the ones with an entry for each side.
_SEATS: Final = ("hands", "won", "bids", "voids", "bonus", "mad")
_SIDES: Final = ("points", "met")


def _usual(name: str, found: dict[str, Any]) -> Any:
    """The default of a field, which may depend on the fields before it."""
    players: int = found["players"]
    rules: RuleSet = found["rules"]
    match name:
        case "round":
            return 1
        case "phase":
            if not any(hand != () for hand in found["hands"]):
                return "over" if found["round"] > len(rules.schedule) else "deal"
            return "bid" if None in found["bids"] else "play"
        case "hands":
            return ((),) * players
        case "dealer":
            return None if found["phase"] == "deal" and found["round"] == 1 else players - 1
        case "leader":
            return None if found["dealer"] is None else (found["dealer"] + 1) % players
        case "bids":
            return (None,) * players
        case "turn":
            made = sum(bid is not None for bid in found["bids"])
            done = made if found["phase"] == "bid" else len(found["trick"])
            return None if found["leader"] is None else (found["leader"] + done) % players
        case "shown":
            return min(1, len(found["stock"]))
        case "turned" | "up":
            return found["shown"]
        case "trump":
            if (set_by_trick := trump_of(found["trick"])) != UNSET:
                return set_by_trick
            turned = found["stock"][: found["turned"]]
            return turned[-1] >> 4 if turned and turned[-1] < N_COLOURED else None
        case "seen":
            lies = [CARD_OF_MOVE[move] for move in found["trick"]]
            return tuple(sorted((*lies, *found["stock"][: found["shown"]])))
        case "voids":
            return ((),) * players
        case "points" | "met":
            return (0,) * (rules.teams or players)
        case "won" | "bonus" | "mad":
            return (0,) * players
    return ()


def write_moment(moment: Moment) -> str:
    """The text of a moment, without fields that have their default."""
    given = moment._asdict()
    names = [name for name in _READ if name == "players" or given[name] != _usual(name, given)]
    fields = [f"{name}={_written(name, given[name])}" for name in names]
    return " ".join([moment.rules.name, *fields])


def _written(name: str, value: Any) -> str:
    match name:
        case "hands":
            return "/".join("?" if each is None else _listed(CARD_CODES, each) for each in value)
        case "trick" | "before":
            return _listed(MOVE_CODES, value)
        case "stock" | "seen":
            return _listed(CARD_CODES, value)
        case "voids":
            return "/".join("".join(LETTERS[colour] for colour in each) for each in value)
        case "marks":
            return ",".join(value)
        case "trump":
            return "-" if value is None else LETTERS[value]
    several = value if isinstance(value, tuple) else (value,)
    return "/".join("-" if each is None else str(each) for each in several)


def _listed(codes: tuple[str, ...], numbers: Cards) -> str:
    return ",".join(codes[number] for number in numbers)


def read_moment(text: str) -> Moment:
    """The moment that a text describes. Raises :class:`rage.NotReadable` for any other text, and
    :class:`rage.NotAllowed` for an impossible moment."""
    words = text.split()
    if not words or "=" in words[0]:
        raise NotReadable("position.text.rules")
    found: dict[str, Any] = {"rules": ruleset(words[0])}
    given: dict[str, str] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals or name not in _READ:
            raise NotReadable("position.text.field", field=in_words(name), allowed=", ".join(_READ))
        if name in given:
            raise NotReadable("position.text.twice", field=name)
        given[name] = value
    if "players" not in given:
        raise NotReadable("position.text.rules")
    for name, read in _READ.items():
        found[name] = read(name, given[name]) if name in given else _usual(name, found)
        if name == "players":
            found["rules"] = found["rules"].for_players(found[name])
        due = found["players"] if name in _SEATS else len(_usual("met", found))
        if name in (*_SEATS, *_SIDES) and len(found[name]) != due:
            raise NotAllowed("position.text.entries", field=name, n=len(found[name]), due=due)
        for value in (found[name],) if name in ("dealer", "leader", "turn") else ():
            if value is not None and value >= found["players"]:
                raise NotAllowed("view.no_seat", seat=value, last=found["players"] - 1)
    moment = Moment(**found)
    check_moment(moment)
    return moment
