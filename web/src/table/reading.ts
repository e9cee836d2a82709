// The texts that keys read out: the hand, the trick, the last one, the scores, the trump, the bids.

import { cardOf, split } from '../codes';
import { tellTrumpChange, tellWinner } from '../game/story';
import { lastTrick } from '../game/tricks';
import type { TableStore } from '../game/table.svelte';
import {
  cardAloud,
  either,
  join,
  type Reason,
  sentence,
  t,
  team,
  visible,
  type WireReason,
} from '../say';
import type { ReadOut } from './keys.svelte';
import { cardsOnTable, standings, totalBid } from './standing';

type Reader = (store: TableStore) => string;

const nameIn = (store: TableStore, seat: number) => visible(store.names[seat] ?? '');
const aloudEach = (store: TableStore, codes: readonly string[]) =>
  codes.map((code) => cardAloud(code, store.telling.edition));
const cards = (store: TableStore, codes: readonly string[]) => join(aloudEach(store, codes));
const aloud = (store: TableStore, reason: Reason | WireReason) =>
  sentence(reason, { ...store.telling, aloud: true });

const hand: Reader = (store) => {
  const held = split(store.game?.hand ?? '');
  if (held.length === 0) return t('page.table.hand.empty');
  const all = t('page.table.read.hand', { cards: cards(store, held) });
  if (!store.moves.mine || store.bidding) return all;
  const legal = [...new Set(store.moves.legal.map(cardOf))];
  if (legal.length === new Set(held).size) return `${all} ${t('page.table.read.any')}`;
  return `${all} ${t('page.table.read.playable', { cards: either(aloudEach(store, legal)) })}`;
};

const trick: Reader = (store) => {
  const found = cardsOnTable(store.table!, store.moves.pending?.move ?? null, false).cards;
  if (found.length === 0) return t('page.table.read.no_card');
  return found
    .map(({ seat, move }) =>
      t('page.table.read.played', {
        player: nameIn(store, seat),
        card: cardAloud(move, store.telling.edition),
      }),
    )
    .join(' ');
};

const last: Reader = (store) => {
  const found = lastTrick(store.game!);
  if (!found) return t('page.table.no_trick');
  const { round, trick } = found;
  const all = t('page.table.read.last', { cards: cards(store, split(trick.moves)) });
  return `${all} ${aloud(store, tellWinner(round, trick))}`;
};

const scores: Reader = (store) => {
  const { scores: points, sides } = store.game!;
  return sides
    .map((seats, side) =>
      t('page.table.read.score', {
        player: team(seats.map((seat) => nameIn(store, seat))),
        points: points[side],
      }),
    )
    .join(' ');
};

const trump: Reader = (store) => {
  const { trump: letter } = store.game!;
  const now = letter
    ? t('page.table.read.trump', { colour: letter })
    : t('page.table.read.no_trump');
  const change = store.round?.trump_changes.at(-1);
  return change ? `${now} ${aloud(store, tellTrumpChange(change))}` : now;
};

const bids: Reader = (store) => {
  const lines = standings(store.table!).map(({ name, bid, won, hidden }) => {
    const player = visible(name);
    if (bid !== null) return t('page.table.read.bid', { player, bid, won });
    return t(hidden ? 'page.table.read.bid_hidden' : 'page.table.read.no_bid', { player, won });
  });
  const { sum, hidden } = totalBid(store.table!);
  const tricks = store.round?.hand_size ?? 0;
  // First, because a number after one and a full stop is heard as its decimals.
  const total = hidden ? [] : [`${t('page.table.total', { total: sum, tricks })}.`];
  return [...total, ...lines].join(' ');
};

const READERS: Readonly<Record<ReadOut, Reader>> = {
  hand,
  trick,
  last,
  scores,
  trump,
  bids,
};

/** The texts to read out. */
export function readOut(store: TableStore, what: ReadOut): string {
  return store.game && store.round ? READERS[what](store) : t('page.table.read.nothing');
}
