"""Bids that players make separately, on their own phones: whose turn it is, which bids are allowed,
how long they can be changed, and who may see them."""

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
    """Return whether bids of a round are hidden now, by the same rules as in the kernel: until all
    have bid, and with secret bids until the tricks are ``played``."""
    while_bidding, while_playing = _hidden_in(sheet.rules)
    if not current.all_bid:
        return while_bidding
    return while_playing and not played and not current.over


@lru_cache(maxsize=64)
def _hidden_in(rules: RuleSet) -> tuple[bool, bool]:
    """Return whether bids are hidden during bidding, and during play, according to a round of one
    card with the fewest players."""
    game = Game(rules.replace(schedule=(1,), teams=None), rules.player_range[0], seed=0)
    while_bidding = game.position.hides_bids
    while game.position.phase == Phase.BIDDING:
        game.play(game.legal_moves[0])
    return while_bidding, game.position.hides_bids


def to_bid(sheet: Sheet, current: SheetRound) -> list[int]:
    """The places of the seats that may bid now: the next in turn, or with hidden bids all that have
    not bid yet."""
    order = bidding_order(current.seats.index(current.dealer), len(current.seats))
    left = [place for place in order if current.bids[place] is None]
    return left if are_hidden(sheet, current) else left[:1]


def with_bid(sheet: Sheet, current: SheetRound, place: int, bid: int) -> SheetRound:
    """The round with one more bid, or with a bid changed while it is still hidden and others have
    yet to bid. Raises :class:`rage.NotAllowed`."""
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
    """The round with nothing entered."""
    unknown, zeros = (None,) * len(current.seats), (0,) * len(current.seats)
    return current._replace(bids=unknown, won=unknown, bonus=zeros, mad=zeros)


def as_seen(sheet: Sheet) -> Sheet:
    """The sheet as everyone may see it now: without hidden bids."""
    current = sheet.under_way
    if current is None or not are_hidden(sheet, current):
        return sheet
    return sheet._replace(rounds=(*sheet.rounds[:-1], without_bids(current)))
