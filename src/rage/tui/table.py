"""The table on the whole screen: what is drawn where, and which key does what."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer

from rage.cards import BID, CARD_CODES, LETTERS
from rage.history import MOVES, Move
from rage.say import LANGUAGES, card_name, text
from rage.tui import draw, hand, look, pages, seats, sheet
from rage.tui.look import Look
from rage.tui.scene import Scene, ways, why_not
from rage.tui.screens import Choice, Drawn, Pages
from rage.tui.session import Session

#: For so many seconds something said is read.
_TOLD: Final = 5.0


class Table(Screen[None]):
    """The table. Knows the scene and the cursor; the app says when something has happened."""

    DEFAULT_CSS = """
    Table { background: #141b24; layout: vertical; overflow: hidden; }
    Table #side { display: none; border-left: solid #3a4858; padding: 0 1; }
    Table Drawn { width: 100%; height: 1; }
    Table #main, Table #left { height: 1fr; }
    Table #left { width: 1fr; }
    Table #events, Table #log { height: 1fr; }
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
        Binding("a", "app.pause_mode", show=False),
        Binding("u", "app.undo", show=False),
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
    ) -> None:
        super().__init__()
        self._session = session
        self.looks = looks
        self._send = send
        self._go_on = go_on
        self.scene = Scene(session.view())
        self.cursor = 0
        self._typed = ""
        self._told = ""
        self._forgetting: Timer | None = None
        self._guard = guard
        self._since = 0.0

    def compose(self) -> ComposeResult:
        """Header, players, news, message, bids, hand, footer; beside them sheet and log."""
        go_on = self._clicked
        yield Drawn(lambda w, h: draw.header(self.scene, self.looks, w, h), "top")
        with Horizontal(id="main"):
            with Vertical(id="left"):
                yield Drawn(lambda w, h: seats.seats(self.scene, self.looks, w, h), "seats", go_on)
                yield Drawn(self._events, "events", go_on)
                yield Drawn(self._message, "message", go_on)
                yield Drawn(lambda w, h: self._bids(w).text, "bids", self._hit_bid)
                yield Drawn(lambda w, h: self._hand(w, h).text, "hand", self._hit_card)
            with Vertical(id="side"):
                yield Drawn(lambda w, h: sheet.sheet(self.scene, self.looks, w), "sheet")
                yield Drawn(self._events, "log")
        yield Drawn(self._footer, "foot", self._hit_footer)

    def show(self, scene: Scene) -> None:
        """Draw a new scene; the cursor goes to something that may be chosen."""
        was_bidding = self.scene.bidding and self.scene.my_turn
        if scene.my_turn and not self.scene.my_turn:
            self._since = monotonic()
        self.scene = scene
        self._typed = ""
        if scene.my_turn and scene.bidding:
            if not was_bidding:
                self.cursor = hand.nearest(self._choices(), scene.round.hand_size // 4)
        else:
            last = len(scene.hand) - 1
            self.cursor = hand.nearest(self._choices(), min(self.cursor, max(last, 0)))
        self._arrange()

    def tell(self, words: str) -> None:
        """Say something before what is expected, until the next key or for some seconds."""
        self._told = words
        self.redraw()
        if self._forgetting is not None:
            self._forgetting.stop()
        self._forgetting = self.set_timer(_TOLD, self._forget)

    def _forget(self) -> None:
        self._told = ""
        self.redraw()

    def redraw(self) -> None:
        """Draw everything anew."""
        for part in self.query(Drawn):
            part.refresh()

    # What lies where.

    def on_resize(self) -> None:
        """Arrange the parts for this size."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        if not self.is_mounted or height < 1:
            return
        wide = width >= 110 and height >= 20
        bidding = self.scene.bidding
        plan = draw.plan(width, height, bidding=bidding)
        for name, rows in plan.items():
            part = self.query_one(f"#{name}", Drawn)
            part.styles.height = rows
            part.display = rows > 0
        side = self.query_one("#side")
        side.display = wide
        side.styles.width = max(min(width * 2 // 5, 84), 40)
        rounds = len(self.scene.view.rules.schedule)
        self.query_one("#sheet").styles.height = min(rounds + 4, height * 2 // 3)
        self.query_one("#events").display = not wide
        if wide:
            self.query_one("#seats").styles.height = "1fr"
        self.redraw()

    def _events(self, width: int, height: int) -> Text:
        return draw.events(self.scene, self.looks, width, height, self.app.console)

    def _hand(self, width: int, height: int) -> hand.Row:
        chosen = self.cursor if self.scene.my_turn and not self.scene.bidding else -1
        return hand.hand(self.scene, self.looks, chosen, width, height)

    def _bids(self, width: int) -> hand.Row:
        if not (self.scene.bidding and self.scene.my_turn):
            return hand.Row(Text(), ())
        return hand.bids(self.scene, self.looks, self.cursor, width)

    def _message(self, width: int, height: int) -> Text:
        words = draw.message(self.scene, self.looks, self._refusal(), self._chosen())
        if self._session.problem is not None:
            words = f"{draw.said(self.scene, self.looks, self._session.problem)} {words}"
        words = f"{self._told} {words}" if self._told else words
        style = look.BAD if self._refusal() else look.WARM if self.scene.my_turn else look.PAPER
        hint = text("tui.go_on", self.looks.language) if self.scene.pause else ""
        drawn = self.looks.inked(words, style)
        return draw.centred(drawn, width, height, self.app.console, hint)

    def _footer(self, width: int, height: int) -> Text:
        return draw.footer(self.looks, width)[0]

    # What is chosen.

    def _choices(self) -> list[int]:
        """The indices of what may be chosen: bids, or cards of the hand."""
        view = self.scene.view
        if not self.scene.my_turn:
            return []
        if self.scene.bidding:
            return [move - BID for move in view.legal_moves()]
        return [i for i, card in enumerate(self.scene.hand) if ways(view, card)]

    def _refusal(self) -> str | None:
        """Why what is under the cursor may not be chosen."""
        scene = self.scene
        if not scene.my_turn:
            return None
        if scene.bidding:
            reason = scene.view.why_not(MOVES[BID + self.cursor])
        else:
            reason = why_not(scene.view, scene.hand[self.cursor])
        return None if reason is None else draw.said(scene, self.looks, reason)

    def _chosen(self) -> str:
        """The name of what is under the cursor."""
        if not self.scene.my_turn:
            return ""
        if self.scene.bidding:
            return str(self.cursor)
        code = CARD_CODES[self.scene.hand[self.cursor]]
        return card_name(code, self.looks.language, self.looks.edition)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        if self.scene.my_turn:
            last = self.scene.round.hand_size if self.scene.bidding else len(self.scene.hand) - 1
            self._point(max(0, min(self.cursor + by, last)))

    def action_next_playable(self) -> None:
        """Move the cursor to the next card that may be played."""
        choices = self._choices()
        if choices:
            self._point(next((i for i in choices if i > self.cursor), choices[0]))

    def _point(self, index: int) -> None:
        """Put the cursor on something."""
        self.cursor = index
        self._typed = self._told = ""
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Digits choose a bid, or a card by its place in the hand."""
        key = event.character or ""
        if not (key.isdecimal() and key.isascii() and self.scene.my_turn):
            return
        event.stop()
        self._told = ""
        least = 0 if self.scene.bidding else 1
        most = self.scene.round.hand_size if self.scene.bidding else len(self.scene.hand)
        self._typed = (self._typed + key)[-2:]
        if int(self._typed) > most:
            self._typed = key
        if least <= int(self._typed) <= most:
            self.cursor = int(self._typed) - least
        self.redraw()

    def action_choose(self) -> None:
        """Bid or play what is under the cursor; go on after a finished trick."""
        scene = self.scene
        self._told = ""
        if not scene.my_turn:
            self._go_on()
        elif monotonic() - self._since < self._guard:
            return  # one key too many after a trick: nobody has seen yet what it would play
        elif self.cursor in self._choices():
            if scene.bidding:
                self._send(MOVES[BID + self.cursor])
            else:
                self._play(ways(scene.view, scene.hand[self.cursor]))
        else:
            self.app.bell()
            self._show_refusal()

    def _show_refusal(self) -> None:
        """Say why in a window of its own, where the line for it is too short."""
        words = self._refusal() or ""
        place = self.query_one("#message").size
        if cell_len(words) > (place.width - 2) * place.height:
            self.app.push_screen(self._page(lambda width: self.looks.inked(words)))

    def _play(self, moves: list[Move]) -> None:
        """Play a card; where it names a colour, ask which."""
        if len(moves) == 1:
            self._send(moves[0])
            return
        self._ask_colour({move.colour or 0: move for move in moves})

    def _ask_colour(self, moves: dict[int, Move]) -> None:
        """Ask which colour a card names; each colour has the same number every time."""
        scene, looks = self.scene, self.looks
        code = CARD_CODES[scene.hand[self.cursor]]

        def chosen(colour: int | None) -> None:
            if colour is not None:
                self._send(moves[colour])

        refused = (scene.view.why_not(Move.parse(code + letter)) for letter in LETTERS)
        refusals = [None if why is None else draw.said(scene, looks, why) for why in refused]
        # One key a letter: a colour of two letters (German Gr) has its digit.
        letters = [looks.letter(colour) for colour in range(len(LETTERS))]
        keys = "".join(each if len(each) == 1 else "\0" for each in letters)
        title = text("tui.which_colour", looks.language, card=self._chosen())
        answers = [looks.colour(colour) for colour in range(len(LETTERS))]
        self.app.push_screen(Choice(title, answers, refusals, keys, looks.glyph("act")), chosen)

    # Clicks.

    def _clicked(self, _x: int) -> None:
        if not self.scene.my_turn:
            self._go_on()

    def _hit_card(self, x: int) -> None:
        self._hit(self._hand(*self.query_one("#hand").size).at(x))

    def _hit_bid(self, x: int) -> None:
        self._hit(self._bids(self.query_one("#bids").size.width).at(x))

    def _hit(self, index: int | None) -> None:
        """The first click chooses, the second plays."""
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
        """The score sheet."""
        self.app.push_screen(self.sheet_page())

    def sheet_page(self) -> Pages:
        """The score sheet as a window."""
        scene = self.scene
        return self._page(lambda width: pages.scores(scene, self.looks, width))

    def action_log(self) -> None:
        """Everything that has happened."""
        scene = self.scene
        self.app.push_screen(self._page(lambda _: pages.log(scene, self.looks), end=True))

    def action_last_trick(self) -> None:
        """The last trick, and why it was won."""
        scene = self.scene
        self.app.push_screen(self._page(lambda _: pages.last_trick(scene, self.looks)))

    def action_rules(self) -> None:
        """The rules in force."""
        scene, bound = self.scene, self._session.commitment
        self.app.push_screen(self._page(lambda _: pages.rules(scene, self.looks, bound)))

    def action_help(self) -> None:
        """What to press, and how to read the table."""
        self.app.push_screen(self._page(lambda _: pages.help_text(self.scene, self.looks)))

    def _page(self, paint: Callable[[int], Text], *, end: bool = False) -> Pages:
        return Pages(paint, text("tui.close", self.looks.language), end=end)

    def action_language(self) -> None:
        """The next language."""
        at = LANGUAGES.index(self.looks.language)
        self.looks.language = LANGUAGES[(at + 1) % len(LANGUAGES)]
        self.redraw()
