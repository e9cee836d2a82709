"""The parts that the table is made of, and the windows that lie over it for a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

_BOX = """
    align: center middle;
    background: #0b0d12 60%;
"""


class Drawn(Widget):
    """A part of the table: ``paint`` draws it into its width and height, ``hit`` is told where
    it was clicked."""

    def __init__(
        self,
        paint: Callable[[int, int], Text],
        name: str,
        hit: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__(id=name)
        self._paint = paint
        self._hit = hit

    def render(self) -> Text:
        """What it looks like now."""
        if self.size.width < 1 or self.size.height < 1:
            return Text()
        drawn = self._paint(self.size.width, self.size.height)
        drawn.no_wrap = True
        return drawn

    def on_click(self, event: events.Click) -> None:
        """Tell where."""
        if self._hit is not None:
            event.stop()
            self._hit(event.x)


class Choice(ModalScreen[int | None]):
    """A question with a few answers: the index of the one chosen, or ``None`` for none. The
    digits choose too, from 1 on, and so do the keys in ``keys``."""

    DEFAULT_CSS = (
        "Choice {" + _BOX + "}"
        """
    Choice #box { width: auto; max-width: 100%; height: auto; max-height: 100%;
                  background: #1e2835; padding: 1 2; }
    Choice.small #box { padding: 0 1; }
    Choice #title { width: auto; max-width: 64; margin-bottom: 1; }
    Choice.small #title { margin-bottom: 0; max-width: 100%; }
    Choice OptionList, Choice OptionList:focus {
        width: auto; min-width: 20; max-width: 100%; height: auto; max-height: 1fr;
        background: #1e2835; border: none; padding: 0; scrollbar-size-vertical: 1; }
    Choice OptionList > .option-list--option-highlighted { background: #3a4858; text-style: bold; }
    Choice OptionList:focus > .option-list--option-highlighted { background: #3a4858; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(self, title: str, answers: Sequence[Text | str], keys: str = "") -> None:
        super().__init__()
        self._title = title
        self._answers = answers
        self._keys = keys.lower()

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        with Vertical(id="box"):
            yield Static(Text(self._title), id="title")
            yield OptionList(*(Option(answer) for answer in self._answers))

    def on_resize(self, event: events.Resize) -> None:
        """Less air in a small window."""
        self.set_class(event.size.height < 14, "small")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        self.dismiss(event.option_index)

    def on_key(self, event: events.Key) -> None:
        """Choose by a digit or a letter."""
        key = (event.character or "").lower()
        if not key:
            return
        at = self._keys.find(key)
        if at < 0 and key.isdecimal() and key.isascii():
            at = int(key) - 1
        if 0 <= at < len(self._answers):
            event.stop()
            self.dismiss(at)


class Pages(ModalScreen[None]):
    """Something to read, drawn anew for every width; any of the usual keys closes it."""

    DEFAULT_CSS = (
        "Pages {" + _BOX + "}"
        """
    Pages #box { width: 100%; max-width: 150; height: auto; max-height: 100%;
                 background: #1e2835; padding: 1 2; }
    Pages.small #box { padding: 0 1; }
    Pages VerticalScroll { height: auto; max-height: 1fr; background: #1e2835;
                           scrollbar-size-vertical: 1; }
    Pages #foot { color: #9aa7b4; margin-top: 1; height: auto; }
    Pages.small #foot { margin-top: 0; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,s,l,t,r,question_mark", "close", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "scroll(-8)", show=False),
        Binding("pagedown", "scroll(8)", show=False),
    ]

    def __init__(self, draw: Callable[[int], Text], foot: str, *, end: bool = False) -> None:
        super().__init__()
        self._draw = draw
        self._foot = foot
        self._end = end

    def compose(self) -> ComposeResult:
        """What is to be read, and how to close it."""
        with Vertical(id="box"):
            with VerticalScroll(can_focus=False):
                yield Static(id="text")
            yield Static(Text(self._foot), id="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Draw for this width."""
        small = event.size.height < 14 or event.size.width < 60
        self.set_class(small, "small")
        width = min(event.size.width, 150) - (2 if small else 4) - 1
        self.query_one("#text", Static).update(self._draw(max(width, 8)))
        if self._end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_scroll(self, lines: int) -> None:
        """Move the text."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)

    def on_click(self) -> None:
        """A click closes it too."""
        self.dismiss(None)
