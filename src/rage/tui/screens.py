"""The widgets of the table, and the windows that open over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

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


class Canvas(Widget):
    """A part of the table: ``paint`` draws it for a width and a height, ``hit`` gets the column of
    a click."""

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
        """Draw the part for its current size."""
        if self.size.width < 1 or self.size.height < 1:
            return Text()
        drawn = self._paint(self.size.width, self.size.height)
        drawn.no_wrap = True
        return drawn

    def on_click(self, event: events.Click) -> None:
        """Pass the column of the click on."""
        if self._hit is not None:
            event.stop()
            self._hit(event.x)


class Answer(NamedTuple):
    """An answer to a question: its text, why it is not allowed (``None`` if it is), and its key in
    addition to its digit, if any."""

    words: Text
    refusal: str | None = None
    key: str = ""


class Choice(ModalScreen[int | None]):
    """A question with a few answers, at the foot of the window; returns the index of the chosen
    one, or ``None``. Digits choose too, from 1. A forbidden answer is left out without renumbering
    the others; its keys say why."""

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

    def __init__(self, title: str, answers: Sequence[Answer], mark: str) -> None:
        super().__init__()
        self._title = title
        self._answers = answers
        self._mark = mark
        self._shown = [at for at, answer in enumerate(answers) if answer.refusal is None]

    def compose(self) -> ComposeResult:
        """Compose the question and its allowed answers."""
        with Vertical(id="box"):
            yield Static(Text(self._title), id="title")
            yield OptionList(*(Option(self._line(at, chosen=False)) for at in self._shown))

    def on_mount(self) -> None:
        """Begin with the first answer."""
        self.query_one(OptionList).highlighted = 0

    def _line(self, at: int, *, chosen: bool) -> Text:
        """An answer after its number, and after the mark if it is the chosen one."""
        return Text.assemble(
            f"{self._mark if chosen else ' '} {at + 1} ", self._answers[at].words.copy()
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Mark the chosen answer, and no other."""
        for row, at in enumerate(self._shown):
            line = self._line(at, chosen=row == event.option_index)
            event.option_list.replace_option_prompt_at_index(row, line)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a row of the list with Enter or a click."""
        self.dismiss(self._shown[event.option_index])

    def on_key(self, event: events.Key) -> None:
        """Choose by a digit or a letter."""
        key = (event.character or "").lower()
        for at, answer in enumerate(self._answers):
            if key and key in (str(at + 1), answer.key.lower()):
                event.stop()
                self._choose(at)

    def _choose(self, at: int) -> None:
        refusal = self._answers[at].refusal
        if refusal is None:
            self.dismiss(at)
        else:
            self.app.bell()
            self.query_one("#title", Static).update(Text(refusal))


class TextWindow(ModalScreen[None]):
    """A window with scrolling text, redrawn for each width; most keys close it."""

    DEFAULT_CSS = (
        "TextWindow {" + _BOX + "}"
        """
    TextWindow #box { width: 100%; max-width: 150; height: auto; max-height: 100%;
                 background: #1e2835; padding: 1 2; }
    TextWindow.small #box { padding: 0 1; }
    TextWindow VerticalScroll { height: auto; max-height: 1fr; background: #1e2835;
                           scrollbar-size-vertical: 1; }
    TextWindow #foot { color: #9aa7b4; margin-top: 1; height: auto; }
    TextWindow.small #foot { margin-top: 0; }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,space,q,s,l,t,r,m,i,question_mark", "close", show=False),
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
        """Compose the text, and how to close the window."""
        with Vertical(id="box"):
            with VerticalScroll(can_focus=False):
                yield Static(id="text")
            yield Static(Text(self._foot), id="foot")

    def on_resize(self, event: events.Resize) -> None:
        """Redraw the text for the new width."""
        small = event.size.height < 14 or event.size.width < 60
        self.set_class(small, "small")
        width = min(event.size.width, 150) - (2 if small else 4) - 1
        self.query_one("#text", Static).update(self._draw(max(width, 8)))
        if self._end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def action_scroll(self, lines: int) -> None:
        """Scroll by a number of lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_close(self) -> None:
        """Close the window, returning to the table."""
        self.dismiss(None)

    def on_click(self) -> None:
        """Close the window, wherever the click was."""
        self.dismiss(None)
