import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashOfTricks, notesOn } from './witness.ts';
import { wordCommitment } from '../offline/deal.ts';
import { Shuffle } from './shuffle.ts';
import type { Command, TableData } from '../protocol.ts';
import { Shelf } from '../stored.shelf.ts';

const SEED = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const PACK = { wild: 2, change: 4, out: 4, bonus: 2, mad: 2 };

/** The part of a table that the shuffle looks at: me in seat 0, Ben in seat 1. */
function table(changes: Record<string, unknown> = {}, mine: string | null = null): TableData {
  const seat = { name: '', person: 'p', bot: null, here: true, word: '', shows: false, votes: {} };
  return {
    phase: 'gathering', games: 1, commitment: SEED, word_commitments: [], me: { seat: 0 },
    seats: [{ ...seat, word_commitment: mine }, { ...seat, word_commitment: null }],
    settings: { schedule: [2, 1], pack: PACK }, first_dealer: null, game: null, seating: [],
    ...changes,
  } as unknown as TableData; // prettier-ignore
}

/** A round under way, and a game with it in which I have a hand. */
const round = (number: number, dealer = 0, more = {}) => ({
  number, dealer, bids: [null, null], trump_changes: [], tricks: [], won: null, ...more,
}); // prettier-ignore
const inRound = (number: number, hand = 'R1 B2', seat: number | null = 0, more = {}) => ({
  seat, hand, rounds: [round(number, 0, more)],
}); // prettier-ignore

/** A shuffle, its commands, and its reports; `refuse`: no command is done. */
function shuffling(refuse = false) {
  const asked: Command[] = [];
  const alarms: (string | null)[] = [];
  const missed: string[] = [];
  const noted: unknown[] = []; // with each command, the list noted before it
  const shuffle = new Shuffle({
    code: 't',
    ask: (command) => {
      asked.push(command);
      noted.push(notesOn('t', 1)?.hashes);
      return Promise.resolve(refuse ? 'no' : null);
    },
    tell: (_, alarm) => alarms.push(alarm),
    miss: () => missed.push('missing'),
  });
  const hash = () => (asked.filter(({ type }) => type === 'commit_word').at(-1) as any)?.hash;
  /** Have a table, and whatever follows from it. */
  const see = async (shown: TableData) => {
    shuffle.update(shown);
    await new Promise((done) => setTimeout(done));
  };
  return { shuffle, see, asked, noted, alarms, missed, hash };
}

/** From now on this browser is another one, which has kept nothing yet. */
const keptNothing = () => void vi.stubGlobal('localStorage', new Shelf());
beforeEach(keptNothing);

/** Committed, and shown at my seat. */
async function committed() {
  const made = shuffling();
  await made.see(table());
  const hash: string = made.hash();
  await made.see(table({}, hash));
  return { ...made, hash };
}
const closed = (hashes: (string | null)[], more = {}) =>
  table({ phase: 'revealing', word_commitments: hashes, ...more }, hashes[0]);

describe('while people gather', () => {
  it('commits to a random word by itself, once, and keeps the word', async () => {
    const { see, asked, hash } = await committed();
    const [word] = notesOn('t', 1)!.words!;
    expect(word).toMatch(/^[0-9a-f]{32}$/);
    expect(hash).toBe(wordCommitment(SEED, word!));
    await see(table({}, hash));
    expect(asked).toHaveLength(1);
  });

  it('adds randomness to what was typed', async () => {
    const { shuffle, see, hash } = await committed();
    await shuffle.add('owl');
    const words = notesOn('t', 1)!.words!;
    expect(words[1]).toMatch(/^owl [0-9a-f]{32}$/);
    shuffle.update(table({}, hash)); // the table has not taken it in yet
    await see(closed([wordCommitment(SEED, words[1]!), null]));
    expect(notesOn('t', 1)!.own).toBe(words[1]);
  });

  it('commits again in another seat, and if the table holds what this browser does not know', async () => {
    const { see, asked, hash } = await committed();
    const due = [hash];
    for (const now of [table({ me: { seat: 1 } }), table({}, null), table({}, OTHER)]) {
      await see(now);
      due.push(hash);
      expect(asked.map((each: any) => each.hash)).toEqual(due);
      await see(table({}, hash));
    }
  });

  it('does not ask again and again what is done and not shown, or refused', async () => {
    for (const refuse of [false, true]) {
      keptNothing();
      const { see, asked } = shuffling(refuse);
      await see(table());
      expect(asked).toHaveLength(1);
      await see(table());
      expect(asked).toHaveLength(refuse ? 2 : 1);
    }
  });

  it('adds nothing for those who watch, but notes', async () => {
    const { see, asked } = shuffling();
    await see(table({ me: { seat: null } }));
    await see(closed([OTHER, null], { me: { seat: null } }));
    expect(asked).toEqual([]);
    expect(notesOn('t', 1)).toMatchObject({ commitment: SEED, hashes: [OTHER, null] });
  });
});

describe('once all words are fixed', () => {
  it('notes the list first, then reveals, also after the page was reopened', async () => {
    const { hash } = await committed();
    const [word] = notesOn('t', 1)!.words!;
    const { shuffle, see, asked, noted } = shuffling();
    await see(closed([hash, OTHER]));
    expect(asked).toEqual([{ type: 'reveal_word', word }]);
    expect(noted).toEqual([[hash, OTHER]]);
    expect(notesOn('t', 1)).toMatchObject({ hashes: [hash, OTHER], seat: 0, own: word });
    expect(notesOn('t', 1)!.revealed).toBeUndefined();
    const seats = [{ ...table().seats[0]!, word }, table().seats[1]!];
    shuffle.update(table({ phase: 'playing', word_commitments: [hash, OTHER], seats }));
    expect(notesOn('t', 1)!.revealed).toBe(true);
  });

  it.each([
    ['is missing', 'revealing', [null, OTHER]],
    ['is exchanged', 'revealing', [OTHER, OTHER]],
    ['is missing, and revealing is skipped', 'playing', [null, OTHER]],
    ['is exchanged, and revealing is skipped', 'playing', [OTHER, null]],
    ['is as missing as all others, and revealing is skipped', 'playing', []],
  ])('raises the alarm where my own %s, and reveals nothing', async (_, phase, hashes) => {
    const { see, asked, alarms, missed } = await committed();
    await see(closed(hashes, { phase }));
    expect(alarms.at(-1)).toBe('word');
    expect(notesOn('t', 1)!.alarm).toBe('word');
    expect(asked.map(({ type }) => type)).toEqual(['commit_word']);
    expect(missed).toEqual([]);
  });

  it('is not alarmed where another device of mine may have committed to something else', async () => {
    const { shuffle, see, asked, alarms } = await committed();
    shuffle.forget();
    await see(closed([OTHER, null]));
    expect(alarms.at(-1)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  it('raises the alarm where the list is another one later', async () => {
    const { see, alarms, hash } = await committed();
    await see(closed([hash, null]));
    await see(table({ phase: 'playing', word_commitments: [hash, OTHER] }));
    expect(alarms.at(-1)).toBe('list');
  });
});

describe('what else the deal depends on', () => {
  const settings = { schedule: [2, 1], pack: PACK };
  const seat = table().seats[1]!;
  const dealt = (dealer: number) => ({ game: { ...inRound(1), rounds: [round(1, dealer)] } });

  /** Noted in `revealing`, with this first dealer; then the game is under way, with changes. */
  async function playing(first_dealer: number | null, changes: Record<string, unknown>) {
    const made = await committed();
    const list = [made.hash, null];
    await made.see(closed(list, { first_dealer }));
    await made.see(table({ phase: 'playing', word_commitments: list, ...changes }, made.hash));
    return made;
  }

  it('is noted with the list', async () => {
    await playing(1, dealt(1));
    const terms = { players: 2, schedule: [2, 1], pack: PACK, dealer: 1, seating: [] };
    expect(notesOn('t', 1)).toMatchObject({ terms, late: false });
  });

  it.each<[string, number | null, Record<string, unknown>]>([
    ['pack', null, { settings: { ...settings, pack: { ...PACK, wild: 4 } } }],
    ['schedule', null, { settings: { ...settings, schedule: [2, 2] } }],
    ['players', null, { seats: [table().seats[0], seat, seat] }],
    ['seating', null, { seating: ['Ben', 'Ann'] }],
    ['dealer', 1, dealt(0)],
    ['dealer', 0, dealt(1)],
  ])('raises the alarm where it is another %s at the start', async (alarm, first, changes) => {
    const { alarms } = await playing(first, changes);
    expect(alarms.at(-1)).toBe(alarm);
    expect(notesOn('t', 1)!.alarm).toBe(alarm);
  });

  it.each([
    [null, 0],
    [null, 1],
    [1, 1],
  ])('is right where %s was to deal first, and %s does', async (first, dealer) => {
    expect((await playing(first, dealt(dealer))).alarms.at(-1)).toBeNull();
  });

  it('is an alarm where another dealer is named while words are revealed', async () => {
    const { see, alarms, hash } = await committed();
    await see(closed([hash, null]));
    await see(closed([hash, null], { first_dealer: 1 }));
    expect(alarms.at(-1)).toBe('dealer');
  });
});

describe('who sits where', () => {
  const seated = (...people: (string | null)[]) => ({
    seats: people.map((person) => ({ ...table().seats[0]!, person })),
  });

  it.each<[string, (string | null)[], number, boolean]>([
    ['is as it was', ['a', 'b', null], 1, false],
    ['has changed by a player who left', ['a', null, null], 1, false],
    ['was exchanged', ['b', 'a', null], 1, true],
    ['was exchanged with a bot', [null, 'b', 'a'], 1, true],
    ['was rotated', ['b', null, 'a'], 1, true],
    ['has somebody who was not there', ['a', 'b', 'c'], 1, true],
    ['may have changed since the first round', ['b', 'a', null], 2, false],
  ])('%s', async (_, people, number, wrong) => {
    const { shuffle, alarms } = shuffling();
    const list = [OTHER, OTHER, null];
    shuffle.update(closed(list, { me: { seat: null }, ...seated('a', 'b', null) }));
    const game = inRound(number, '', null);
    const later = { phase: 'playing', word_commitments: list, game, me: { seat: null } };
    shuffle.update(table({ ...later, ...seated(...people) }));
    expect(alarms.at(-1)).toBe(wrong ? 'seating' : null);
    shuffle.update(table({ ...later, ...seated('a', 'b', 'c') })); // a bot's seat is given away
    expect(alarms.at(-1)).toBe(wrong ? 'seating' : null);
  });
});

describe('my own seat and cards', () => {
  const NAMES = ['Ann', 'Ben', 'Cleo'];
  type Frame = Record<string, unknown> & { seat?: number | null; whole?: boolean };
  /** Who sits here, as the same persons or as others. */
  const called = (names: string[], id: string) => ({
    seats: names.map((name, at) => ({ ...table().seats[0]!, name, person: `${id}${at}` })),
  });
  const same = (...names: string[]) => called(names, 'p');
  const others = (...names: string[]) => called(names, 'q');
  const frame = (list: (string | null)[], { seat = 0, ...more }: Frame) =>
    table({
      phase: 'playing', word_commitments: list, seating: NAMES, me: { seat }, game: inRound(1),
      ...same(...NAMES), ...more,
    }); // prettier-ignore

  /** The alarm after these frames of a game whose words were fixed. */
  async function after(...frames: (Frame | Command)[]) {
    const made = await committed();
    const list = [made.hash, null, null];
    await made.see(frame(list, { phase: 'revealing', game: null }));
    for (const each of frames) {
      if ('type' in each) made.shuffle.sent(each as Command);
      else made.shuffle.update(frame(list, each), (each.whole ?? true) as boolean);
    }
    return made.alarms.at(-1);
  }
  const in2 = { game: inRound(2) };

  it.each<[string, (Frame | Command)[], string | null]>([
    ['stay', [{}, in2, { game: inRound(2, 'R1 B2') }], null],
    ['change one frame later, and all ids', [{}, { seat: 1, ...others(...NAMES) }], 'seat'],
    ['change before the first frame', [{ seat: 1 }], 'seat'],
    ['change in an update', [{}, { seat: 1, whole: false }], 'seat'],
    ['change in a later round', [{}, in2, { seat: 2, game: inRound(3, 'R1', 2) }], 'seat'],
    ['change by way of no seat', [{}, { seat: null, game: inRound(1, '', null) }, { seat: 2 }], 'seat'],
    ['change back and forth', [{}, { seat: 1 }, {}], 'seat'],
    ['change while the game is paused', [{}, { seat: 1, phase: 'paused' }], 'seat'],
    ['change before people gather again', [{}, { seat: 1, phase: 'gathering' }], 'seat'],
    ['change under no commitment', [{}, { seat: 1, commitment: '' }], 'seed'],
    ['stay, but the cards are those of another', [{}, { game: inRound(1, 'G3', 1) }], 'seat'],
    ['were lost and came back', [{}, { seat: null, game: inRound(1, '', null) }, {}], null],
    ['change because I asked', [{}, { type: 'ask_for_seat', seat: 2 }, { seat: 2, game: inRound(2, 'B9', 2) }], null],
    ['are others than I asked for', [{}, { type: 'ask_for_seat', seat: 2 }, { seat: 1 }], 'seat'],
    ['change after I gave it up', [{}, { type: 'give_seat', seat: 0 }, { seat: null, game: null }, { seat: 1, game: inRound(2, 'B9', 1) }], null],
    ['change though I gave away a bot', [{}, { type: 'give_seat', seat: 1 }, { seat: 1 }], 'seat'],
    ['have the name of another', [{}, in2, { ...in2, ...others('Ben', 'Ann', 'Cleo') }], 'seating'],
    ['stay, and all have new names', [same('Anna', 'Ben', 'Spica')], null],
    ['stay, and others exchange their names', [same('Ann', 'Cleo', 'Ben')], 'seating'],
    ['stay, and others change in the first round', [{}, others('Ann', 'Cleo', 'Ben')], 'seating'],
    ['stay, and others change later', [{}, in2, { ...in2, ...others('Ann', 'Cleo', 'Ben') }], null],
    ['change within a round', [{}, { game: inRound(1, 'R1 B3') }], 'cards'],
    ['lose a card that I did not play', [{}, { game: inRound(1, 'R1') }], 'cards'],
    ['lose one that I played', [{}, { game: inRound(1, 'R1', 0, { tricks: [{ leader: 1, moves: 'G4 B2' }] }) }], null],
    ['have it back when it is taken back', [{ game: inRound(1, 'R1', 0, { tricks: [{ leader: 0, moves: 'B2' }] }) }, {}], null],
  ])('%s', async (_, frames, due) => {
    expect(await after(...frames)).toBe(due);
    expect(notesOn('t', 1)!.alarm).toBe(due ?? undefined);
  }); // prettier-ignore

  it('are noted in each round, and what is announced of others', async () => {
    const won = { won: [1, 0], tricks: [{ leader: 0, moves: 'B2 B9' }] };
    const turned = { trump_changes: [{ cards: 'R5' }, { cards: '' }, { cards: 'X G1' }] };
    const both = [round(1, 0, { ...won, ...turned }), round(2)];
    const next = { ...inRound(2, 'Y3'), rounds: both };
    await after(
      {},
      { whole: false, game: next },
      { whole: false, game: next, ...others('Ann', 'Vega', 'Cleo') },
      { whole: true, game: next, ...others('Ann', 'Vega', 'Fox') },
      { phase: 'over', game: { ...next, rounds: [both[0], round(2, 1, won)], hand: '' } },
    );
    expect(notesOn('t', 1)).toMatchObject({
      held: 0,
      told: ['1 Vega'],
      rounds: {
        1: { seat: 0, hand: 'R1 B2', turned: 'R5 X G1', tricks: hashOfTricks(['B2 B9']) },
        2: { seat: 0, hand: 'Y3', tricks: hashOfTricks(['B2 B9']) },
      },
    });
  });
});

describe('a game without my word', () => {
  const playing = (list: (string | null)[], more = {}) =>
    table({ phase: 'playing', word_commitments: list, ...more });

  it.each(['revealing', 'playing'])('is an alarm if the page was reopened by %s', async (phase) => {
    await committed();
    const { see, asked, alarms } = shuffling();
    await see(table({ phase, word_commitments: [OTHER, OTHER] }));
    expect(alarms.at(-1)).toBe('word');
    expect(asked).toEqual([]);
  });

  it('is told once, and raises no alarm, where the table took mine in and never showed it', async () => {
    const { see, alarms, missed } = shuffling();
    await see(table());
    await see(closed([null, OTHER]));
    await see(playing([null, OTHER]));
    await see(playing([null, OTHER]));
    expect(alarms.at(-1)).toBeNull();
    expect(missed).toEqual(['missing']);
    expect(notesOn('t', 1)!.missing).toBe(true);
  });

  it('is told where the game begins before mine is in', async () => {
    const { shuffle, see, missed } = shuffling(true);
    shuffle.update(table());
    await see(playing([]));
    expect(missed).toEqual(['missing']);
  });

  it('is not told of with bots alone, nor where I have left my seat', async () => {
    const { see, alarms, missed } = await committed();
    await see(table({ me: { seat: null } }));
    await see(playing([OTHER, null], { me: { seat: null } }));
    keptNothing();
    const alone = shuffling(true);
    const seats = [table().seats[0], { ...table().seats[1]!, person: null, bot: 'random' }];
    alone.shuffle.update(table({ seats }));
    await alone.see(playing([], { seats }));
    expect([...missed, ...alone.missed]).toEqual([]);
    expect(alarms.at(-1)).toBeNull();
  });
});

it('notes that a list was first seen when words were open already', () => {
  const { shuffle } = shuffling();
  const seats = [table().seats[0], { ...table().seats[1]!, word: 'open' }];
  shuffle.update(closed([null, OTHER], { me: { seat: null }, seats }));
  expect(notesOn('t', 1)).toMatchObject({ hashes: [null, OTHER], late: true });
});

describe('a second commitment for the same game', () => {
  it.each(['gathering', 'revealing', 'playing', 'paused'])(
    'is an alarm while %s',
    async (phase) => {
      const { see, asked, alarms, hash } = await committed();
      const hashes = phase === 'gathering' ? [] : [hash, null];
      await see(table({ phase, commitment: OTHER, word_commitments: hashes }, hash));
      expect(alarms.at(-1)).toBe('seed');
      expect(asked).toHaveLength(1);
      expect(notesOn('t', 1)).toMatchObject({ commitment: SEED, alarm: 'seed' });
    },
  );

  it('stays one when the first is shown again, and after the page was reopened', async () => {
    const { hash } = await committed();
    const { see, asked, alarms } = shuffling();
    await see(table({ commitment: OTHER }, hash));
    await see(closed([hash, null]));
    expect(alarms).toEqual(['seed', 'seed']);
    expect(asked).toEqual([]);
  });

  it('is none for the next game, for which there is a new word', async () => {
    const { see, asked, alarms } = await committed();
    await see(table({ games: 2, commitment: OTHER }));
    expect(alarms.at(-1)).toBeNull();
    expect(asked).toHaveLength(2);
    expect(notesOn('t', 2)!.words![0]).not.toBe(notesOn('t', 1)!.words![0]);
  });
});

it('notes nothing of a game that it sees first when it is under way', () => {
  const { shuffle } = shuffling();
  shuffle.update(table({ phase: 'playing' }));
  shuffle.update(table({ phase: 'over' }));
  expect(notesOn('t', 1)).toBeNull();
});
