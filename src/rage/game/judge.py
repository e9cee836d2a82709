"""Judge a trick of real cards: who wins it, where the printed editions differ, and whether a card
can be played to it.

Cards are codes as in ``docs/record.md``, but a Change is always written with a colour: the trump
after it, named or turned up. The kernel judges: it plays deals that lead to parts of the trick,
because a trick of real cards may have more cards than a table has seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from rage.engine.deal import Deal
from rage.engine.position import Position, position_at
from rage.game.game import Game
from rage.game.history import Round, Trick, TrumpChange
from rage.game.rulings import example_move, names_colour, refusal, ruling, sets_led
from rage.rules.cards import CARD_OF_MOVE
from rage.rules.editions import ruleset
from rage.rules.frozen import Value
from rage.rules.hands import Cards, Hand, Moves, cards_of
from rage.rules.number import whole_number
from rage.rules.ruleset import EDITIONS, RuleSet, pack
from rage.rules.settings import MAX_HAND, MAX_PLAYERS, PRINTED
from rage.rules.values import Card, Colour, Move
from rage.say import NotAllowed, NotReadable, Reason, as_list

#: Any number of players, because a trick that is not full is judged as it stands.
_ANY_NUMBER: Final = (1, MAX_PLAYERS)


class Verdict(Value):
    """Who wins a trick, and why; ``winner`` is ``None`` for an illegal trick, and ``why`` says
    so."""

    winner: int | None
    why: Reason


class Difference(NamedTuple):
    """Printed editions that judge differently."""

    editions: tuple[str, ...]
    verdict: Verdict


class Situation(NamedTuple):
    """A trick in progress: its cards in the order played, as moves, the trump before it (``None``
    for none), and the number of players. A seat is the place in the order of play: 0 leads."""

    rules: RuleSet
    moves: Moves
    trump: Colour | None
    players: int


def read_played(code: str) -> Move:
    """Parse a card in a trick; a Change has a colour under all rules. Raises
    :class:`rage.NotReadable`."""
    if code in ("W", "C"):
        raise NotReadable("judge.needs_colour", card=code)
    try:
        move = Move(code)
    except NotReadable:
        raise NotReadable("judge.no_card", card=code) from None
    if move.is_bid:
        raise NotReadable("judge.no_card", card=code)
    return move


def read_card(code: str) -> Card:
    """Parse a card in a hand. Raises :class:`rage.NotReadable`."""
    try:
        return Card(code)
    except NotReadable:
        raise NotReadable("judge.no_held_card", card=code) from None


def situation(
    rules: RuleSet, moves: Iterable[Move], trump: Colour | None, players: int | None = None
) -> Situation:
    """The trick among ``players``; by default the fewest that the rules and the cards allow. Raises
    :class:`rage.NotAllowed` if it has too many cards, or the rules do not allow that many
    players."""
    played = Moves(moves)
    players = None if players is None else whole_number(players)
    n = fewest_players(rules, len(played)) if players is None else players
    if len(played) > n:
        raise NotAllowed("judge.too_many", n=len(played), players=n)
    rules.replace(schedule=(1,)).for_players(n, real_cards=True)
    return Situation(rules, played, trump, n)


def fewest_players(rules: RuleSet, cards: int) -> int:
    """The fewest players of these rules who can play ``cards`` cards to a trick; ``cards`` if that
    is too many for them."""
    return next((each for each in rules.player_counts if each >= cards), cards)


def judge(
    rules: RuleSet | str,
    cards: str | Iterable[Move | Card | str],
    trump: Colour | str | None,
    players: int | None = None,
) -> Verdict:
    """Who wins a trick of real cards, or would win it as it stands, and why: ``judge("poof", "R5 WR
    CB X", trump="Y")``. ``cards`` are in the order played: a Wild with the colour it is called and,
    under all rules, a Change with the trump after it. ``trump`` is the colour before the trick,
    ``None`` for none. Seats are places in the order of play: 0 leads. The trick is among
    ``players``, by default the fewest that the rules and the cards allow.

    Raises :class:`rage.NotReadable` for anything but these, and :class:`rage.NotAllowed` for a
    trick that the rules do not allow."""
    chosen = rules if isinstance(rules, RuleSet) else ruleset(rules)
    played = cards.split() if isinstance(cards, str) else as_list(cards, "cards")
    moves = [read_played(str(each)) for each in played]
    return verdict(situation(chosen, moves, None if trump is None else Colour(trump), players))


def verdict(found: Situation) -> Verdict:
    """Who wins the trick, or would win it as it stands. Raises :class:`rage.NotAllowed` if the
    trick is illegal."""
    if not found.moves:
        raise NotAllowed("judge.empty")
    _left(found.rules, found.moves)
    changes = _trump_changes(found)
    winner = _winner(found, changes[-1].trump)
    n, moves = len(found.moves), Moves(_as_played(move, found.rules) for move in found.moves)
    trick = Trick(n, 0, moves, winner, changes[-1].trump)
    current = Round(1, None, n - 1, 1, (0,) * n, changes, (trick,), None, None)
    return Verdict(winner, ruling(current, 0, found.rules.second_wild))


def _trump_changes(found: Situation) -> tuple[TrumpChange, ...]:
    """How the trump was set before the trick and in it: the kernel plays its Changes and Outs, of
    which no pack has more than eight."""
    places = [at for at, move in enumerate(found.moves) if move.card in (Card.CHANGE, Card.OUT)]
    before, *others = _played(found, places).rounds[0].trump_changes
    return before, *(
        each._replace(card=places[each.card], seat=places[each.card]) for each in others
    )


def _winner(found: Situation, trump: Colour | None) -> int:
    """The place of the winning card: the kernel compares the cards that have a colour, eight at a
    time, always with the one that was led."""
    led, *others = [at for at, move in enumerate(found.moves) if sets_led(move)] or [0]
    best = led
    while others:
        places = [*dict.fromkeys((led, best)), *others[:6]]
        winner = _played(found._replace(trump=trump), places).rounds[0].tricks[0].winner
        assert winner is not None
        best, others = places[winner], others[6:]
    return best


def opinion(found: Situation) -> Verdict:
    """Like :func:`verdict`, with the reason instead of an error for an illegal trick."""
    try:
        return verdict(found)
    except NotAllowed as error:
        return Verdict(None, error.reason)


def edition_differences(found: Situation) -> Iterator[Difference]:
    """The printed editions that give the trick to another seat, or disagree on whether it is legal,
    grouped by verdict."""
    mine = opinion(found)
    others: dict[str, tuple[Verdict, list[str]]] = {}
    for edition in PRINTED:
        if edition == found.rules.edition:
            continue
        other = opinion(found._replace(rules=EDITIONS[edition]))
        if other.winner != mine.winner:
            others.setdefault(repr(other), (other, []))[1].append(edition)
    for other, editions in others.values():
        yield Difference(tuple(editions), other)


def why_not(found: Situation, hand: Iterable[Card | str], code: str) -> Reason | None:
    """Why a card of a hand (with a colour or without) cannot be played now by the seat whose turn
    it is, or ``None`` if it can. Raises :class:`rage.NotReadable` for anything but a card, and
    :class:`rage.NotAllowed` if the trick is full or the pack has too few of a card."""
    if len(found.moves) == found.players:
        raise NotAllowed("judge.full", players=found.players)
    position, trump = _before(found, Hand(hand))
    try:
        card = Card(code)
    except NotReadable:
        return refusal(position, _as_played(read_played(code), found.rules))
    return refusal(position, example_move(card, found.rules, trump))


def _as_played(move: Move, rules: RuleSet) -> Move:
    """A move, with a Change as these rules write it."""
    turns_up = move.card is Card.CHANGE and not names_colour(Card.CHANGE, rules)
    return Move("C") if turns_up else move


def _played(found: Situation, places: Sequence[int], more: int = 0) -> Game:
    """A game of one trick in which the cards at some places of this one have been played, and
    ``more`` players have yet to play."""
    rules = found.rules.replace(schedule=(1,), player_range=_ANY_NUMBER, teams=None)
    part = found._replace(moves=Moves(found.moves[at] for at in places))
    game = _dealt(rules, part, max(len(places) + more, 1))
    for move in part.moves:
        game.play(_as_played(move, rules))
    return game


def _dealt(rules: RuleSet, found: Situation, players: int) -> Game:
    """Deal each player only the card to play; the stock turns up the trump, and the card for each
    Change."""
    left = _left(rules, found.moves)
    played = [move.card for move in found.moves if move.card]
    finds = [move.colour for move in found.moves if move.card is Card.CHANGE]
    stock = [_one_of(left, colour) for colour in (found.trump or Colour.RED, *finds)]
    filler = [_one_of(left, None) for _ in range(players - len(played))]
    hands = [[card] for card in (*played, *filler)]
    game = Game(rules, players, deals=[Deal(players - 1, hands, stock)])
    for _ in range(players):
        game.play(Move.bid(0))
    if found.trump is None:
        _without_trump(game)
    return game


def _without_trump(game: Game) -> None:
    """Remove the trump, as if an Out had been played before."""
    game._position = position_at(game._position._moment._replace(trump=None))
    game._changes = (game._changes[0]._replace(trump=None, cards=Cards()),)


def _left(rules: RuleSet, moves: Moves, hand: Iterable[Card] = ()) -> Counter[Card]:
    """The rest of the pack without the cards of a trick and a hand. Raises
    :class:`rage.NotAllowed` if it has too few of a card."""
    left = Counter(cards_of(pack(rules)))
    for card in (*(move.card for move in moves if move.card), *hand):
        left[card] -= 1
        if left[card] < 0:
            raise NotAllowed("judge.too_often", card=str(card))
    return left


def _one_of(left: Counter[Card], colour: Colour | None) -> Card:
    """Take a remaining coloured card, of a given colour or any."""
    of_it = (card for card in left if (card.colour is colour if colour else card.colour))
    card = next(card for card in of_it if left[card] > 0)
    left[card] -= 1
    return card


def _before(found: Situation, hand: Hand) -> tuple[Position, Colour | None]:
    """The position with the hand held by the next player, and its trump. Of the trick on the table,
    it has only the card that set the led colour: no other restricts what may be played."""
    if not hand:
        raise NotAllowed("judge.no_hand")
    if len(hand) > MAX_HAND:
        raise NotAllowed("judge.too_large", n=len(hand), most=MAX_HAND)
    _left(found.rules, found.moves, hand)
    trump = _trump_changes(found)[-1].trump
    led = [at for at, move in enumerate(found.moves) if sets_led(move)][:1]
    lying = _played(found._replace(trump=trump), led, more=1).position._moment
    rules = found.rules.replace(schedule=(len(hand),), player_range=_ANY_NUMBER, teams=None)
    hands = (*[None] * len(led), tuple(hand.numbers))
    seen = tuple(CARD_OF_MOVE[move] for move in lying.trick)
    before = lying._replace(rules=rules, hands=hands, seen=seen, stock=(), shown=0, turned=0, up=0)
    return position_at(before), trump
