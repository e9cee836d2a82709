"""A position as one line of text that people can write, like FEN in chess: ``docs/position.md``.

Text is checked when it is read, so that the kernel can play on from there. Whether a game could
have come to it is not asked in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from rage.rules.cards import (
    BONUS,
    CARD_CODES,
    CARD_NUMBERS,
    CARD_OF_MOVE,
    CHANGE,
    LETTERS,
    MAD,
    MOVE_CODES,
    MOVE_NUMBERS,
    N_COLOURED,
    PLAY_CHANGE,
    PLAY_CHANGE_TURNED_UP,
    PLAY_OUT,
)
from rage.rules.editions import name_of, ruleset
from rage.rules.number import read_number
from rage.rules.ruleset import MAX_PLAYERS, RuleSet, pack
from rage.say import NotAllowed, NotReadable, in_words

PHASES: Final = ("deal", "bid", "play", "over")
MARKS: Final = ("whole", "due", "short")
#: The most cards of a stock that a position keeps (``STOCK_KEPT`` in the kernel, which is not seen
#: from outside once compiled), and the most of anything counted in a byte.
MAX_STOCK: Final = 32
_MOST: Final = 15
_UNSET: Final = -1
#: The most that 16 bits hold.
_MOST_POINTS: Final = 32_767

Cards = tuple[int, ...]


class Moment(NamedTuple):
    """A position as numbers: cards, moves and colours as in :mod:`rage.rules.cards`. A hand is
    ``None`` if it is hidden; ``None`` also stands for no seat, no bid and no colour. The fields are
    in the order of the text."""

    rules: RuleSet
    players: int
    round: int
    hands: tuple[Cards | None, ...]
    bids: tuple[int | None, ...]
    phase: str
    dealer: int | None
    won: Cards
    leader: int | None
    trick: Cards
    before: Cards
    turn: int | None
    stock: Cards
    shown: int
    turned: int
    up: int
    trump: int | None
    seen: Cards
    voids: tuple[Cards, ...]
    bonus: Cards
    mad: Cards
    points: Cards
    met: Cards
    marks: tuple[str, ...]

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each player in the round under way, or the last one."""
        at = self.round - (1 if self.phase in ("bid", "play") else 2)
        return self.rules.schedule[at] if at >= 0 else 0


# --- the fields ----------------------------------------------------------------------------


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
_counts: Final = _by_seat(_number(0, _MOST))
_READ: Final[dict[str, Callable[[str, str], Any]]] = {
    "players": _number(1, MAX_PLAYERS),
    "round": _number(1, 33),
    "hands": _by_seat(_hidden_or(_cards)),
    "bids": _by_seat(_or_none(_number(0, _MOST))),
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
    "points": _by_seat(_number(-_MOST_POINTS, _MOST_POINTS)),
    "met": _by_seat(_number(0, MAX_STOCK)),
    "marks": _several(_one_of(*MARKS), ","),
}
#: The fields with an entry for each seat, and the ones with an entry for each side.
_SEATS: Final = ("hands", "won", "bids", "voids", "bonus", "mad")
_SIDES: Final = ("points", "met")


def _trump_of(trick: Cards) -> int | None:
    """The trump that a trick has set so far: by the last Change that names one, or by an Out.
    :data:`_UNSET` if by neither, or by a Change that turns it up."""
    for move in reversed(trick):
        if move == PLAY_OUT:
            return None
        if PLAY_CHANGE <= move <= PLAY_CHANGE_TURNED_UP:
            return move - PLAY_CHANGE if move < PLAY_CHANGE_TURNED_UP else _UNSET
    return _UNSET


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
            if (set_by_trick := _trump_of(found["trick"])) != _UNSET:
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


# --- reading and writing -------------------------------------------------------------------


def write_moment(moment: Moment) -> str:
    """The text of a moment, without fields that have their default."""
    given = moment._asdict()
    names = [name for name in _READ if name == "players" or given[name] != _usual(name, given)]
    fields = [f"{name}={_written(name, given[name])}" for name in names]
    return " ".join([name_of(moment.rules), *fields])


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


# --- what can be ---------------------------------------------------------------------------


def check_moment(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` for an impossible moment. Each number must be in the range of
    its field in a text."""
    _check_round(moment)
    _check_stock(moment)
    _check_cards(moment)


def _wrong(field: str, due: object) -> NotAllowed:
    return NotAllowed("position.text.due", field=field, due=str(due))


def _check_round(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless round, seats, bids and tricks are consistent."""
    players, rounds = moment.players, len(moment.rules.schedule)
    at_work, over = moment.phase in ("bid", "play"), moment.phase == "over"
    if not (rounds + 1 if over else 1) <= moment.round <= rounds + over:
        raise _wrong("round", rounds + over)
    begun = at_work or moment.round > 1
    for name in ("dealer", "leader", "turn"):
        if (getattr(moment, name) is not None) != begun:
            raise _wrong(name, "0" if begun else "-")
    most = 0 if moment.phase == "bid" else moment.hand_size - (moment.phase == "play")
    if sum(moment.won) > most:
        raise _wrong("won", most)
    most = players - 1 if moment.phase == "play" else 0
    if len(moment.trick) > most:
        raise _wrong("trick", most)
    if len(moment.before) not in (0, players - len(moment.trick)):
        raise _wrong("before", players - len(moment.trick))
    set_by_trick = _trump_of(moment.trick)
    if set_by_trick not in (_UNSET, moment.trump):
        raise _wrong("trump", "-" if set_by_trick is None else LETTERS[set_by_trick])
    if not begun:
        return
    assert moment.leader is not None
    assert moment.dealer is not None
    assert moment.turn is not None
    if moment.phase == "bid" and moment.leader != (moment.dealer + 1) % players:
        raise _wrong("leader", (moment.dealer + 1) % players)
    if moment.phase != "bid" and moment.turn != (moment.leader + len(moment.trick)) % players:
        raise _wrong("turn", (moment.leader + len(moment.trick)) % players)
    made = players if moment.phase != "bid" else (moment.turn - moment.leader) % players
    open_bids, secret = (moment.rules.bidding == each for each in ("open", "secret"))
    hidden = secret if moment.phase == "play" else moment.phase == "bid" and not open_bids
    for seat, bid in enumerate(moment.bids):
        has_bid = (seat - moment.leader) % players < made
        if bid is not None and not has_bid and open_bids:
            raise NotAllowed("position.text.bid.early", seat=seat)
        if bid is None and has_bid and at_work and not hidden:
            raise NotAllowed("position.text.bid.missing", seat=seat)
        if (bid or 0) > moment.hand_size:
            raise NotAllowed("position.text.bid.high", seat=seat, most=moment.hand_size)


def _check_stock(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless the size of the stock fits its limit and counts."""
    if len(moment.stock) > MAX_STOCK:
        raise _wrong("stock", MAX_STOCK)
    most = {"shown": len(moment.stock), "turned": moment.shown, "up": len(moment.stock)}
    for name, limit in most.items():
        if getattr(moment, name) > limit:
            raise _wrong(name, limit)


def _check_cards(moment: Moment) -> None:
    """Raise :class:`rage.NotAllowed` unless the hands have their sizes and the pack has the
    cards."""
    players = moment.players
    for seat, hand in enumerate(moment.hands):
        due = 0
        if moment.phase in ("bid", "play"):
            assert moment.leader is not None
            played = (seat - moment.leader) % players < len(moment.trick)
            due = moment.hand_size - sum(moment.won) - played
        if hand is not None and len(hand) != due:
            raise NotAllowed("position.hand_size", seat=seat, cards=len(hand), due=due)
    names_change = moment.rules.change == "choose"
    moves = [("trick", move) for move in moment.trick]
    for field, move in (*moves, *[("before", move) for move in moment.before]):
        if CARD_OF_MOVE[move] == CHANGE and (move == PLAY_CHANGE_TURNED_UP) == names_change:
            raise NotReadable("position.text.card", field=field, value=MOVE_CODES[move])
    seen, on_table = Counter(moment.seen), [CARD_OF_MOVE[move] for move in moment.trick]
    for field, cards in (("trick", on_table), ("stock", moment.stock[: moment.shown])):
        for card, n in Counter(cards).items():
            if seen[card] < n:
                raise NotAllowed("position.text.unseen", field=field, card=CARD_CODES[card])
    held = [card for hand in moment.hands for card in hand or ()]
    hidden = [*held, *moment.stock[moment.shown :]]
    _check_pack(moment, [*moment.seen, *hidden])
    # The cards of earlier tricks may be forgotten (Position.forgetful), but not what they brought.
    _check_pack(moment, [*on_table, *(CARD_OF_MOVE[move] for move in moment.before), *held])
    won = [BONUS] * sum(moment.bonus) + [MAD] * sum(moment.mad)
    _check_pack(moment, [*won, *on_table, *hidden])
    for seat, hand in enumerate(moment.hands):
        for card in hand or ():
            if card < N_COLOURED and card >> 4 in moment.voids[seat]:
                raise NotAllowed("position.text.void", seat=seat, card=CARD_CODES[card])


def _check_pack(moment: Moment, cards: list[int]) -> None:
    """Raise :class:`rage.NotAllowed` unless the pack has all of these cards."""
    left = Counter(pack(moment.rules))
    for card in cards:
        left[card] -= 1
        if left[card] < 0:
            raise NotAllowed("position.too_often", card=CARD_CODES[card])
