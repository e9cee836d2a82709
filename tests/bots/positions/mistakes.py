"""The mistakes that people complain of, by their names: which moves of a position each would be.

A detector looks at what the seat to act may know, and names the moves that look like the mistake.
Whether they are one there is decided by worlds (`lab/positions.py`), not here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rage.engine.kernel import Phase
from rage.engine.position import Position
from rage.rules.cards import (
    BID,
    N_COLOURED,
    PLAY_BONUS,
    PLAY_CHANGE,
    PLAY_CHANGE_TURNED_UP,
    PLAY_MAD,
    PLAY_WILD,
)

#: Ranks are 0 to 15.
HIGH, LOW = 13, 7


class Seat(NamedTuple):
    """What a detector asks of a position: who is to act, the cards held, the legal moves, how many
    tricks are still needed and how many cards are left, and the trump."""

    position: Position
    seat: int
    hand: list[int]
    legal: list[int]
    needs: int
    left: int
    trump: int | None

    @property
    def last(self) -> bool:
        """Whether this seat plays last to the trick."""
        return len(self.position.trick) == self.position.rules.players - 1

    @property
    def leads(self) -> bool:
        """Whether this seat leads."""
        return not self.position.trick

    def rank(self, card: int) -> int:
        """The rank of a coloured card."""
        return card & 15

    def is_trump(self, card: int) -> bool:
        """Whether a card is a coloured trump."""
        return card < N_COLOURED and card >> 4 == self.trump

    def would_lead_trick(self, move: int) -> bool:
        """Whether this seat is ahead in the trick after a move to which others may still play."""
        after = self.position.copy()
        won = after.won[self.seat]
        after.play(move)
        if self.last:
            ends = after.phase not in (Phase.PLAYING,)
            return not ends and after.won[self.seat] > won
        return after.ahead == self.seat

    @property
    def winners(self) -> list[int]:
        """The coloured cards held that hardly anything beats: high trumps, and aces of a colour."""
        top = [card for card in self.hand if self.is_trump(card) and self.rank(card) >= HIGH - 2]
        return top + [card for card in self.hand if card < N_COLOURED and self.rank(card) == 15]


def seat_to_act(position: Position) -> Seat:
    """What the detectors ask."""
    seat = position.to_act
    assert seat is not None
    bid = position.bids[seat]
    return Seat(
        position,
        seat,
        position.hand(seat),
        position.legal_moves,
        0 if bid is None else bid - position.won[seat],
        position.hand_size - position.tricks,
        position.trump,
    )


def leads_low(s: Seat) -> list[int]:
    """It needs every trick that is left, and leads a low card though it holds a winner."""
    if not s.leads or s.needs != s.left or s.left < 2 or not s.winners:
        return []
    return [m for m in s.legal if m < N_COLOURED and s.rank(m) <= LOW and not s.is_trump(m)]


def bids_zero(s: Seat) -> list[int]:
    """It bids 0 though it holds the highest trump."""
    if s.position.phase != Phase.BIDDING or s.trump is None or len(s.hand) < 2:
        return []
    return [m for m in s.legal if m == BID and 16 * s.trump + 15 in s.hand]


def trumps_early(s: Seat) -> list[int]:
    """It needs no more, and takes the lead in a trick with a trump, before others have played."""
    if s.leads or s.last or s.needs != 0:
        return []
    return [m for m in s.legal if s.is_trump(m) and s.would_lead_trick(m)]


def feeds(s: Seat) -> list[int]:
    """It plays last, the leading player has won all tricks that it bid, and it takes the trick from
    that player without needing one itself: only so is the other's bid met."""
    ahead = s.position.ahead
    if not s.last or ahead is None or s.needs > 0 or ahead_needs(s, ahead) != 0:
        return []
    taking = [m for m in s.legal if s.would_lead_trick(m)]
    return taking if len(taking) < len(s.legal) else []


def ahead_needs(s: Seat, ahead: int) -> int:
    """How many tricks the leading player still needs; -1 if its bid is not known."""
    bid = s.position.bids[ahead]
    return -1 if bid is None else bid - s.position.won[ahead]


def wastes_action(s: Seat) -> list[int]:
    """It plays a Wild or a Change after which it is no more ahead in the trick than before, though
    it still needs tricks."""
    if s.needs <= 0 or s.left < 2 or s.leads:
        return []
    wasted = [m for m in s.legal if PLAY_WILD <= m <= PLAY_CHANGE_TURNED_UP]
    return [m for m in wasted if not s.would_lead_trick(m)]


def changes_away(s: Seat) -> list[int]:
    """It changes the trump though half of its hand are trumps, and it still needs tricks."""
    trumps = sum(map(s.is_trump, s.hand))
    if s.needs <= 0 or s.trump is None or trumps < 2 or 2 * trumps < len(s.hand):
        return []
    keeps = PLAY_CHANGE + s.trump
    return [m for m in s.legal if PLAY_CHANGE <= m <= PLAY_CHANGE_TURNED_UP and m != keeps]


def leads_mad(s: Seat) -> list[int]:
    """It leads a Mad though it needs tricks and holds a winner."""
    if not s.leads or s.needs <= 0 or s.left < 2 or not s.winners:
        return []
    return [m for m in s.legal if m == PLAY_MAD]


def gives_bonus(s: Seat) -> list[int]:
    """A Bonus lies in the trick, it plays last and could take it with a trump, and lets it go."""
    if not s.last or PLAY_BONUS not in s.position.trick or s.needs <= 0:
        return []
    taking = [m for m in s.legal if s.would_lead_trick(m)]
    if not any(map(s.is_trump, taking)):
        return []
    return [m for m in s.legal if m not in taking]


def bids_low(s: Seat) -> list[int]:
    """Two players: it bids at most a quarter of its cards."""
    if s.position.phase != Phase.BIDDING or s.position.rules.players != 2 or len(s.hand) < 4:
        return []
    return [m for m in s.legal if 4 * (m - BID) <= len(s.hand)]


def takes_from_partner(s: Seat) -> list[int]:
    """It plays last, needs none, and takes a trick off its partner, who is ahead and needs it."""
    teams = s.position.rules.ruleset.teams
    ahead = s.position.ahead
    if not teams or not s.last or ahead is None or ahead % teams != s.seat % teams:
        return []
    if s.needs > 0 or ahead_needs(s, ahead) <= 0:
        return []
    taking = [m for m in s.legal if s.would_lead_trick(m)]
    return taking if len(taking) < len(s.legal) else []


class Mistake(NamedTuple):
    """A mistake, the rule sets and numbers of players to look for it at, and how many positions are
    wanted."""

    moves: Callable[[Seat], list[int]]
    tables: tuple[tuple[str, int], ...]
    wanted: int


_FOUR: Final = (("poof", 3), ("poof", 4), ("poof", 5), ("amigo", 4), ("fundex", 4))
_TEAMS: Final = (("poof+two-teams", 4), ("poof+two-teams", 6))

#: All of them, by the names by which the tests know them.
MISTAKES: Final = {
    "needs-every-trick-and-leads-low": Mistake(leads_low, _FOUR, 5),
    "bids-0-with-the-top-trump": Mistake(bids_zero, _FOUR, 5),
    "trumps-early-when-it-needs-no-more": Mistake(trumps_early, _FOUR, 5),
    "feeds-an-opponent-its-bid": Mistake(feeds, _FOUR, 5),
    "wastes-a-wild-or-change": Mistake(wastes_action, _FOUR, 5),
    "changes-away-from-long-trump": Mistake(changes_away, _FOUR, 5),
    "leads-a-mad-with-a-winner": Mistake(leads_mad, _FOUR, 5),
    "gives-a-bonus-away": Mistake(gives_bonus, _FOUR, 5),
    "bids-low-with-two-players": Mistake(bids_low, (("poof", 2),), 5),
    "takes-a-trick-from-its-partner": Mistake(takes_from_partner, _TEAMS, 5),
}
