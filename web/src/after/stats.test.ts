import { beforeEach, expect, it, vi } from 'vitest';
import {
  csvOf,
  groupOf,
  groupsOf,
  keepGames,
  type Kept,
  keptGames,
  keptOf,
  statistics,
} from './stats.ts';
import { Shelf } from '../stored.shelf.ts';
import type { FinishedGame, GameLine } from '../protocol.ts';

/** A game of Ann (me), Ben and a bot: two rounds of two cards and one. */
const GAME: Kept = {
  id: 'abcdefgh/1',
  ended: Date.UTC(2026, 10, 22),
  rules: 'poof',
  names: ['Ann', 'Ben', 'Vega'],
  bots: [false, false, true],
  seat: 0,
  sides: [0, 1, 2],
  scores: [11, 13, 0],
  winners: [1],
  rounds: [
    { cards: 2, bids: [1, 1, 1], won: [1, 1, 0], points: [11, 11, 0], met: [0, 1] },
    { cards: 1, bids: [1, 0, 0], won: [0, 1, 0], points: [0, 2, 0], met: [2] },
  ],
};
const AGAIN: Kept = { ...GAME, id: 'abcdefgh/2', scores: [20, 13, 1], winners: [0] };
const TEAM: Kept = {
  ...GAME,
  names: ['Ann', 'Ben', 'Cleo', 'Dan'],
  sides: [0, 1, 0, 1],
  bots: [false, false, false, false],
  scores: [12, 3],
  winners: [0],
  rounds: [{ cards: 2, bids: [2, 0, 0, 1], won: [1, 0, 1, 0], points: [12, 3], met: [0] }],
};

it('counts my games, wins, bids and points', () => {
  const { own, met, best, worst } = statistics([GAME, AGAIN]);
  expect(own).toEqual({ name: '', games: 2, wins: 1, average: 15.5, met: 2, bids: 4 });
  expect(met).toEqual([
    { cards: 2, met: 2, of: 2 },
    { cards: 1, met: 0, of: 2 },
  ]);
  expect([best!.points, best!.round, worst!.points, worst!.round]).toEqual([11, 1, 0, 2]);
});

it('counts the people round the table, and no bots', () => {
  const { tallies, rivals } = statistics([GAME, AGAIN]);
  expect(tallies).toEqual([{ name: 'Ben', games: 2, wins: 1, average: 13, met: 2, bids: 4 }]);
  expect(rivals).toEqual([{ name: 'Ben', ahead: 1, behind: 1, level: 0 }]);
});

it('counts a team together, and nobody as a rival of their own team', () => {
  const { own, rivals } = statistics([TEAM]);
  expect(own).toMatchObject({ wins: 1, average: 12, met: 1, bids: 1 });
  expect(rivals.map(({ name, ahead }) => [name, ahead])).toEqual([
    ['Ben', 1],
    ['Dan', 1],
  ]);
});

it('counts the bids that are said to be met, and does not judge them', () => {
  const told = { ...GAME, rounds: GAME.rounds.map((round) => ({ ...round, met: [1] })) };
  const { own, tallies } = statistics([told]);
  expect([own!.met, tallies[0]!.met]).toEqual([0, 2]);
});

it.each([GAME, TEAM])('counts games that were kept before that was said, too', (game) => {
  const before = { ...game, rounds: game.rounds.map(({ met: _, ...round }) => round) };
  expect(statistics([before]).met).toEqual(statistics([game]).met);
  expect(statistics([before]).tallies).toEqual(statistics([game]).tallies);
});

it('has nothing of mine in a game that I watched', () => {
  const found = statistics([{ ...GAME, seat: null }]);
  expect([found.own, found.best, found.met, found.rivals]).toEqual([null, null, [], []]);
  expect(found.tallies.map(({ name }) => name)).toEqual(['Ben', 'Ann']);
});

it('tells evenings with the same friends from others', () => {
  const cleo = { ...GAME, names: ['Ann', 'Cleo', 'Ben'], bots: [false, false, false] };
  expect([GAME, cleo].map(groupOf)).toEqual(['Ben', 'Ben, Cleo']);
  expect(groupsOf([cleo, GAME, AGAIN])).toEqual(['Ben', 'Ben, Cleo']);
  expect(groupsOf([{ ...GAME, bots: [false, true, true] }])).toEqual([]);
});

it('keeps of a game what counts, and no round that was not played out', () => {
  const { ended, names: players, scores } = GAME;
  const who = { players, bots: [null, null, 'steady'] };
  const line = { table: 'abcdefgh', game: 1, ended, bots: who.bots, seat: 0, side: 0 };
  const rounds = [
    ...GAME.rounds.map(({ cards, ...more }, i) => {
      return { number: i + 1, hand_size: cards, ...who, ...more };
    }),
    { number: 3, hand_size: 1, ...who, bids: [null, null, null], won: null, points: null },
  ];
  const sides = [[0], [1], [2]];
  const replay = { rules: 'poof', ...who, sides, scores, winners: [1], rounds };
  const kept = (changes: object, over: object) =>
    keptOf(
      { ...line, rounds: [1, 2], ...changes } as unknown as GameLine,
      { replay: { ...replay, ...over } } as unknown as FinishedGame,
    );
  expect(kept({}, {})).toEqual(GAME);

  // Ben plays the first round, and then a bot of another name, who wins.
  const left = kept(
    { seat: 1, side: null, rounds: [1] },
    { players: ['Ann', 'Fox', 'Vega'], bots: [null, 'steady', 'steady'] },
  );
  expect(left.rounds.map(({ won }) => won[1])).toEqual([1, null]);
  expect(statistics([left]).own).toEqual({
    name: '', games: 0, wins: 0, average: 0, met: 1, bids: 1,
  }); // prettier-ignore

  // Cleo has had the seat of Ben since the second round, half of the game; his round stays his.
  const came = kept({}, { players: ['Ann', 'Cleo', 'Vega'], rounds: [rounds[0], { ...rounds[1], players: ['Ann', 'Cleo', 'Vega'] }] }); // prettier-ignore
  expect(statistics([came]).tallies).toEqual([
    { name: 'Cleo', games: 1, wins: 1, average: 2, met: 0, bids: 1 },
    { name: 'Ben', games: 0, wins: 0, average: 0, met: 1, bids: 1 },
  ]);
  expect(groupOf(came)).toBe('Ben, Cleo');
});

it('writes a table that names in each round those to whom it was dealt, none a formula', () => {
  const [first, second] = GAME.rounds;
  const dealt = { names: ['=1+1', 'Ben', 'Vega'], bots: [true, false, true], won: [1, 1, 0] };
  const before = { ...first!, won: [null, 1, 0], dealt };
  const lines = csvOf([{ ...GAME, rounds: [before, second!] }]).split('\r\n');
  expect(lines[1]).toBe("2026-11-22T00:00:00.000Z,abcdefgh/1,poof,'=1+1,0,1,1,2,1,1,11,11");
  expect(lines[4]).toBe('2026-11-22T00:00:00.000Z,abcdefgh/1,poof,Ann,1,0,2,1,1,0,0,11');
});

beforeEach(() => void vi.stubGlobal('localStorage', new Shelf()));

it('keeps the last ones of very many games', () => {
  const many = Array.from({ length: 1501 }, (_, at) => ({ ...GAME, id: `g/${at}`, ended: at }));
  expect(keepGames(many)).toBe(true);
  expect(keptGames()).toHaveLength(1500);
  expect(keptGames()[0]!.id).toBe('g/1500');
});

it('is not harmed by what somebody else has stored there', () => {
  for (const odd of ['{', '{}', 'null', '[5, null, {"id": "x"}]', '[{"id":"x","names":[]}]']) {
    localStorage.setItem('rage.stats', odd);
    expect(keptGames()).toEqual([]);
  }
});
