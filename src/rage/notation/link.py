"""A whole game in the fragment of a link, at most 2,000 characters for ten rounds of eight.

A fragment is ``1.`` and two parts in base64url, separated by a dot. The first is JSON, deflated:
the rule set's name, the players, and the other fields. The second is one large number in a mixed
radix, least significant digit first: a check of 16 bits, the number of rounds, and for each round
the deal (each card as its place among the kinds still in the pack) and the decisions (each as its
place among the legal moves). So only legal games have a link.
"""

from __future__ import annotations

import binascii
import zlib
from copy import copy
from typing import Any, Final

from rage.engine.deal import Deal
from rage.game.game import Game
from rage.notation.digits import Digits, from_base64url, to_base64url
from rage.notation.fields import DEEPEST, read_json
from rage.notation.reader import record_from
from rage.notation.record import FORMAT, VERSION, NotARecord, Record, complete, deals_of, record_of
from rage.notation.validation import replay
from rage.notation.writer import check_size, json_text, rules_data, write_record
from rage.rules.cards import N_CARDS
from rage.rules.editions import ruleset
from rage.rules.hands import cards_of
from rage.rules.ruleset import RuleSet, pack
from rage.rules.settings import MAX_ROUNDS
from rage.say import RageError, check_kind

_PREFIX: Final = "1."
_MAX_FRAGMENT: Final = 1 << 20
#: Likely names and fields: a dictionary for deflate. Part of the format: never change it.
_COMMON: Final = (
    b'"commitment":"words":"seed":"started":"2026-"ended":"id":"comment":"site":"event":'
    b'"bots":[null,"steady","random","steady"],"first_round":["Player 1","Player 2","Player 3",'
    b'"Player 4","Player 5","Player 6","Player 7","Player 8"]["poof","amigo","fundex'
)


def write_link(record: Record) -> str:
    """The fragment of a record. Raises :class:`rage.notation.BrokenRule` if the record breaks a
    rule, and like :func:`write_record` if it cannot be written."""
    game = replay(record)
    record = copy(record)  # completed here with its results
    record.rounds = [copy(each) for each in record.rounds]
    complete(record, game)
    digits = Digits()
    digits.put(zlib.crc32(write_record(record)) & 0xFFFF, 1 << 16)
    digits.put(len(game.rounds), MAX_ROUNDS + 1)
    dealer = deals_of(record)
    deals = [written.deal for written in record.rounds]
    first = record.first_round
    seeded = dealer is not None and deals == [dealer.deal(first + i) for i in range(len(deals))]
    digits.put(int(seeded), 2)
    if deals and not seeded:
        digits.put(deals[0].dealer, game.players)
    again = Game(record.rules, record.names, deals=(), first_round=first)
    for played, deal in zip(game.rounds, deals, strict=True):
        if not seeded:
            _put_deal(digits, record.rules, deal)
        again.deal(deal)
        moves = played.moves
        digits.put(len(moves), _most_decisions(again))
        for move in moves:
            legal = again.legal_moves
            digits.put(legal.index(move), len(legal))
            again.play(move)
    fields, number = to_base64url(_pack_fields(record)), to_base64url(digits.as_bytes())
    fragment = f"{_PREFIX}{fields}.{number}"
    check_size(fragment.encode())
    return fragment


def read_link(fragment: str) -> Record:
    """The record of a fragment, or of a link that ends in one; anything after an ``&`` says how to
    show the game, and is ignored. Raises :class:`NotARecord`."""
    check_kind(fragment, str, "text")
    text = fragment.rpartition("#")[2].partition("&")[0].strip()
    try:
        if not text.startswith(_PREFIX) or len(text) > _MAX_FRAGMENT:
            raise ValueError
        fields, _, number = text[len(_PREFIX) :].partition(".")
        return _read(json_fields(from_base64url(fields)), from_base64url(number))
    except (RageError, ValueError, binascii.Error, zlib.error, LookupError, TypeError):
        raise NotARecord("notation.not_a_link") from None


def _read(fields: dict[str, Any], number: bytes) -> Record:
    extra = fields["extra"]
    if not isinstance(fields["rules"], str):
        raise ValueError
    rules = ruleset(fields["rules"])
    first = fields.get("first_round", 1)
    # Run the checks of the format: names, number of players, limits.
    shape = {"format": FORMAT, "version": VERSION, "rules": rules_data(rules), "rounds": []}
    head = record_from({**extra, **shape, "players": fields["players"], "first_round": first})
    if len(number) > _most_bytes(rules, len(head.names)):
        raise ValueError  # taking a digit divides the whole number
    digits = Digits(number)
    check = digits.take(1 << 16)
    rounds = digits.take(MAX_ROUNDS + 1)
    dealer = deals_of(head) if digits.take(2) else None
    game = Game(rules, head.names, deals=(), first_round=first)
    seat = digits.take(game.players) if rounds and dealer is None else 0
    for i in range(rounds):
        if dealer is not None:
            deal = dealer.deal(first + i)
        else:
            size = rules.schedule[first + i - 1]
            deal = _take_deal(digits, rules, (seat + i) % game.players, game.players, size)
        game.deal(deal)
        for _ in range(digits.take(_most_decisions(game))):
            legal = game.legal_moves
            game.play(legal[digits.take(len(legal))])
    record = record_of(game)
    record.extra = extra
    if "rounds" in fields:
        for written, more in zip(record.rounds, fields["rounds"], strict=True):
            written.extra = more
    if digits.left or zlib.crc32(write_record(record)) & 0xFFFF != check:
        raise ValueError
    return record


def _most_bytes(rules: RuleSet, players: int) -> int:
    """An upper bound on the bytes of a game's number: one for each digit, and one more for the
    check, the only digit with more than 256 values."""
    digits = 4 + 1
    for hand in rules.schedule:
        digits += 1 + rules.pack_size + 1 + players * (hand + 1)
    return digits


def _most_decisions(game: Game) -> int:
    return game.players * (game.position.hand_size + 1) + 1


def _put_deal(digits: Digits, rules: RuleSet, deal: Deal) -> None:
    left = _counts(rules)
    digits.put(len(deal.stock), rules.pack_size + 1)
    _, hands, stock_cards = deal.numbers()
    for card in (*(card for hand in hands for card in hand), *stock_cards):
        kinds = [kind for kind in range(N_CARDS) if left[kind]]
        digits.put(kinds.index(card), len(kinds))
        left[card] -= 1


def _take_deal(digits: Digits, rules: RuleSet, dealer: int, players: int, size: int) -> Deal:
    left = _counts(rules)
    stock = digits.take(rules.pack_size + 1)
    cards = []
    for _ in range(players * size + stock):
        kinds = [kind for kind in range(N_CARDS) if left[kind]]
        card = kinds[digits.take(len(kinds))]
        left[card] -= 1
        cards.append(card)
    dealt = players * size
    hands = [cards_of(cards[i : i + size]) for i in range(0, dealt, size)]
    return Deal(dealer, hands, cards_of(cards[dealt:]))


def _counts(rules: RuleSet) -> list[int]:
    counts = [0] * N_CARDS
    for card in pack(rules):
        counts[card] += 1
    return counts


def _pack_fields(record: Record) -> bytes:
    """Everything except deals and moves: JSON, deflated."""
    fields: dict[str, Any] = {"rules": record.rules.name, "players": record.names}
    fields["extra"] = record.extra
    if record.first_round != 1:
        fields["first_round"] = record.first_round
    if any(each.extra for each in record.rounds):
        fields["rounds"] = [each.extra for each in record.rounds]
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_COMMON)
    data = check_size(json_text(fields).encode())
    return deflate.compress(data) + deflate.flush()


def json_fields(data: bytes) -> dict[str, Any]:
    """The fields in the first part of a fragment. Raises ValueError and zlib.error."""
    inflate = zlib.decompressobj(-15, zdict=_COMMON)
    # The record's fields are inside "extra" here, one level deeper.
    fields = read_json(inflate.decompress(data, _MAX_FRAGMENT), DEEPEST + 1)
    if not isinstance(fields, dict) or not isinstance(fields.get("extra"), dict):
        raise ValueError
    return fields
