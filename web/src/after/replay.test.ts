import { describe, expect, it } from 'vitest';
import {
  find,
  moments,
  namesIn,
  namesOf,
  notables,
  nextTrick,
  roundStart,
  sceneAt,
} from './replay.ts';
import type { Replay, Step } from './replay.ts';

// Two players, two rounds of two cards and one: a Change in the first, an Out in the second.
const first: Step[] = [
  { at: '1.0.0', say: [], trump: 'R', turned: '+ R3', sets_trump: true, to_act: 1, legal: '0 1 2' },
  { at: '1.0.1', say: [], seat: 1, move: '1', trump: 'R', to_act: 0 },
  { at: '1.0.2', say: [], seat: 0, move: '0', trump: 'R', to_act: 1 },
  { at: '1.1.1', say: [], seat: 1, move: 'B2', trump: 'R', led: 'B', to_act: 0 },
  {
    at: '1.1.2',
    say: [],
    seat: 0,
    move: 'CG',
    trump: 'G',
    sets_trump: true,
    trump_by: 0,
    to_act: 1,
    winner: 1,
  },
  { at: '1.2.1', say: [], seat: 1, move: 'B9', trump: 'G', led: 'B', to_act: 0 },
  { at: '1.2.2', say: [], seat: 0, move: 'WB', trump: 'G', winner: 0, missed: [0] },
];
const second: Step[] = [
  { at: '2.0.0', say: [], trump: 'Y', turned: 'Y1', sets_trump: true, to_act: 0 },
  { at: '2.0.1', say: [], seat: 0, move: '1', trump: 'Y', to_act: 1 },
  { at: '2.0.2', say: [], seat: 1, move: '1', trump: 'Y', to_act: 0 },
  { at: '2.1.1', say: [], seat: 0, move: 'X', sets_trump: true, trump_by: 0, to_act: 1 },
  { at: '2.1.2', say: [], seat: 1, move: 'P4', winner: 1, missed: [0] },
];
const replay: Replay = {
  rules: 'poof',
  edition: 'poof',
  players: ['Ann', 'Ben'],
  holders: [
    [{ name: 'Ann', bot: false, first: 1 }],
    [{ name: 'Cleo', bot: false, first: 1 }, { name: 'Ben', bot: false, first: 2 }], // prettier-ignore
  ],
  bots: [null, 'steady'],
  signs: ['', ''],
  sides: [[0], [1]],
  scheduled: 2,
  rounds: [
    { number: 1, players: ['Ann', 'Cleo'], bots: [null, null], dealer: 0, hand_size: 2, hands: ['W C', 'B2 B9'], steps: first,
      bids: [0, 1], won: [1, 1], points: [0, 11], met: [1], scores: [0, 11] },
    { number: 2, players: ['Ann', 'Ben'], bots: [null, 'steady'], dealer: 1, hand_size: 1, hands: ['X', 'P4'], steps: second,
      bids: [1, 1], won: [0, 1], points: [0, 11], met: [1], scores: [0, 22] },
  ],
  scores: [0, 22],
  winners: [1],
  remarks: {},
  link: '1.a.b',
}; // prettier-ignore
const all = moments(replay);
const found = (...written: string[]) => written.map((each) => all[find(all, each)]!.at);

describe('moments', () => {
  it('are all steps of all rounds in order', () => {
    expect(all.map((each) => each.at)).toEqual([...first, ...second].map((each) => each.at));
    expect(all[8]).toEqual({ round: 1, step: 1, at: '2.0.1' });
  });

  it('are found as `rage replay --stop` names them', () => {
    const due = ['1.2.1', '1.1.2', '2.0.2', '2.0.0'];
    expect(found('#1.2.1', '1.1', '2', '2.0.0')).toEqual(due);
  });

  it('are the nearest ones where a link names none', () => {
    const due = ['1.2.2', '2.1.2', '1.0.0', '1.0.0', '1.0.0'];
    expect(found('1.7', '9.9.9', '0.1.1', '', '#nonsense')).toEqual(due);
  });

  it('go from trick to trick, the bids being one stop', () => {
    const stops = [0];
    while (stops.at(-1)! < all.length - 1) stops.push(nextTrick(all, stops.at(-1)!, 1));
    const names = ['1.0.0', '1.0.2', '1.1.2', '1.2.2', '2.0.2', '2.1.2'];
    expect(stops.map((at) => all[at]!.at)).toEqual(names);
    const back = [all.length - 1];
    while (back.at(-1)! > 0) back.push(nextTrick(all, back.at(-1)!, -1));
    expect(back.map((at) => all[at]!.at)).toEqual([...names].reverse());
  });

  it('begin with a deal in every round', () => {
    expect([-1, 0, 1, 2].map((round) => all[roundStart(all, round)]!.at)).toEqual([
      '1.0.0', '1.0.0', '2.0.0', '2.1.2',
    ]); // prettier-ignore
  });
});

describe('a scene', () => {
  const at = (written: string) => sceneAt(replay, all[find(all, written)]!);

  it('counts the points of a round once it is over', () => {
    const scores = ['1.2.1', '1.2.2', '2.1.1', '2.1.2'].map((each) => at(each).scores[1]);
    expect(scores).toEqual([0, 11, 11, 22]);
  });

  it('knows who set the trump when', () => {
    expect(at('1.2.2').trumps).toEqual([
      { at: '1.0.0', trump: 'R', seat: null, move: null, turned: ['+', 'R3'] },
      { at: '1.1.2', trump: 'G', seat: 0, move: 'CG', turned: [] },
    ]);
    expect(at('2.1.2').trumps.map((each) => [each.at, each.trump, each.move])).toEqual([
      ['2.0.0', 'Y', null],
      ['2.1.1', null, 'X'],
    ]);
  });
});

it('notes where a bid was missed for good, and where the trump was changed', () => {
  const brief = notables(replay).map(({ at, missed, trump }) => [at, missed, trump?.trump]);
  expect(brief).toEqual([
    ['1.1.2', null, 'G'],
    ['1.2.2', 0, undefined], // had bid none, and took the last trick
    ['2.1.1', null, null], // an Out
    ['2.1.2', 0, undefined],
  ]);
});

it('names all who played for a side, and in a round the one to whom it was dealt', () => {
  const team = { ...replay, sides: [[0, 1]] };
  expect(namesOf(team, 0)).toEqual(['Ann', 'Cleo / Ben']);
  expect([1, 2].map((round) => namesOf(replay, 1, round))).toEqual([['Cleo'], ['Ben']]);
  expect(namesIn(replay, 1)).toEqual(['Ann', 'Cleo']);
});
