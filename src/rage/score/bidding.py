"""Bids that players make apart, on phones of their own or unseen at the keyboard: whose turn it is,
which may be made, until when they can be changed, and who may know them."""

from __future__ import annotations

from functools import lru_cache

from rage.engine.kernel import Phase
from rage.game.game import Game
from rage.game.history import bidding_order
from rage.rules.ruleset import RuleSet
from rage.say import NotAllowed
from rage.score.checking import forbidden_bid
from rage.score.sheet import Sheet, SheetRound


def are_hidden(sheet: Sheet, current: SheetRound, *, played: bool = False) -> bool:
    """Whether nobody sees another's bid in a round now: as the kernel hides them while not all have
    bid, and from then on until the tricks are ``played``."""
    while_bidding, while_playing = _hidden_in(sheet.rules, len(current.seats))
    if not current.all_bid:
        return while_bidding
    return while_playing and not played and not current.over


@lru_cache(maxsize=64)
def _hidden_in(rules: RuleSet, players: int) -> tuple[bool, bool]:
    """Whether bids are hidden in the bidding, and in the play: asked of a round of one card."""
    game = Game(rules.but(schedule=(1,)), players, seed=0)
    while_bidding = game.position.hides_bids
    while game.position.phase == Phase.BIDDING:
        game.play(game.legal_moves()[0])
    return while_bidding, game.position.hides_bids


def to_bid(sheet: Sheet, current: SheetRound) -> list[int]:
    """The places of the seats that may bid now: the next one in turn, or where bids are hidden, all
    that have not bid yet."""
    order = bidding_order(current.seats.index(current.dealer), len(current.seats))
    left = [place for place in order if current.bids[place] is None]
    return left if are_hidden(sheet, current) else left[:1]


def with_bid(sheet: Sheet, current: SheetRound, place: int, bid: int) -> SheetRound:
    """A round with one more bid, or with another one while nobody sees it and some have still to
    bid. Raises :class:`rage.NotAllowed`."""
    player = sheet.players[current.seats[place]]
    if current.bids[place] is not None:
        if current.all_bid or not are_hidden(sheet, current):
            raise NotAllowed("score.bid_made", player=player)
    elif place not in to_bid(sheet, current):
        raise NotAllowed("score.bid_turn", player=player)
    if not 0 <= bid <= current.hand_size:
        raise NotAllowed("score.bid", player=player, n=bid, most=current.hand_size)
    if bid == forbidden_bid(sheet.rules, current, place):
        raise NotAllowed("score.bid_total", tricks=current.hand_size)
    return current._replace(bids=(*current.bids[:place], bid, *current.bids[place + 1 :]))


def without_bids(current: SheetRound) -> SheetRound:
    """A round of which nothing has been entered yet."""
    unknown, zeros = (None,) * len(current.seats), (0,) * len(current.seats)
    return current._replace(bids=unknown, won=unknown, bonus=zeros, mad=zeros)


def as_seen(sheet: Sheet) -> Sheet:
    """A sheet as everybody may see it now: without the bids that are hidden."""
    current = sheet.under_way
    if current is None or not are_hidden(sheet, current):
        return sheet
    return sheet._replace(rounds=(*sheet.rounds[:-1], without_bids(current)))
