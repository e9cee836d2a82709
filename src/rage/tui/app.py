"""The full-screen app: when bots move, how long a finished trick stays, and how to leave."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from functools import partial
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType
from textual.timer import Timer

from rage.game.scene import Scene
from rage.rules.values import Move
from rage.say import NotAllowed, RageError, text
from rage.table.facts.events import TrickWon
from rage.tui.draw import say
from rage.tui.guide import Guide, SavedProgress
from rage.tui.look import Look
from rage.tui.session import Session, choose
from rage.tui.table import TableScreen
from rage.tui.threads import in_thread

#: Seconds before a bot moves, by their names on the command line.
SPEEDS: Final = {"slow": 1.2, "normal": 0.6, "fast": 0.25, "instant": 0.0}
#: How long a finished trick stays: until a key is pressed, for some seconds, or not at all.
PAUSES: Final = ("key", "timer", "off")
_TRICK_SECONDS: Final = 2.0
#: The seconds for which Enter does nothing at the start of the person's turn: it was meant for the
#: previous trick.
_GUARD_SECONDS: Final = 0.3


class TableApp(App[None]):
    """One game, from its current state to its end or until the person leaves."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Rage"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True)
    ]

    def __init__(
        self,
        session: Session,
        looks: Look,
        *,
        speed: str = "normal",
        pause: str = "key",
        guide: Guide | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        self.looks = looks
        self.pause_mode = pause
        self._delay = SPEEDS[speed]
        self._pause: tuple[int, int] | None = None
        self._timer: Timer | None = None
        self._bots_busy = False
        self._ended = False
        self._itself = -1  # the ply of the last decision whose only card was to play itself
        guard = _GUARD_SECONDS if self._delay else 0.0
        self.guide = guide or Guide(None, SavedProgress(), on=False)
        self.table = TableScreen(session, looks, self.send, self.go_on, guard, self.guide)

    async def on_mount(self) -> None:
        """Show the table, and let the bots play until it is the person's turn."""
        loop = asyncio.get_running_loop()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            # Some systems lack these signals, and only the main thread may handle them.
            with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self.action_leave)
        await self.push_screen(self.table)
        self._continue()

    def send(self, move: Move) -> None:
        """Make the person's move, and let the bots respond."""
        if self._pause is not None or not self.session.my_turn:
            return
        try:
            self._play(move)
        except NotAllowed:
            self.bell()
        self._continue()

    def _play(self, move: Move) -> None:
        """Make a move; if it completes a trick, leave the trick on the table for a while."""
        facts = self.session.play(move)
        if self.pause_mode != "off" and any(isinstance(fact, TrickWon) for fact in facts):
            self._pause_on_trick()

    def _pause_on_trick(self) -> None:
        rounds = self.session.view().rounds
        at = len(rounds) - 1 if rounds[-1].tricks else len(rounds) - 2
        self._pause = (at, len(rounds[at].tricks) - 1)
        if self.pause_mode == "timer" and not Scene(self.session.view(), self._pause).round_ended:
            self._start_timer()

    def _start_timer(self) -> None:
        self._timer = self.set_timer(_TRICK_SECONDS, self._time_is_up)

    def _time_is_up(self) -> None:
        """Continue, unless a window covers the trick: then wait as long again."""
        if self._table_is_on_top():
            self.go_on()
        elif self.screen_stack:
            self._start_timer()

    def _table_is_on_top(self) -> bool:
        """Return whether no window covers the table. While the app ends there is no screen at all,
        and timers may still fire."""
        return bool(self.screen_stack) and self.screen is self.table

    def go_on(self) -> None:
        """Continue after a finished trick, via the score sheet if it was the last of its round."""
        self._stop_timer()
        if not self._table_is_on_top():
            return
        if self._pause is None:
            if self.session.over:
                self.exit()
            return
        ended = self.table.scene.round_ended
        page = self.table.sheet_page() if ended and not self.session.over else None
        self._pause = None
        if page is None:
            self._continue()
        else:
            self.push_screen(page, lambda _result: self._continue())

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _continue(self) -> None:
        """Show the current state, and let the bots play if it is their turn."""
        self._show()
        if self.table.scene.ended and not self._ended:
            self._ended = True
            self.push_screen(self.table.sheet_page())
        if not (self._bots_busy or self._pause or self.session.over or self.session.my_turn):
            self._bots_busy = True
            self.run_worker(self._play_bots(), group="bots")

    def _show(self) -> None:
        self.table.show(Scene(self.session.view(), self._pause, self.session.bots))
        if self.table.only_card() is not None and self._itself != self.session.ply:
            self._itself = self.session.ply
            self._play_later(self._delay)

    def _play_later(self, seconds: float) -> None:
        if seconds:
            self.set_timer(seconds, self._play_itself)
        else:  # Textual divides by the interval of a late timer
            self.call_later(self._play_itself)

    def _play_itself(self) -> None:
        """Play the only possible card once no window covers the table, unless the decision has been
        made by then."""
        only = self.table.only_card()
        if only is None or self.session.ply != self._itself:
            return
        if self._table_is_on_top():
            self.send(only.move)
        elif self.screen_stack:
            self._play_later(self._delay or 0.1)

    async def _play_bots(self) -> None:
        """Let the bots play in turn, each thinking in a thread. A bot's choice is dropped if the
        person undoes a move meanwhile."""
        try:
            while not (self._pause or self.session.over or self.session.my_turn):
                turn = self.session.bot_turn()
                await asyncio.sleep(0 if self.session.hurries else self._delay)
                move = await in_thread(partial(choose, turn))
                if self.session.is_due(turn):
                    self._play(move)
                    self._show()
        except RageError as error:  # from a custom bot
            self.session.problem = error.reason
            self.exit()
            return
        finally:
            self._bots_busy = False
        if self.session.over:
            self._continue()

    def action_pause_mode(self) -> None:
        """Switch to the next way of showing a finished trick."""
        at = PAUSES.index(self.pause_mode)
        self.pause_mode = PAUSES[(at + 1) % len(PAUSES)]
        self.notify(text(f"tui.pause.{self.pause_mode}", self.looks.language), timeout=3)

    def action_coach(self) -> None:
        """Switch the coach off for good, or on again."""
        self.guide.switch()
        self.table.redraw()
        which = "on" if self.guide.on else "off"
        self.notify(text(f"tui.coach.{which}", self.looks.language), timeout=3)

    def action_undo(self) -> None:
        """Undo the person's last decision, or say why it is too late."""
        try:
            self.session.undo()
        except NotAllowed as refused:
            self.bell()
            self.table.show_notice(say(self.table.scene, self.looks, refused.reason))
            return
        self._stop_timer()
        self._pause = None
        self._continue()
        self.table.show_notice(text("tui.undone", self.looks.language))

    def action_leave(self) -> None:
        """Leave the game; it is saved and can be resumed."""
        self.exit()
