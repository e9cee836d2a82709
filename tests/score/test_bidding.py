"""Who may know a bid that was made apart, and who bids when: as the kernel has it."""

from __future__ import annotations

from random import Random

import pytest

from generators import deals_for, rules_from
from rage import Game, NotAllowed
from rage.engine.kernel import Phase
from rage.score.bidding import are_hidden, to_bid, with_bid
from rage.score.sheet import Sheet
from score.entering import begin_round, enter, new_sheet


def sheet_of(game: Game) -> Sheet:
    """The first round of a game on a sheet: nothing but its bids."""
    first = game.rounds[0]
    sheet = begin_round(new_sheet(game.rules, game.names), dealer=first.dealer)
    return sheet._replace(rounds=(sheet.rounds[0]._replace(bids=tuple(first.bids)),))


def changes(sheet: Sheet, place: int) -> bool:
    """Whether a bid that was made can be made again."""
    current = sheet.rounds[0]
    try:
        with_bid(sheet, current, place, current.bids[place] or 0)
    except NotAllowed:
        return False
    return True


@pytest.mark.parametrize("seed", range(60))
def test_bids_are_hidden_on_the_sheet_as_at_a_table(seed: int) -> None:
    rng = Random(seed)
    rules, players = rules_from(rng.choice, rounds=1, most=4)
    rules = rules.replace(bidding=("open", "hidden", "secret")[seed % 3], bid_total="any")
    game = Game(rules, players, deals=deals_for(rules, players, rng))
    while not game.over:
        sheet = sheet_of(game)
        assert are_hidden(sheet, sheet.rounds[0]) == game.position.hides_bids
        asked = to_bid(sheet, sheet.rounds[0])
        made = [at for at, bid in enumerate(sheet.rounds[0].bids) if bid is not None]
        for place in made[:1]:  # it can be changed as long as nobody could have seen any
            open_to_change = len(asked) > 0 and rules.bidding != "open"
            assert changes(sheet, place) == open_to_change
        if game.position.phase == Phase.BIDDING:
            assert asked[0] == game.to_act
            assert (len(asked) > 1) <= (rules.bidding != "open")
        else:
            assert asked == []
        game.play(rng.choice(game.legal_moves))
    sheet = sheet_of(game)
    assert not are_hidden(sheet, sheet.rounds[0], played=True)
    over = enter(sheet, won=game.rounds[0].won or ())
    assert not are_hidden(over, over.rounds[0])


def test_a_bid_may_only_be_what_the_kernel_allows() -> None:
    """Open bidding, also where the last one may not make the bids add up."""
    for seed in range(40):
        rng = Random(seed)
        rules, players = rules_from(rng.choice, rounds=1)
        rules = rules.replace(bidding="open", bid_total=("any", "not_tricks")[seed % 2])
        game = Game(rules, players, deals=deals_for(rules, players, rng))
        while game.position.phase == Phase.BIDDING:
            sheet = sheet_of(game)
            [place] = to_bid(sheet, sheet.rounds[0])
            allowed = {str(move) for move in game.legal_moves}
            for n in range(-1, 12):
                try:
                    with_bid(sheet, sheet.rounds[0], place, n)
                    taken = True
                except NotAllowed:
                    taken = False
                assert taken == (str(n) in allowed), n
            game.play(rng.choice(game.legal_moves))
