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
    """A question with a few answers, at the foot of the window: the index of the one chosen, or
    ``None`` for none. The digits choose too, from 1 on, and so do the keys in ``keys``; an answer
    with a refusal is not chosen, and its key says why."""

    DEFAULT_CSS = """
    Choice { align: center bottom; background: transparent; }
    Choice #box { width: auto; max-width: 100%; height: auto; max-height: 100%;
                  background: #1e2835; padding: 0 1; }
    Choice #title { width: auto; max-width: 100%; color: #f2c14e; text-style: bold; }
    Choice OptionList, Choice OptionList:focus {
        width: auto; min-width: 16; max-width: 100%; height: auto; max-height: 1fr;
        background: #1e2835; border: none; padding: 0; scrollbar-size-vertical: 1; }
    Choice OptionList > .option-list--option-highlighted { background: #3a4858; text-style: bold; }
    Choice OptionList:focus > .option-list--option-highlighted { background: #3a4858; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]

    def __init__(
        self,
        title: str,
        answers: Sequence[Text],
        refusals: Sequence[str | None],
        keys: str,
        mark: str,
    ) -> None:
        super().__init__()
        self._title = title
        self._answers = answers
        self._refusals = refusals
        self._keys = keys.lower()
        self._mark = mark

    def compose(self) -> ComposeResult:
        """The question and its answers."""
        options = [
            Option(self._line(at, chosen=False), disabled=why is not None)
            for at, why in enumerate(self._refusals)
        ]
        with Vertical(id="box"):
            yield Static(Text(self._title), id="title")
            yield OptionList(*options)

    def on_mount(self) -> None:
        """The first answer that may be chosen is."""
        self.query_one(OptionList).highlighted = self._refusals.index(None)

    def _line(self, at: int, *, chosen: bool) -> Text:
        """An answer after its number, and after the mark where it is the one chosen."""
        answer = self._answers[at].copy()
        if self._refusals[at] is not None:
            answer = Text(answer.plain, "dim strike")
        return Text.assemble(f"{self._mark if chosen else ' '} {at + 1} ", answer)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Mark the answer chosen, and no other."""
        for at in range(len(self._answers)):
            line = self._line(at, chosen=at == event.option_index)
            event.option_list.replace_option_prompt_at_index(at, line)

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
            self._choose(at)

    def _choose(self, at: int) -> None:
        why = self._refusals[at]
        if why is None:
            self.dismiss(at)
        else:
            self.app.bell()
            self.query_one("#title", Static).update(Text(why))


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
