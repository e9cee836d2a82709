"""The score sheet as a grid, for paper and for the terminal: a block of columns for each side, a
row for each round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rage.game.account import Account
from rage.say import signed, text
from rage.score.sheet import Sheet, SheetRound
from rage.score.standing import by_side, card_points, members, scores, totals

#: The numbers of teams, as on the page.
_TEAMS: Final = ("I", "II", "III")


class Cell(NamedTuple):
    """One cell of a row. ``note``, in small type beside the text: the points for Bonus and Mad
    cards. ``met`` marks a bid that was met, ``away`` a round in which its player had no seat."""

    text: str = ""
    note: str = ""
    met: bool = False
    away: bool = False


class Block(NamedTuple):
    """The columns of a side: its name (empty: room to write it), the names of the players of a
    team, and the total, once there is one. Each player has a column for the bid and one for the
    tricks; then come the points and the total of the side."""

    name: str
    players: tuple[str, ...]
    total: str

    @property
    def columns(self) -> int:
        """How many columns it has."""
        return 2 * max(len(self.players), 1) + 2


class Row(NamedTuple):
    """A round: its number, its cards, the cells of each block, and the dealer, as a block and a
    place in it."""

    number: int
    cards: str
    cells: tuple[tuple[Cell, ...], ...]
    dealer: tuple[int, int] | None


def blocks(sheet: Sheet, language: str) -> list[Block]:
    """The blocks of all players who ever took part, or of the teams."""
    now = scores(sheet) if sheet.finished else None
    found = []
    for side, players in _players(sheet).items():
        total = "" if now is None else signed(now[side])
        if sheet.rules.teams:
            name = text("score.printed.team", language, n=_TEAMS[side])
            found.append(Block(name, tuple(sheet.players[each] for each in players), total))
        else:
            found.append(Block(sheet.players[side], (), total))
    return found


def rows(sheet: Sheet, language: str) -> list[Row]:
    """The rows of all rounds in the schedule or, if the game was stopped, of those entered."""
    players = _players(sheet)
    sums = totals(sheet)
    found = []
    for index in range(len(sheet.rounds) if sheet.stopped else len(sheet.rules.schedule)):
        current = sheet.rounds[index] if index < len(sheet.rounds) else None
        size = sheet.rules.schedule[index] if current is None else current.hand_size
        after = sums[index] if index < len(sums) else None
        cards = text("sheet.hand", language, n=size)
        cells = tuple(_cells(sheet, current, after, players))
        found.append(Row(index + 1, cards, cells, _place(_dealer(sheet, index), players)))
    return found


def _players(sheet: Sheet) -> dict[int, list[int]]:
    """By side, in the order of the blocks, the players whose columns its block has."""
    if sheet.rules.teams:
        return {side: members(sheet, side) for side in range(sheet.rules.teams)}
    lists = [each.seats for each in sheet.rounds] or [sheet.seats]
    return {player: [player] for seats in lists for player in seats}


def _dealer(sheet: Sheet, index: int) -> int:
    """The dealer of a round: as entered, or else in turn, to the left of the last one."""
    if index < len(sheet.rounds):
        return sheet.rounds[index].dealer
    seats = sheet.seats
    if not sheet.rounds:
        return seats[index % len(seats)]
    ahead = index - len(sheet.rounds) + 1
    return seats[(seats.index(sheet.rounds[-1].dealer) + ahead) % len(seats)]


def _place(player: int, players: dict[int, list[int]]) -> tuple[int, int] | None:
    """A player's block, and their place in it."""
    for block, those in enumerate(players.values()):
        if player in those:
            return block, those.index(player)
    return None


def _cells(
    sheet: Sheet,
    current: SheetRound | None,
    after: list[int] | None,
    players: dict[int, list[int]],
) -> Iterator[tuple[Cell, ...]]:
    found = by_side(sheet, current) if current is not None and after is not None else {}
    for side, those in players.items():
        account = found.get(side)
        cells = [cell for player in those for cell in _entered(sheet, current, player, account)]
        if account is not None and after is not None:
            cells += [Cell(signed(account.points)), Cell(signed(after[side]))]
        else:
            away = bool(cells) and all(cell.away for cell in cells)
            cells += [Cell(away=away)] * 2
        yield tuple(cells)


def _entered(
    sheet: Sheet, current: SheetRound | None, player: int, account: Account | None
) -> tuple[Cell, Cell]:
    """A player's bid and tricks."""
    if current is None:
        return Cell(), Cell()
    if player not in current.seats:
        return Cell(away=True), Cell(away=True)
    place = current.seats.index(player)
    bid, won = current.bids[place], current.won[place]
    cards = card_points(sheet, current, place)
    return (
        Cell("" if bid is None else str(bid), met=account is not None and account.met),
        Cell("" if won is None else str(won), note=signed(cards, "+d") if cards else ""),
    )
