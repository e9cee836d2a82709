"""The other parts of the table: header, news, message, footer, last trick, help."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from rage.cards import CARD_CODES
from rage.editions import name_of
from rage.say import Reason, catalogue, seat_name, sentence, text
from rage.story import tell_end
from rage.tui import look
from rage.tui.look import SUITS, Look
from rage.tui.scene import Scene
from rage.tui.sheet import cut

#: For windows of at least so many rows: the rows of each part; the news have the rest.
_PARTS: Final = ("top", "seats", "message", "bids", "hand", "foot")
_PLANS: Final = (
    (50, (3, 13, 3, 1, 9, 1)),
    (34, (3, 10, 3, 1, 8, 1)),
    (22, (3, 8, 2, 1, 6, 1)),
    (18, (2, 7, 2, 1, 4, 1)),
    (15, (2, 5, 2, 1, 4, 1)),
    (12, (1, 4, 2, 1, 3, 1)),
    (10, (1, 3, 2, 1, 2, 1)),
    (8, (1, 3, 1, 1, 2, 0)),
    (0, (0, 2, 1, 1, 2, 0)),
)
#: What the footer offers: the key, the word of the catalogue, the action.
_FOOTER: Final = (
    ("?", "help", "help"),
    ("q", "leave", "app.leave"),
    ("s", "scores", "scores"),
    ("t", "last", "last_trick"),
    ("l", "log", "log"),
    ("a", "pause", "app.pause_mode"),
    ("u", "undo", "app.undo"),
)


def plan(width: int, height: int, *, bidding: bool) -> dict[str, int]:
    """How many rows each part of the table has in a window of ``width`` by ``height`` cells."""
    rows = next(rows for least, rows in _PLANS if height >= least)
    parts = dict(zip(_PARTS, rows, strict=True))
    if not bidding:
        parts["bids"] = 0
    if width < 60 and height >= 15:
        parts["message"] += 1  # sentences take three lines in so narrow a window
        parts["seats"] -= 1
    return parts


def said(scene: Scene, looks: Look, reason: Reason) -> str:
    """A reason as a sentence, with this game's names and card names."""
    names = scene.view.names
    return sentence(reason, looks.language, edition=looks.edition, names=names)


def header(scene: Scene, looks: Look, width: int, height: int) -> Text:
    """Round, cards and bids at the left and the trump at the right; under it the trump's edge,
    and how it came to be trump."""
    trump = looks.colour(scene.trump)
    if scene.trump is not None and trump.cell_len + 16 <= width:
        label = Text(f"{text('tui.trump', looks.language)} ", f"bold {look.PAPER}")
        trump = label.append_text(trump)
    room = width - trump.cell_len - 1
    left = Text(cut(_facts(scene, looks, room), room, looks), f"bold {look.PAPER}")
    left.append(" " * max(width - left.cell_len - trump.cell_len, 1)).append_text(trump)
    lines = [left]
    if height >= 2:
        lines.append(_edge(scene, looks, width))
    if height >= 3:
        lines.append(looks.inked(cut(said(scene, looks, _how(scene)), width, looks), look.QUIET))
        lines[-1].align("right", width)
    return Text("\n").join(lines)


def _how(scene: Scene) -> Reason:
    """How the trump that is shown came to be: by which cards of the stock, or by whom."""
    turn = scene.turn
    cards = " ".join(CARD_CODES[card] for card in turn.cards)
    cause: str = turn.cause
    if cause == "change":
        cause = "change_turned" if turn.cards else "change_named"
    if turn.trump is None and cause != "out":
        cause = "none"
    return Reason(f"tui.turn.{cause}", {"player": turn.seat, "cards": cards, "card": "C"})


def _facts(scene: Scene, looks: Look, room: int) -> str:
    """As much about the round as there is room for, the most important first."""
    view, current, language = scene.view, scene.round, looks.language
    bids = [current.bids[seat] for seat in range(view.players) if scene.has_bid(seat)]
    total = "?" if None in bids else str(sum(bid or 0 for bid in bids))
    facts = [
        text("tui.round", language, round=current.number, last=len(view.rules.schedule)),
    ]
    if scene.ended:
        facts[0] = text("tui.over", language)
    elif scene.bidding:
        facts.append(text("tui.bid_so_far", language, total=total, tricks=current.hand_size))
    else:
        facts += [
            text("tui.total_bid", language, total=total, tricks=current.hand_size),
            text("tui.trick", language, trick=scene.trick_number, tricks=current.hand_size),
        ]
    facts += [
        text("tui.dealer", language, dealer=seat_name(current.dealer, language, view.names)),
        name_of(view.rules),
    ]
    if room < cell_len(facts[0]) and not scene.ended:
        return f"{current.number}/{len(view.rules.schedule)}"
    line = facts[0]
    for fact in facts[1:]:
        longer = f"{line}  {looks.glyph('dot')}  {fact}"
        if cell_len(longer) <= room:
            line = longer
    return line


def _edge(scene: Scene, looks: Look, width: int) -> Text:
    if scene.trump is None:
        return Text("-" * width, look.LINE)
    suit = SUITS[scene.trump]
    return Text(suit.band * width, Style(color=suit.ink, bgcolor=suit.field))


def events(scene: Scene, looks: Look, width: int, height: int, console: Console) -> Text:
    """The last of what has happened, as much as there is room for; the newest brightest."""
    lines: list[Text] = []
    story = list(scene.story(2))
    if scene.pause and story[-1].code.startswith("trick."):
        story.pop()  # the message says it
    told = [said(scene, looks, each) for each in story]
    for age, words in enumerate(reversed(told)):
        style = look.PAPER if age == 0 else look.QUIET
        wrapped = looks.inked(words, style).wrap(console, max(width - 2, 4))
        lines = [*wrapped, *lines]
        if len(lines) >= height:
            break
    return Text("\n").join(Text(" ").append_text(line) for line in lines[-height:])


def message(scene: Scene, looks: Look, refusal: str | None, chosen: str) -> str:
    """What is expected now, or why something is not possible, or why the trick was won."""
    language, view = looks.language, scene.view
    if refusal is not None:
        return refusal
    if scene.pause:
        why = scene.why_won()
        assert why is not None
        return said(scene, looks, why)
    winners = view.winners
    if winners is not None:
        end = tell_end(scene.scores, winners, view.players)
        return f"{said(scene, looks, end)} {text('tui.at_end', language)}"
    if scene.my_turn:
        if scene.bidding:
            return text("tui.your_bid", language, bid=chosen, most=scene.round.hand_size)
        return text("tui.your_card", language, card=chosen)
    actor = seat_name(scene.to_act or 0, language, view.names)
    return text("tui.thinking", language, player=actor)


def centred(words: Text, width: int, height: int, console: Console, hint: str = "") -> Text:
    """A message in the middle of its place, cut where it does not fit; a ``hint`` after it is
    never cut off."""
    words.stylize("bold")
    whole = Text(f"{words.plain} {hint}" if hint else words.plain)
    if hint and len(whole.wrap(console, max(width - 2, 4))) > height:
        room = width - 2 - (cell_len(hint) + 1 if height == 1 else 0)
        kept = centred(words, room, max(height - 1, 1), console)
        gap = " " if height == 1 else "\n"
        end = Text(hint, "bold")
        if height > 1:
            end.align("center", width)
        return Text(gap).join([kept, end])
    if hint:
        words.append(f" {hint}")
    lines = list(words.wrap(console, max(width - 2, 4)))
    if len(lines) > height:
        for line in lines:
            line.rstrip()
        lines = [*lines[: height - 1], Text(" ").join(lines[height - 1 :])]
        lines[-1].truncate(width, overflow="ellipsis")
    for line in lines:
        line.align("center", width)
    return Text("\n").join(lines)


def footer(looks: Look, width: int) -> tuple[Text, dict[int, str]]:
    """The keys in one line, and the action behind each cell of it."""
    line = Text()
    actions: dict[int, str] = {}
    for key, word, action in _FOOTER:
        label = catalogue(looks.language)[f"tui.key.{word}"]
        if line.cell_len + cell_len(label) + 5 > width:
            continue
        start = line.cell_len
        line.append(f" {key} ", Style(color=look.INK, bgcolor=look.QUIET, bold=True))
        line.append(f" {label} ", look.QUIET)
        actions.update(dict.fromkeys(range(start, line.cell_len), action))
    return line, actions
