"""The coach: hints for new players when it is their turn.

A hint is one line about what to do now and why, under the rules of the table. It is made from a
:class:`rage.View` and the legal moves, so it knows no more than its reader. A lesson is given once;
the caller remembers the lessons given. If no new one fits, the hint says what the bid still asks
for.
"""

from __future__ import annotations

from collections.abc import Collection

from rage.coach.bidding import BIDDING, fair
from rage.coach.hints import Hint
from rage.coach.playing import PLAYING, of_inherited, reminder
from rage.game.view import View
from rage.rules.ruleset import RuleSet

__all__ = ["Coach", "Hint", "hint", "topics"]


def hint(view: View, taught: Collection[str], own_bid: bool = True) -> Hint | None:
    """The hint for the seat of a view, after the lessons ``taught``; ``None`` if it is not its
    turn. ``own_bid``: whether its player, not a bot, made its last bid."""
    if not view.my_turn:
        return None
    if not own_bid:
        found = hint(view, {*taught, "met", "missed"})
        return found and found._replace(reason=of_inherited(found.reason))
    lessons = BIDDING if view.bidding else PLAYING
    for topic, lesson in lessons.items():
        if topic not in taught and (found := lesson(view)) is not None:
            return found._replace(topic=topic)
    return fair(view, "coach.fair") if view.bidding else reminder(view)


def topics(rules: RuleSet, players: int) -> tuple[str, ...]:
    """The lessons for these rules and number of players, in order of preference."""
    left_out = {
        "hidden": rules.bidding != "hidden",
        "secret": rules.bidding != "secret",
        "forbidden": rules.bid_total != "not_tricks",
        "team": rules.teams is None,
        "two": players != 2,
        "missed": len(rules.schedule) == 1,
        "met": len(rules.schedule) == 1,
        "follow": max(rules.schedule) == 1,
        "no_trump": not rules.pack.out,
        **{f"{name}_seen": not count for name, count in vars(rules.pack).items()},
        **{f"{name}_held": not count for name, count in vars(rules.pack).items()},
    }
    return tuple(topic for topic in (*BIDDING, *PLAYING) if not left_out.get(topic, False))


class Coach:
    """The lessons of one person at one table. ``taught``: the ones already given."""

    def __init__(self, taught: Collection[str] = ()) -> None:
        self.taught = set(taught)
        self._said: tuple[object, Hint | None] = (None, None)

    def hint(self, view: View, own_bid: bool = True) -> Hint | None:
        """The hint for a view, which counts as taught from now on. Asked again, the same position
        has the same hint. ``own_bid``: see :func:`hint`."""
        if not view.my_turn:
            return None
        moment = (len(view.rounds), view.position._fields())
        if self._said[0] != moment:
            found = hint(view, self.taught, own_bid)
            self._said = (moment, found)
            if found is not None and found.topic is not None:
                self.taught.add(found.topic)
        return self._said[1]

    def progress(self, view: View) -> tuple[int, int]:
        """How many of the lessons for this table's rules were given, and how many there are."""
        all_topics = topics(view.rules, view.players)
        return sum(topic in self.taught for topic in all_topics), len(all_topics)
