"""The screen with the table: its layout and its keys."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import monotonic
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.timer import Timer

from rage.game.scene import Scene, moves_of
from rage.rules.values import COLOURS, Colour, Move
from rage.say import LANGUAGES, NotAllowed, text
from rage.tui import cursor, draw, hand, look, pages, score_table, seats
from rage.tui.advice import advice_page
from rage.tui.guide import Guide
from rage.tui.look import Look
from rage.tui.screens import Answer, Canvas, Choice, TextWindow
from rage.tui.session import OnlyCard, Session
from rage.tui.threads import in_thread

#: How long a notice stays if no key is pressed.
_NOTICE_SECONDS: Final = 5.0


class TableScreen(Screen[None]):
    """The table, with its scene and its cursor; the app calls ``show`` after every change."""

    DEFAULT_CSS = """
    TableScreen { background: #141b24; layout: vertical; overflow: hidden; }
    TableScreen #side { display: none; border-left: solid #3a4858; padding: 0 1; }
    TableScreen Canvas { width: 100%; height: 1; }
    TableScreen #main, TableScreen #left { height: 1fr; }
    TableScreen #left { width: 1fr; }
    TableScreen #events, TableScreen #log { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
        Binding("home", "move(-99)", show=False),
        Binding("end", "move(99)", show=False),
        Binding("tab", "next_playable", show=False, priority=True),
        Binding("enter,space,up", "choose", show=False),
        Binding("s", "scores", show=False),
        Binding("l", "log", show=False),
        Binding("r", "rules", show=False),
        Binding("t", "last_trick", show=False),
        Binding("m", "message", show=False),
        Binding("a", "app.pause_mode", show=False),
        Binding("u", "app.undo", show=False),
        Binding("c", "app.coach", show=False),
        Binding("i", "advice", show=False),
        Binding("g", "language", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q", "app.leave", show=False),
    ]

    def __init__(
        self,
        session: Session,
        looks: Look,
        send: Callable[[Move], None],
        go_on: Callable[[], None],
        guard: float = 0.0,
        guide: Guide | None = None,
    ) -> None:
        super().__init__()
        self._session = session
        self.looks = looks
        self._send = send
        self._go_on = go_on
        self.scene = Scene(session.view(), bots=session.bots)
        self.cursor = 0
        self._typed = ""
        self._notice = ""
        self._short = False
        self._explains = True  # what the code of a card means, where there is room
        self._notice_timer: Timer | None = None
        self._guard = guard
        self._since = 0.0
        self._guide = guide

    def compose(self) -> ComposeResult:
        """Compose header, players, events, message, bids, hand and footer; sheet and log beside."""
        go_on = self._clicked
        yield Canvas(lambda w, h: draw.header(self.scene, self.looks, w, h), "top")
        with Horizontal(id="main"):
            with Vertical(id="left"):
                yield Canvas(lambda w, h: seats.seats(self.scene, self.looks, w, h), "seats", go_on)
                yield Canvas(self._events, "events", go_on)
                yield Canvas(self._message, "message", self._hit_message)
                yield Canvas(lambda w, h: self._bids(w).text, "bids", self._hit_bid)
                yield Canvas(lambda w, h: self._hand(w, h).text, "hand", self._hit_card)
            with Vertical(id="side"):
                yield Canvas(lambda w, h: score_table.sheet(self.scene, self.looks, w), "sheet")
                yield Canvas(self._events, "log")
        yield Canvas(lambda w, h: draw.footer(self.looks, w)[0], "foot", self._hit_footer)

    def show(self, scene: Scene) -> None:
        """Draw a new scene, with the cursor on a possible choice."""
        was_bidding = self.scene.bidding and self.scene.my_turn
        if scene.my_turn and not self.scene.my_turn:
            self._since = monotonic()
        self.scene = scene
        self._typed = ""
        choices = cursor.choices(scene)
        if not (scene.my_turn and scene.bidding):
            last = len(scene.hand) - 1
            self.cursor = hand.nearest(choices, min(self.cursor, max(last, 0)))
        elif not was_bidding:
            self.cursor = hand.nearest(choices, cursor.usual_bid(scene, self._guide))
        self.redraw()

    def show_notice(self, words: str) -> None:
        """Show a notice before the message, until the next key or for a few seconds."""
        self._notice = words
        self.redraw()
        if self._notice_timer is not None:
            self._notice_timer.stop()
        self._notice_timer = self.set_timer(_NOTICE_SECONDS, self._clear_notice)

    def _clear_notice(self) -> None:
        self._notice = ""
        self.redraw()

    # Layout.

    def on_resize(self) -> None:
        """Adapt the parts to the new size of the window."""
        self.redraw()

    def redraw(self) -> None:
        """Recompute the size of every part, and redraw it."""
        width, height = self.size
        if self.is_mounted and height > 0:
            with contextlib.suppress(NoMatches):  # the app is closing while a bot still plays
                self._arrange(width, height)

    def _arrange(self, width: int, height: int) -> None:
        wide = width >= 110 and height >= 20
        beside = max(min(width * 2 // 5, 84), 40)
        for name, rows in self._plan(width - beside if wide else width).items():
            part = self.query_one(f"#{name}", Canvas)
            part.styles.height = rows
            part.display = rows > 0
        side = self.query_one("#side")
        side.display = wide
        side.styles.width = beside
        rounds = len(self.scene.view.rules.schedule)
        self.query_one("#sheet").styles.height = min(rounds + 4, height * 2 // 3)
        if wide:
            self.query_one("#events").display = False
            self.query_one("#seats").styles.height = "1fr"
        for each in self.query(Canvas):
            each.refresh()

    def _plan(self, left: int) -> dict[str, int]:
        """The rows of each part. A prompt is shortened before it takes rows from other parts; a
        reason, which has no shorter form, takes them at once."""
        width, height = self.size
        bidding = self.scene.bidding
        self._short = False
        usual = draw.plan(width, height, bidding=bidding)["message"]
        self._short = self._message_rows(left) > usual
        for self._explains in (True, False):
            rows = self._message_rows(left)
            parts = draw.plan(width, height, bidding=bidding, message=rows)
            if rows <= parts["message"]:
                break
        return parts

    def _events(self, width: int, height: int) -> Text:
        return draw.events(self.scene, self.looks, width, height, self.app.console)

    def _hand(self, width: int, height: int) -> hand.Row:
        chosen = self.cursor if self.scene.my_turn and not self.scene.bidding else -1
        return hand.hand(self.scene, self.looks, chosen, width, height)

    def _bids(self, width: int) -> hand.Row:
        if not (self.scene.bidding and self.scene.my_turn):
            return hand.Row(Text(), ())
        return hand.bids(self.scene, self.cursor, width)

    def _message(self, width: int, height: int) -> Text:
        words, hint = self._message_text()
        return draw.centre(words, self.looks, width, height, self.app.console, hint)

    def _message_text(self) -> tuple[Text, str]:
        """The whole message, and the hint that is never cut off."""
        scene, looks = self.scene, self.looks
        refusal = cursor.refusal(scene, looks, self.cursor)
        chosen = cursor.chosen(scene, looks, self.cursor)
        only = self.only_card() if refusal is None else None
        if only is None:
            words = draw.message(scene, looks, refusal, chosen, short=self._short)
        else:
            words = draw.say(scene, looks, only.says)
        if self._session.problem is not None:
            words = f"{draw.say(scene, looks, self._session.problem)} {words}"
        if refusal is None:
            words = draw.hint(scene, looks, self._guide) + words
            words = draw.card_code(scene, looks) + words if self._explains else words
        words = f"{self._notice} {words}" if self._notice else words
        style = look.BAD if refusal else look.WARM if scene.my_turn else look.PAPER
        hint = text("tui.go_on", looks.language) if scene.pause else ""
        return looks.highlight(words, style), hint

    def only_card(self) -> OnlyCard | None:
        """The card that plays itself: the only possible one, unless there is a hint to read."""
        if not self.scene.my_turn or draw.hint(self.scene, self.looks, self._guide):
            return None
        return self._session.only_card()

    def _message_rows(self, width: int) -> int:
        words, hint = self._message_text()
        return len(draw.wrap(words, width, self.app.console, hint))

    def _message_is_cut(self) -> bool:
        width, height = self.query_one("#message").size
        return self._message_rows(width) > height

    # The cursor.

    def action_move(self, by: int) -> None:
        """Move the cursor by a number of bids or cards, stopping at the ends."""
        if self.scene.my_turn:
            last = self.scene.round.hand_size if self.scene.bidding else len(self.scene.hand) - 1
            self._point(max(0, min(self.cursor + by, last)))

    def action_next_playable(self) -> None:
        """Move the cursor to the next possible bid or card."""
        choices = cursor.choices(self.scene)
        if choices:
            self._point(next((i for i in choices if i > self.cursor), choices[0]))

    def _point(self, index: int) -> None:
        """Put the cursor on a bid or a card, and remove any notice."""
        self.cursor = index
        self._typed = self._notice = ""
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Choose a bid, or a card by its place in the hand, with digits."""
        key = event.character or ""
        if not (key.isdecimal() and key.isascii() and self.scene.my_turn):
            return
        event.stop()
        self._notice = ""
        first = 0 if self.scene.bidding else 1
        last = self.scene.round.hand_size if self.scene.bidding else len(self.scene.hand)
        self._typed = (self._typed + key)[-2:]
        if int(self._typed) > last:
            self._typed = key
        if first <= int(self._typed) <= last:
            self.cursor = int(self._typed) - first
        self.redraw()

    def action_choose(self) -> None:
        """Bid or play the choice under the cursor; continue after a finished trick."""
        scene = self.scene
        self._notice = ""
        if not scene.my_turn:
            self._go_on()
        elif monotonic() - self._since < self._guard:
            return  # meant for the previous trick: no one has seen yet what it would play
        elif self.cursor in cursor.choices(self.scene):
            if scene.bidding:
                self._send(Move.bid(self.cursor))
            else:
                self._play(moves_of(scene.view, scene.hand[self.cursor]))
        else:
            self.app.bell()
            self._show_refusal()

    def _show_refusal(self) -> None:
        """Show the refusal in its own window if the message is cut off."""
        if self._message_is_cut():
            words = cursor.refusal(self.scene, self.looks, self.cursor) or ""
            self.app.push_screen(self._page(lambda _: self.looks.highlight(words)))

    def _play(self, moves: list[Move]) -> None:
        """Play a card, after asking for the colour if it names one."""
        if len(moves) == 1:
            self._send(moves[0])
            return
        self._ask_colour({move.colour: move for move in moves if move.colour})

    def _ask_colour(self, moves: dict[Colour, Move]) -> None:
        """Ask which colour a card names, of the legal ones; each colour always has the same
        number."""
        scene, looks = self.scene, self.looks
        card = scene.hand[self.cursor]

        def chosen(colour: int | None) -> None:
            if colour is not None:
                self._send(moves[COLOURS[colour]])

        def answer(colour: Colour) -> Answer:
            letter = looks.letter(colour)
            why = scene.view.why_not(Move(f"{card}{colour}"))
            refusal = None if why is None else draw.say(scene, looks, why)
            # A key is one letter: a colour of two letters (German Gr) only has its digit.
            return Answer(looks.colour(colour), refusal, letter if len(letter) == 1 else "")

        named = cursor.chosen(scene, looks, self.cursor)
        title = text("tui.which_colour", looks.language, card=named)
        answers = [answer(colour) for colour in COLOURS]
        self.app.push_screen(Choice(title, answers, looks.glyph("act")), chosen)

    # Clicks.

    def _hit_message(self, x: int) -> None:
        if self._message_is_cut():
            self.action_message()
        else:
            self._clicked(x)

    def _clicked(self, _x: int) -> None:
        if not self.scene.my_turn:
            self._go_on()

    def _hit_card(self, x: int) -> None:
        self._hit(self._hand(*self.query_one("#hand").size).at(x))

    def _hit_bid(self, x: int) -> None:
        self._hit(self._bids(self.query_one("#bids").size.width).at(x))

    def _hit(self, index: int | None) -> None:
        """Choose with the first click, play with the second."""
        if not self.scene.my_turn:
            self._go_on()
        elif index is not None:
            again = index == self.cursor
            self._point(index)
            if again:
                self.action_choose()

    def _hit_footer(self, x: int) -> None:
        action = draw.footer(self.looks, self.size.width)[1].get(x)
        if action is not None:
            self.call_later(self.run_action, action)

    # Windows over the table.

    def action_scores(self) -> None:
        """Show the score sheet over the table, until a key closes it."""
        self.app.push_screen(self.sheet_page())

    def sheet_page(self) -> TextWindow:
        """The window with the score sheet."""
        scene = self.scene
        return self._page(lambda width: pages.scores(scene, self.looks, width))

    def action_log(self) -> None:
        """Open the log of the whole game, at its end."""
        scene = self.scene
        self.app.push_screen(self._page(lambda _: pages.log(scene, self.looks), end=True))

    def action_last_trick(self) -> None:
        """Open the last trick, with the reason why it was won."""
        scene = self.scene
        self.app.push_screen(self._page(lambda _: pages.last_trick(scene, self.looks)))

    def action_message(self) -> None:
        """Open a window with the whole message."""
        words, _ = self._message_text()
        self.app.push_screen(self._page(lambda _: words))

    def action_advice(self) -> None:
        """Open the advice for the current decision once it is ready; nothing waits for it."""
        self.run_worker(self._advise(), group="advice", exclusive=True)

    async def _advise(self) -> None:
        ply = self._session.ply
        try:
            found = await in_thread(self._session.advice)
        except NotAllowed as error:
            self.show_notice(draw.say(self.scene, self.looks, error.reason))
            return
        if self._session.ply == ply:
            self.app.push_screen(self._page(lambda _: advice_page(found, self.looks)))

    def action_rules(self) -> None:
        """Open the rules in force."""
        scene, bound = self.scene, self._session.commitment
        self.app.push_screen(self._page(lambda _: pages.rules(scene, self.looks, bound)))

    def action_help(self) -> None:
        """Open the help: keys, signs, and what each action card does."""
        scene = self.scene
        self.app.push_screen(self._page(lambda width: pages.help_text(scene, self.looks, width)))

    def _page(self, paint: Callable[[int], Text], *, end: bool = False) -> TextWindow:
        return TextWindow(paint, text("tui.close", self.looks.language), end=end)

    def action_language(self) -> None:
        """Switch to the next language."""
        at = LANGUAGES.index(self.looks.language)
        self.looks.language = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self.redraw()
