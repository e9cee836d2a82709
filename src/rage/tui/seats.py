"""The players, side by side, with their bids, tricks and cards."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from rage.bots.titles import bot_title
from rage.game.scene import Scene
from rage.say import text, visible
from rage.tui import look
from rage.tui.look import Look
from rage.tui.score_table import cut

_MIN_COLUMN = 5


def seats(scene: Scene, looks: Look, width: int, height: int) -> Text:
    """The players clockwise, starting with the person, in ``width`` by ``height`` cells: name,
    pips, "2 of 3" and points, and below them the card played to the trick."""
    view = scene.view
    shown = min(view.players, max(width // _MIN_COLUMN, 1))
    column = min(width // shown, 20)
    order = [((view.seat or 0) + i) % view.players for i in range(view.players)]
    start = _first(scene, order, shown)
    blocks = [_column(scene, looks, seat, column, height) for seat in order[start : start + shown]]
    pad = " " * ((width - column * shown) // 2)
    lines = []
    for row in range(height):
        line = Text(pad)
        for block in blocks:
            line.append_text(block[row])
        lines.append(line)
    return Text("\n").join(lines)


def _first(scene: Scene, order: list[int], shown: int) -> int:
    """The first player to show, so that a window too narrow for all shows the player to act, or the
    winner."""
    seat = scene.to_act
    if seat is None and scene.trick is not None:
        seat = scene.trick.winner
    at = order.index(seat) if seat is not None else 0
    return max(0, min(at - shown + 1, len(order) - shown))


def _column(scene: Scene, looks: Look, seat: int, width: int, height: int) -> list[Text]:
    """One player's column, each line exactly ``width`` cells."""
    style = Style(color=look.WARM if scene.to_act == seat else look.PAPER, bold=True)
    mark = _mark(scene, looks, seat)
    own = visible(scene.view.names[seat], looks.language)
    if scene.view.seat == seat:
        you = text("tui.you", looks.language)
        beside = f"{own} ({you})"
        own = beside if cell_len(mark + beside) < width else you
    elif bot := scene.bot(seat):
        beside = f"{own} ({bot_title(bot, looks.language)})"
        own = beside if cell_len(mark + beside) < width else own
    name = Text(cut(mark + own, width - 1, looks), style)
    if scene.view.seat == seat:
        name.stylize("underline", len(mark))
    info = 4 if height >= 8 else 3 if height >= 5 else 2 if height >= 3 else 1
    card = max(min(height - info, 7), 1)
    gap = 1 if height > info + card else 0
    above = max(height - info - card - gap, 0) // 2
    lines = [name]
    room = info
    if room >= 3:
        lines.append(_pips(scene, looks, seat, width - 1))
    if room >= 2:
        lines.append(_count(scene, looks, seat, width - 1))
    if room >= 4:
        lines.append(_points(scene, looks, seat, width - 1))
    for line in lines:
        line.align("center", width)
    lines += [Text(" " * width)] * (room + gap - len(lines))
    lines = [Text(" " * width)] * above + lines + _card(scene, looks, seat, width, card)
    return lines + [Text(" " * width)] * (height - len(lines))


def _mark(scene: Scene, looks: Look, seat: int) -> str:
    """The signs before a name: to act or winner of the trick, leader, partner."""
    trick = scene.trick
    mark = looks.glyph("act") if scene.to_act == seat else ""
    if scene.pause and trick is not None and trick.winner == seat:
        mark = looks.glyph("won")
    led = trick is not None and trick.moves and trick.leader == seat
    mark += looks.glyph("lead") if led else ""
    return mark + (looks.glyph("partner") if seat in scene.partners else "")


def _pips(scene: Scene, looks: Look, seat: int, width: int) -> Text:
    """A full pip for a trick won, an empty one for one still needed, a cross for one too many."""
    bid = scene.bids[seat]
    won = scene.won[seat]
    pips = Text()
    if bid is None:
        return pips.append(looks.glyph("full") * won, look.PAPER)
    pips.append(looks.glyph("full") * min(won, bid), look.GOOD)
    pips.append(looks.glyph("empty") * (bid - won), look.QUIET)
    pips.append(looks.glyph("over") * (won - bid), look.BAD)
    return pips if pips.cell_len <= width else Text()


def _count(scene: Scene, looks: Look, seat: int, width: int) -> Text:
    bid = scene.bids[seat]
    won = scene.won[seat]
    if not scene.has_bid(seat):
        return Text(looks.glyph("dots") if scene.to_act == seat else " ", look.QUIET)
    known = "?" if bid is None else str(bid)
    if scene.bidding:
        words = text("tui.bid", looks.language, bid=known)
        return Text(words if cell_len(words) <= width else known, look.PAPER)
    words = text("tui.won_of_bid", looks.language, won=won, bid=known)
    colour = look.GOOD if bid == won else look.BAD if bid is not None and won > bid else look.PAPER
    return Text(words if cell_len(words) <= width else f"{won}/{known}", colour)


def _points(scene: Scene, looks: Look, seat: int, width: int) -> Text:
    view = scene.view
    side = view.side_of(seat)
    points = scene.scores[side]
    if view.sides < view.players and not scene.bidding:
        team = view.side_seats[side]
        bids = [scene.bids[each] for each in team]
        bid = "?" if None in bids else str(sum(each or 0 for each in bids))
        won = sum(scene.won[each] for each in team)
        words = text("tui.team", looks.language, won=won, bid=bid, points=points)
        return Text(cut(words, width, looks), look.QUIET)
    return Text(text("tui.points", looks.language, points=points), look.QUIET)


def _card(scene: Scene, looks: Look, seat: int, width: int, height: int) -> list[Text]:
    """The card the player has played to the trick, or an empty place."""
    move = scene.card_of(seat)
    wide = max(min(width - 1, 4 + height), 4)
    winner = scene.pause and scene.trick is not None and scene.trick.winner == seat
    if height == 1:
        lines = [looks.back(wide, 1)[0] if move is None else looks.chip(str(move), wide)]
    elif move is None:
        lines = looks.back(wide, height, looks.glyph("slot"))
    else:
        lines = looks.face(str(move), wide, height, dim=bool(scene.pause) and not winner)
    left = (width - wide) // 2
    return [Text.assemble(" " * left, line, " " * (width - wide - left)) for line in lines]
