"""The same game in another world: with hidden cards dealt otherwise, or turned round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from generators import deals_for
from rage import Deal, Game, NotAllowed
from rage.rules.cards import BID, CARD_OF_MOVE
from rage.rules.hands import cards_of
from rage.rules.values import Move


def history(game: Game) -> list[list[int]]:
    """The moves of each round, bids first."""
    rounds = []
    for each in game.rounds:
        seats = [(each.dealer + 1 + i) % game.players for i in range(game.players)]
        bids = [each.bids[seat] for seat in seats]
        moves = [BID + bid for bid in bids if bid is not None]
        rounds.append(moves + [move.number for trick in each.tricks for move in trick.moves])
    return rounds


def replay(game: Game, deals: Sequence[Deal], moves: Sequence[Sequence[int]]) -> Game:
    """A game by the same rules with these deals and moves."""
    other = Game(game.rules, game.names, deals=deals)
    for each in moves:
        for move in each:
            other.play(Move.of(move))
    return other


def later_deals(game: Game, rng: Random) -> list[Deal]:
    """Deals for the rounds that have not been dealt, from the right dealers."""
    deals = deals_for(game.rules, game.players, rng)[len(game.rounds) :]
    first = game.rounds[0].dealer
    return [
        deal.replace(dealer=(first + len(game.rounds) + i) % game.players)
        for i, deal in enumerate(deals)
    ]


def played_by(game: Game, seat: int) -> list[int]:
    """The cards that a seat has played in the round under way."""
    return [
        CARD_OF_MOVE[trick.moves[(seat - trick.leader) % game.players].number]
        for trick in game.rounds[-1].tricks
        if (seat - trick.leader) % game.players < len(trick.moves)
    ]


def indistinguishable_game(game: Game, seat: int | None, rng: Random, swaps: int = 4) -> Game:
    """A game that this seat (``None``: a spectator) cannot tell from ``game``: cards that it
    cannot see are swapped where the public history allows it, bids that it cannot see are others,
    and what will be dealt later is another deal."""
    current = game.rounds[-1]
    assert current.deal is not None
    before = [each.deal for each in game.rounds[:-1] if each.deal]
    after = later_deals(game, rng)
    moves = [*history(game)[:-1], other_bids(game, seat, rng)]
    turned = len(game.position.turned)
    hands = [game.position.hand(each) for each in range(game.players)]
    pools = [
        *(hand for i, hand in enumerate(hands) if i != seat),
        current.deal.stock.numbers[turned:],
    ]
    places = [(pool, i) for pool in pools for i in range(len(pool))]
    found = None
    for _ in range(swaps if len(places) > 1 else 0):
        (one, i), (two, j) = rng.sample(places, 2)
        one[i], two[j] = two[j], one[i]
        dealt = [(*played_by(game, each), *hands[each]) for each in range(game.players)]
        stock = (*current.deal.stock[:turned], *cards_of(pools[-1]))
        deal = Deal(current.dealer, map(cards_of, dealt), stock)
        try:
            found = replay(game, [*before, deal, *after], moves)
        except NotAllowed:
            one[i], two[j] = two[j], one[i]
    return found or replay(game, [*before, current.deal, *after], moves)


def other_bids(game: Game, seat: int | None, rng: Random) -> list[int]:
    """The moves of the round under way, with other bids where this seat cannot see them."""
    moves = history(game)[-1]
    hidden = game.rules.bidding == "secret" or (game.rules.bidding == "hidden" and game.bidding)
    if game.over or not hidden:
        return moves
    for i in range(game.players):
        if i < len(moves) and (game.rounds[-1].dealer + 1 + i) % game.players != seat:
            moves[i] = BID + rng.randrange(game.rounds[-1].hand_size + 1)
    return moves


def renamed_deals(deals: Iterable[Deal], card: Callable[[int], int], steps: int) -> list[Deal]:
    """Deals with renamed cards, each seat ``steps`` further to the left."""
    found = []
    for each in deals:
        dealer, dealt, stock = each.numbers()
        n = len(dealt)
        hands = [cards_of(map(card, dealt[(seat - steps) % n])) for seat in range(n)]
        found.append(Deal((dealer + steps) % n, hands, cards_of(map(card, stock))))
    return found
