import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nameOf, type Rules, rulesNamed } from '../offline/names';
import { newSheet, scores, type Sheet, type SheetRound } from '../offline/sheet';
import { readSheet, writeSheet } from '../offline/sheet_file';
import { inNewTab, Shelf } from '../stored.shelf';

import type { book as theBook } from './book.svelte';
import { wholeSheet } from './entering';
import { readHistory, writeHistory } from './history';

type Book = typeof theBook;

beforeEach(() => {
  Shelf.full = false;
  vi.useFakeTimers({ now: new Date('2026-05-01T20:00:00Z') });
  vi.stubGlobal('localStorage', new Shelf());
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function tab() {
  const { book, hear } = await inNewTab(() => import('./book.svelte'));
  return Object.assign(book, { hear });
}

const poof = rulesNamed('poof');
const NAMES = ['Ann', 'Ben', 'Cem'];

it('other rules add every round up again, or are refused where one could not have been', async () => {
  const book = await tab();
  const { amend } = await import('./amending');
  const change = (rules: Rules, names: string[]) => book.amend(amend(book.game!, rules, names));
  book.begin(rulesNamed('amigo'), ['Ann', 'Ben', 'Player 3'], 0);
  const round = (bids: number[], won: number[]) => {
    book.enter({ ...book.game!.entry!, bids, won });
    book.finish();
  };
  round([3, 4, 3], [4, 3, 3]);
  expect(scores(book.game!.sheet)).toEqual([-1, -2, 13]);
  change(poof, ['Ann', 'Ben', 'Cem']);
  expect(scores(book.game!.sheet)).toEqual([4, 3, 13]);
  expect(book.game!.sheet.players).toEqual(NAMES);
  expect(() => change(rulesNamed('poof+plus-minus-one'), NAMES)).toThrow();
  expect(() => change(poof, ['Ann', 'Ben', ''])).toThrow();
  change(rulesNamed('poof+schedule:10.3'), NAMES);
  expect(book.game!.entry!.hand_size).toBe(3);
  change(rulesNamed('poof+schedule:10'), NAMES);
  expect(book.game!.entry).toBeNull();
  book.undo();
  book.undo();
  expect([book.game!.entry!.hand_size, book.game!.sheet.rules.edition]).toEqual([9, 'poof']);
});

/** Enter a round in which the first seat bids all tricks, and wins them. */
function play(book: Book): void {
  const entry = entryOf(book);
  const all = entry.seats.map((_, at) => (at ? 0 : entry.hand_size));
  book.enter({ ...entry, bids: all, won: all });
  book.finish();
}
const entryOf = (book: Book): SheetRound => book.game!.entry!;
const bid = (book: Book, n: number) =>
  book.enter({ ...entryOf(book), bids: [n, ...entryOf(book).bids.slice(1)] });
const bidsOf = (book: Book) => entryOf(book).bids;

it('takes all games to another device, with the round under way', async () => {
  const one = await tab();
  one.begin(poof, NAMES, 0);
  play(one);
  bid(one, 4);
  one.begin(poof, ['Dora', 'Eva', 'Fay'], 0);
  play(one);
  one.stop();
  const text = writeHistory(one.games);
  vi.stubGlobal('localStorage', new Shelf());
  const other = await tab();
  other.takeAll(readHistory(text)!);
  expect(writeHistory(other.games)).toBe(text);
  const [dora, ann] = other.games;
  expect([dora!.entry, dora!.sheet.stopped]).toEqual([null, true]);
  other.open(ann!.id);
  expect(bidsOf(other)).toEqual([4, null, null]);
  play(other);
  expect(entryOf(other).bids).toEqual([null, null, null]);
  // Sheets that are here already are skipped, even undated ones.
  other.takeAll([...readHistory(text)!, undated()]);
  expect(other.games.length).toBe(4); // plus Ann's as it was, and the undated one
  other.takeAll([undated()]);
  expect(other.games.length).toBe(4);
});

/** A sheet whose next round has not begun, as other programs write it. */
function undated(): Sheet {
  const round = { hand_size: 10, dealer: 0, bids: [0, 0, 0], won: [0, 0, 10] };
  const data = { format: 'rage-score', version: 1, rules: { edition: 'poof' }, players: NAMES };
  return readSheet(JSON.stringify({ ...data, rounds: [round] }));
}

it('goes on with every game of a file', async () => {
  const book = await tab();
  const other = { ...undated().rounds[0]!, bids: [0, 0, 1] };
  book.takeAll([undated(), { ...undated(), rounds: [other] }]);
  for (const { id, sheet } of book.games) {
    book.open(id);
    expect(sheet.extra['started']).toBe('2026-05-01T20:00:00Z');
    expect([entryOf(book).hand_size, entryOf(book).dealer]).toEqual([9, 1]);
  }
  expect(book.games.length).toBe(2);
});

it('reads no file of another version', () => {
  expect(() => readHistory('{"format":"rage-scores","version":2,"sheets":[]}')).toThrow(
    'notation.wrong_field',
  );
  expect(readHistory('{"format":"rage-scores","version":1,"sheets":[]}')).toEqual([]);
});

it('has what was entered elsewhere when it is come back to', async () => {
  const before = await tab();
  before.begin(poof, NAMES, 0);
  const after = await tab(); // the same window: the first page is only kept for going back
  bid(after, 4);
  bid(after, 5);
  before.hear('pageshow', { persisted: false });
  expect(bidsOf(before)).toEqual([null, null, null]);
  before.hear('pageshow', { persisted: true });
  expect(bidsOf(before)).toEqual([5, null, null]);
  before.undo();
  expect(bidsOf(before)).toEqual([4, null, null]);
});

it('keeps what it could not store as long as the page is open', async () => {
  const book = await tab();
  book.begin(poof, NAMES, 0);
  Shelf.full = true;
  bid(book, 4);
  book.takeAll([undated()]);
  book.begin(poof, ['Dora', 'Eva', 'Fay'], 0);
  const all = book.games.map(({ id }) => id).sort();
  expect([all.length, book.lost]).toEqual([3, true]);
  book.hear('storage', { key: 'rage.sheet.other' });
  book.takeAll([{ ...undated(), stopped: true }]);
  expect(book.games.length).toBe(4);
  expect(book.games.filter(({ id }) => all.includes(id)).length).toBe(3);
  book.open(
    book.games.find(({ sheet, entry }) => !sheet.rounds.length && entry?.bids[0] === 4)!.id,
  );
  // Once there is room, everything is kept.
  Shelf.full = false;
  bid(book, 5);
  expect(book.lost).toBe(false);
  expect((await tab()).games.map(({ id }) => id).sort()).toEqual(
    book.games.map(({ id }) => id).sort(),
  );
});

it('forgets what is removed, stored or not, and has room for the rest then', async () => {
  const book = await tab();
  book.begin(poof, NAMES, 0);
  const first = book.game!.id;
  Shelf.full = true;
  book.begin(poof, NAMES, 0);
  const second = book.game!.id;
  book.begin(poof, NAMES, 0);
  book.remove(second);
  expect([book.games.length, book.lost]).toEqual([2, true]);
  Shelf.full = false;
  book.remove(first);
  expect(book.lost).toBe(false);
  book.hear('storage', { key: null });
  expect(book.games.length).toBe(1);
});

it('leaves the steps of one game alone while another is entered elsewhere', async () => {
  const one = await tab();
  one.begin(poof, NAMES, 0);
  bid(one, 4);
  const two = await tab();
  two.begin(poof, NAMES, 0);
  one.hear('storage', { key: 'rage.sheet-past' });
  expect(one.canUndo).toBe(true);
  one.undo();
  expect(bidsOf(one)).toEqual([null, null, null]);
});

it('has nobody on the sheet who never took part', async () => {
  const book = await tab();
  book.begin(poof, NAMES, 0);
  play(book);
  const players = [...NAMES, 'Bne', 'x'.repeat(60), 'Dora'];
  book.seat(players, { seats: [1, 2, 5], dealer: 5, hand_size: 9 });
  expect(book.game!.sheet.players).toEqual(['Ann', 'Ben', 'Cem', 'Dora']);
  expect(entryOf(book)).toMatchObject({ seats: [1, 2, 3], dealer: 3 });
  // Nor a player who was seated by mistake before anything was played.
  bid(book, 4);
  const more = [...book.game!.sheet.players, 'Eva'];
  book.seat(more, { seats: [4, 1, 2], dealer: 2, hand_size: 9 });
  expect(book.game!.sheet.players).toEqual(['Ann', 'Ben', 'Cem', 'Eva']);
  expect(entryOf(book)).toMatchObject({ seats: [3, 1, 2], dealer: 2, bids: [null, 4, null] });
  play(book);
  expect(book.game!.sheet.rounds.map(({ seats }) => seats)).toEqual([[0, 1, 2], [3, 1, 2]]); // prettier-ignore
});

it('renumbers the players if somebody leaves before the first round', async () => {
  const book = await tab();
  book.begin(poof, [...NAMES, 'Dora'], 3);
  bid(book, 4);
  book.seat(['Ann', 'Ben', 'Cem', 'Dora'], { seats: [3, 1, 2], dealer: 1, hand_size: 10 });
  expect(book.game!.sheet.players).toEqual(['Ben', 'Cem', 'Dora']);
  expect(entryOf(book)).toMatchObject({ seats: [2, 0, 1], dealer: 0 });
  expect(() => readSheet(writeSheet(wholeSheet(book.game!)))).not.toThrow();
  book.undo();
  expect([book.game!.sheet.players.length, bidsOf(book)[0]]).toEqual([4, 4]);
});

it('begins a round with as many cards as there are for all who have come', async () => {
  const book = await tab();
  const rising: Rules = { ...poof, schedule: Array.from({ length: 15 }, (_, at) => at + 1) };
  const six = [...NAMES, 'Dora', 'Eva', 'Fay'];
  book.begin(rising, six, 0);
  play(book);
  play(book);
  const eight = { seats: [0, 1, 2, 3, 4, 5, 6, 7], dealer: 0, hand_size: 3 };
  book.seat([...six, 'Gus', 'Hal'], eight);
  for (let round = 3; round < 14; round += 1) play(book);
  expect([book.game!.sheet.rounds.length, entryOf(book).hand_size]).toEqual([13, 13]);
  // Also on the device of a person who continues the sheet.
  book.take({ ...book.game!.sheet, extra: { comment: 'from elsewhere' } });
  expect(entryOf(book).hand_size).toBe(13);
  play(book);
  play(book);
  expect(book.game!.entry).toBe(null);
});

it('keeps a sheet once, however often its file is opened', async () => {
  const book = await tab();
  const sheet: Sheet = newSheet(poof, NAMES, { started: '2026-11-20T20:00:00Z' });
  for (let n = 0; n < 2; n += 1) book.take(sheet);
  expect(book.games.length).toBe(1);
  play(book);
  book.take(sheet); // which has changed here since
  expect(book.games.length).toBe(2);
});

it('lets the deal pass to the left in the next game', async () => {
  const book = await tab();
  book.begin(poof, NAMES, 1);
  play(book);
  play(book); // Ben has dealt, and Cem
  book.seat([...NAMES, 'Dora'], { seats: [1, 2, 3], dealer: 2, hand_size: 8 });
  play(book);
  book.stop();
  book.again();
  const { sheet } = book.game!;
  expect([sheet.players, nameOf(sheet.rules)]).toEqual([['Ben', 'Cem', 'Dora'], 'poof']);
  expect(sheet.players[entryOf(book).dealer]).toBe('Dora');
});
