"""The header, the events, the message and the footer of the table, and the rows of each part."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from rage.game.scene import Scene
from rage.game.story import tell_end, trump_cause
from rage.say import Reason, catalogue, seat_name, sentence, text
from rage.tui import look
from rage.tui.guide import Guide
from rage.tui.look import SUITS, Look
from rage.tui.score_table import cut

#: For windows of at least this many rows, the rows of each part; the events get the rest.
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
#: A name, and a card under it.
_MIN_SEATS: Final = 2
#: The entries of the footer: the key, its word in the catalogue, the action.
_FOOTER: Final = (
    ("?", "help", "help"),
    ("q", "leave", "app.leave"),
    ("s", "scores", "scores"),
    ("t", "last", "last_trick"),
    ("l", "log", "log"),
    ("a", "pause", "app.pause_mode"),
    ("i", "advice", "advice"),
    ("u", "undo", "app.undo"),
    ("c", "coach", "app.coach"),
)


def plan(width: int, height: int, *, bidding: bool, message: int = 1) -> dict[str, int]:
    """The rows of each part of the table in a window of ``width`` by ``height`` cells, where the
    message needs ``message`` rows: it may take rows from the events, and from the players down to a
    name and a card each."""
    rows = next(rows for least, rows in _PLANS if height >= least)
    parts = dict(zip(_PARTS, rows, strict=True))
    if not bidding:
        parts["bids"] = 0
    if width < 60 and height >= 15:
        parts["message"] += 1  # sentences take three lines in so narrow a window
        parts["seats"] -= 1
    parts["events"] = max(height - sum(parts.values()), 0)
    for giver, least in (("events", 0), ("seats", _MIN_SEATS)):
        given = min(max(message - parts["message"], 0), max(parts[giver] - least, 0))
        parts[giver] -= given
        parts["message"] += given
    return parts


def say(scene: Scene, looks: Look, reason: Reason) -> str:
    """A reason as a sentence, with the names of this game's players and cards."""
    view = scene.view
    return sentence(reason, looks.language, edition=looks.edition, names=view.names, you=view.seat)


def header(scene: Scene, looks: Look, width: int, height: int) -> Text:
    """Round, cards and bids on the left, trump on the right; below them the trump colour's band,
    and how it became trump."""
    trump = looks.colour(scene.trump)
    if scene.trump is not None and trump.cell_len + 16 <= width:
        label = Text(f"{text('tui.trump', looks.language)} ", f"bold {look.PAPER}")
        trump = label.append_text(trump)
    room = width - trump.cell_len - 1
    left = Text(cut(_facts(scene, looks, room), room, looks), f"bold {look.PAPER}")
    left.append(" " * max(width - left.cell_len - trump.cell_len, 1)).append_text(trump)
    lines = [left]
    if height >= 2:
        lines.append(_edge(scene, width))
    if height >= 3:
        lines.append(looks.highlight(cut(say(scene, looks, _how(scene)), width, looks), look.QUIET))
        lines[-1].align("right", width)
    return Text("\n").join(lines)


def _how(scene: Scene) -> Reason:
    """How the current trump was set: by which cards of the stock, or by which player."""
    change = scene.trump_change
    params = {"player": change.seat, "cards": str(change.cards), "card": "C"}
    return Reason(f"tui.trump.{trump_cause(change)}", params)


def _facts(scene: Scene, looks: Look, room: int) -> str:
    """As many facts about the round as fit, the most important first."""
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
        view.rules.name,
    ]
    if room < cell_len(facts[0]) and not scene.ended:
        return f"{current.number}/{len(view.rules.schedule)}"
    line = facts[0]
    for fact in facts[1:]:
        longer = f"{line}  {looks.glyph('dot')}  {fact}"
        if cell_len(longer) <= room:
            line = longer
    return line


def _edge(scene: Scene, width: int) -> Text:
    if scene.trump is None:
        return Text("-" * width, look.LINE)
    suit = SUITS[scene.trump.number]
    return Text(suit.band * width, Style(color=suit.ink, bgcolor=suit.field))


def events(scene: Scene, looks: Look, width: int, height: int, console: Console) -> Text:
    """The latest events, as many whole sentences as fit, the newest in bright ink and cut off if it
    alone does not fit."""
    lines: list[Text] = []
    story = list(scene.story(2))
    if scene.pause and story[-1].code.startswith("trick."):
        story.pop()  # the message says it
    for age, reason in enumerate(reversed(story)):
        style = look.PAPER if age == 0 else look.QUIET
        sentence = looks.highlight(say(scene, looks, reason), style)
        fresh = list(sentence.wrap(console, max(width - 2, 4)))
        if age == 0 and len(fresh) > height:
            fresh = fresh[:height]
            fresh[-1].rstrip()
            fresh[-1].append(looks.glyph("dots"))
            fresh[-1].truncate(max(width - 1, 1))
        if len(fresh) + len(lines) > height:
            break
        lines = [*fresh, *lines]
    return Text("\n").join(Text(" ").append_text(line) for line in lines)


def message(
    scene: Scene, looks: Look, refusal: str | None, chosen: str, *, short: bool = False
) -> str:
    """What is expected now (``short``: without its keys), or why something is not possible, or why
    the trick was won."""
    language, view = looks.language, scene.view
    if refusal is not None:
        return refusal
    if scene.pause:
        why = scene.why_won()
        assert why is not None
        return say(scene, looks, why)
    winners = view.winners
    if winners is not None:
        end = tell_end(scene.scores, winners, view.players)
        return f"{say(scene, looks, end)} {text('tui.at_end', language)}"
    if scene.my_turn:
        form = "_short" if short else ""
        if scene.bidding:
            return text(f"tui.your_bid{form}", language, bid=chosen, most=scene.round.hand_size)
        return text(f"tui.your_card{form}", language, card=chosen)
    actor = seat_name(scene.to_act or 0, language, view.names)
    return text("tui.thinking", language, player=actor)


def card_code(scene: Scene, looks: Look) -> str:
    """What the code of a card in the hand means, before the first decision of a game; afterwards
    empty, and in a hand of action cards."""
    cards = scene.hand if scene.my_turn and scene.bidding and scene.round.number == 1 else ()
    for card in cards:
        if card.colour is not None:
            params = {"card": str(card), "colour": card.colour.letter, "rank": card.rank}
            return say(scene, looks, Reason("tui.code", params)) + " "
    return ""


def hint(scene: Scene, looks: Look, guide: Guide | None) -> str:
    """The coach's hint, on lines of its own before the message; empty if there is none."""
    found = guide.hint(scene.view) if guide is not None and scene.my_turn else None
    if found is None:
        return ""
    return say(scene, looks, Reason("tui.hint", {"hint": found.reason})) + "\n"


def wrap(words: Text, width: int, console: Console, hint: str = "") -> list[Text]:
    """The lines of a message and the ``hint`` after it, in ``width`` cells."""
    whole = words.copy()
    whole.stylize("bold")
    if hint:
        whole.append(f" {hint}", "bold")
    return list(whole.wrap(console, max(width - 2, 4)))


def centre(
    words: Text, looks: Look, width: int, height: int, console: Console, hint: str = ""
) -> Text:
    """A message centred in its place. If it does not fit, it is cut off, followed by the key that
    shows all of it; the ``hint`` is never cut off."""
    lines = wrap(words, width, console, hint)
    if len(lines) > height:
        lines = _cut_off(words, looks, width, height, console, hint)
    for line in lines:
        line.rstrip()
        line.align("center", width)
    return Text("\n").join(lines)


def _cut_off(
    words: Text, looks: Look, width: int, height: int, console: Console, hint: str
) -> list[Text]:
    """The beginning of a message that is too long, the key that shows all of it, and the ``hint``,
    on a line of its own if there are several."""
    end = Text(f" {hint}" if hint and height == 1 else "", "bold")
    room = height - 1 if hint and height > 1 else height
    dots = Text(looks.glyph("dots"), "bold")
    key = Text(" m ", Style(color=look.INK, bgcolor=look.QUIET, bold=True))
    lines = wrap(words, width, console)[:room]
    lines[-1].rstrip()
    lines[-1].truncate(max(width - 1 - dots.cell_len - key.cell_len - end.cell_len, 0))
    lines[-1].rstrip()
    lines[-1] = Text.assemble(lines[-1], dots, key, end)
    return [*lines, Text(hint, "bold")] if hint and height > 1 else lines


def footer(looks: Look, width: int) -> tuple[Text, dict[int, str]]:
    """The keys in one line, and the action of each of its cells."""
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
