"""Tables at a given moment, stored as the server stores them, for a browser to look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, Page, expect

from page.browsing import PLAYED_BEFORE, UNPAINTED, apart, become, rest
from page.hosts import Host
from rage import Game
from rage.house.people.identity import Keys
from rage.table import (
    AskForSeat,
    Command,
    Create,
    Event,
    GiveSeat,
    Options,
    Play,
    Start,
    Table,
    Watch,
)
from server.inside import store_tables
from server.running import Running

SECRET: Final = "for the tests of the page, and for nothing else"
ME: Final = "annannannann"
#: What the others are called: short names, long ones, and one that is long without a gap.
NAMES: Final = (
    "Bo",
    "Maximiliane-Friederike",
    "Cleo",
    "Ludwig van der Aa",
    "Ида",
    "Desdemona",
    "Q",
)
_BEGAN: Final = 1_763_838_000_000

#: Whether this is the moment.
Moment = Callable[[Game], bool]


def bids_last(game: Game) -> bool:
    """I bid when all others have."""
    return game.bidding and game.rounds[-1].dealer == 0


def bids_by_many_turn_ups(game: Game) -> bool:
    """I bid last, and three cards or more were turned up until one had a colour."""
    return bids_last(game) and len(game.rounds[-1].trump_changes[0].cards) >= 3


def leads(game: Game) -> bool:
    """I lead to the first trick, with a full hand of which every card may be played."""
    return not game.bidding and game.rounds[-1].dealer == len(game.names) - 1


def follows(game: Game) -> bool:
    """I am last to the first trick, with a full hand, and not every card may be played."""
    held = game.view(0).as_data()["hand"].split()
    last = not game.bidding and game.rounds[-1].dealer == 0
    return last and len(set(map(str, game.legal_moves)) & set(held)) < len(set(held))


def names_a_colour(game: Game) -> bool:
    """I follow, and hold a Wild."""
    held = game.view(0).as_data()["hand"].split()
    return follows(game) and "WR" in map(str, game.legal_moves) and len(held) > 1


def may_name(game: Game) -> bool:
    """I may play a Wild, or a Change, and many other cards."""
    may = {str(move) for move in game.legal_moves}
    return not game.bidding and "WG" in may and any(move[0] == "C" for move in may)


def crowded(game: Game) -> bool:
    """I lead late in a round, and the player before me has won a Bonus and a Mad."""
    if game.bidding or not game.rounds[-1].tricks or len(game.hand(0)) > 4:
        return False
    seat = len(game.names) - 1
    won = " ".join(str(t.moves) for t in game.rounds[-1].tricks if t.winner == seat).split()
    return {"+", "-"} <= {*won}


class Scene(NamedTuple):
    """What is played, by how many, and until when."""

    rules: str
    players: int
    moment: Moment
    options: Options = Options()
    #: What tells it from another like it.
    mark: str = ""
    #: Whether somebody who watches asks for the seat of a bot, which I answer as the host.
    asked: bool = False

    @property
    def code(self) -> str:
        """The code of its table."""
        digest = sha256(
            repr((self.rules, self.players, self.moment.__name__, self.mark, self.asked)).encode()
        ).digest()
        return "".join("abcdefghjkmnpqrstuvwxyz23456789"[byte % 31] for byte in digest[:8])


def _played(scene: Scene, number: int) -> Iterator[tuple[Table, list[Event]]]:
    """A game of random bots and of mine, before each decision of mine."""
    table, events, chance = Table(), list[Event](), Random(number)

    def do(command: Command, actor: str | None = ME) -> None:
        seed = sha256(b"rage scene %d" % number).digest()[:16]
        events.extend(table.do(command, actor, _BEGAN + len(events), seed=seed))

    do(Create(scene.rules, scene.players, "Annabella", scene.options))
    for chair, name in zip(range(1, scene.players), NAMES, strict=False):
        do(GiveSeat(chair, bot="random", name=name))
    do(Start())
    play = table.state.play
    assert play is not None
    while (seat := table.to_act) is not None:
        if seat == 0:
            yield table, events
        move = chance.choice(play.game.legal_moves)
        do(Play(table.ply_of(seat), str(move)), None if seat else ME)


def _found(scene: Scene) -> list[Event]:
    """The events of the first game that comes to such a moment in its first round."""
    for number in count():
        for table, events in _played(scene, number):
            play = table.state.play
            assert play is not None
            if len(play.game.rounds) > 1:
                break
            if scene.moment(play.game):
                for command in (Watch("Eve"), AskForSeat(1)) if scene.asked else ():
                    events.extend(table.do(command, "eveeveeveeve", _BEGAN + len(events)))
                return events
    raise AssertionError


class Staged:
    """A server with tables at any moment, and my browsers at them."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self._tables: dict[str, list[Event]] = {}

    def store(self, scene: Scene, events: list[Event] | None = None) -> list[Event]:
        """See to it that there is the table of a scene, which has these ``events`` unless they
        have to be found. Returns its events."""
        if scene.code not in self._tables:
            stored = self._tables[scene.code] = events or _found(scene)
            apart(lambda: store_tables(self.server.data, [(scene.code, stored)]))
        return self._tables[scene.code]

    def fresh(self, scene: Scene) -> Scene:
        """The same scene at a table of its own, which nobody has played on."""
        again = scene._replace(mark=f"{scene.mark}, table {len(self._tables)}")
        self.store(again, self.store(scene))
        return again

    def page(
        self,
        browser: Browser,
        scene: Scene,
        settings: Mapping[str, object] | None = None,
        scripts: Iterable[str] = (),
        *,
        painted: bool = False,
        folder: Host | None = None,
        **look: Any,
    ) -> Page:
        """My browser at the table of a scene, when all is at rest, with these ``settings`` of the
        page, and with ``scripts`` that run before those of the page. It is ``painted`` only where
        that makes a difference. With a ``folder`` there is that table, and no server."""
        usual = {"reduced_motion": "reduce", "service_workers": "block"}
        context = browser.new_context(**{**usual, **look})
        for script in (*(() if painted else (UNPAINTED,)), PLAYED_BEFORE, *scripts):
            context.add_init_script(script)
        # Nothing happens until a test does it.
        kept = json.dumps(json.dumps({"single": False, **(settings or {})}))
        context.add_init_script(f"localStorage['rage.settings'] ??= {kept}")
        page = context.new_page()
        self.store(scene)
        become(page, Keys(SECRET.encode()).cookie(ME), self.server, folder)
        page.goto(f"{folder.url if folder else f'{self.server.url}/'}t/{scene.code}")
        expect(page.locator("[data-hand]").first).to_be_visible()
        rest(page)
        return page


@contextmanager
def staged(data: Path) -> Iterator[Staged]:
    """A server on a data folder, for scenes."""
    apart(lambda: store_tables(data, [], {ME: "Annabella"}))
    running = Running(data, environment={"RAGE_SECRET": SECRET})
    try:
        yield Staged(running)
    finally:
        running.end()
    running.check_log()
