"""``rage verify`` finds every card that does not come from the seed, wherever it lies."""

from __future__ import annotations

from rage import Game
from rage.deal import Deal, commitment
from rage.fair import verify
from rage.notation import Record, record_of

SEED = b"a fair game"


def played() -> Record:
    game = Game("poof+schedule:2", 3, seed=SEED)
    while game.to_act is not None:
        game.play(game.legal_moves()[0])
    return record_of(game, seed=SEED.hex(), commitment=commitment(SEED))


def found(record: Record) -> list[bool | None]:
    """What is right: the commitment, and the deal of the round."""
    return [finding.right for finding in verify(record)]


def with_stock(record: Record, stock: tuple[int, ...]) -> Record:
    deal = record.rounds[0].deal
    record.rounds[0].deal = Deal(deal.dealer, deal.hands, stock)
    return record


def test_a_stock_with_two_cards_exchanged_is_found_wherever_they_lie() -> None:
    stock = played().rounds[0].deal.stock
    assert len(stock) == 104
    for i in range(len(stock) - 1):
        forged = list(stock)
        forged[i], forged[i + 1] = forged[i + 1], forged[i]
        assert found(with_stock(played(), tuple(forged))) == [True, tuple(forged) == stock], i


def test_a_stock_may_be_cut_short_but_not_go_on_with_another_card() -> None:
    stock = played().rounds[0].deal.stock
    for length in (1, 8, 9, 50, 103, 104):
        assert found(with_stock(played(), stock[:length])) == [True, True]
        other = next(card for card in stock if card != stock[length - 1])
        assert found(with_stock(played(), (*stock[: length - 1], other))) == [True, False]
