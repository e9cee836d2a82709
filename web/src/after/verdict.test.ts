import { describe, expect, it } from 'vitest';
import { hashOfTricks, type Witness } from '../fair/witness.ts';
import { sortHand } from '../offline/cards.ts';
import { commitment, Dealer, wordCommitment } from '../offline/deal.ts';
import { rulesFrom } from '../offline/rules.ts';
import type { Replay } from './replay.ts';
import { prove } from './verdict.ts';

const RULES = { edition: 'poof', schedule: [2, 1] };
const SEED = new TextEncoder().encode('a seed');
const SEED_HASH = commitment(SEED);

/** A record of deals alone, and the game that is shown for it. */
function game(
  words: (string | null)[] | null,
  hashes: unknown,
  seed = SEED,
  rules: object = RULES,
  first: number | null = null,
) {
  const said = words?.map((word) => word ?? '') ?? [];
  const dealer = new Dealer(rulesFrom(rules), 2, seed, said, first);
  const rounds = [1, 2].map((number) => {
    const { dealer: by, hands, stock } = dealer.deal(number);
    return { dealer: by, hands: hands.map((hand) => hand.join(' ')), stock: stock.join(' ') };
  });
  const record = {
    format: 'rage-game', version: 1, rules, first_dealer: first, players: ['Ann', 'Ben'], rounds, words,
    word_commitments: hashes, seating: hashes ? ['Ann', 'Ben'] : null, commitment: commitment(seed),
    seed: Array.from(seed, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }; // prettier-ignore
  return { record, replay: { rounds } as unknown as Replay };
}
const HASHES = [wordCommitment(SEED_HASH, 'ann'), wordCommitment(SEED_HASH, 'ben')];
const FAIR = game(['ann', 'ben'], HASHES);
const NOTE: Witness = {
  commitment: SEED_HASH,
  at: 1,
  hashes: HASHES,
  terms: {
    players: 2, schedule: [2, 1], pack: rulesFrom(RULES).pack, dealer: null, seating: ['Ann', 'Ben'],
  }, // prettier-ignore
  words: ['ann'],
  shown: { seat: 0, name: 'Ann' },
  seat: 0,
  own: 'ann',
  revealed: true,
};

function verdict(made: ReturnType<typeof game>, note: Witness | null): [string, string] {
  const { verdict, title } = prove(made.record, made.replay, note);
  return [verdict, title.code.replace('page.proof.', '')];
}
const { commitment: COMMITTED, at, hashes, terms } = NOTE;
const WATCHED: Witness = { commitment: COMMITTED, at, hashes: hashes!, terms: terms! };
const SHOWN: Witness = { commitment: COMMITTED, at, words: ['ann'], shown: NOTE.shown };

it.each<[string, ReturnType<typeof game>, Witness | null, [string, string]]>([
  ['my own word is in it', FAIR, NOTE, ['holds', 'holds']],
  ['I only watched', FAIR, WATCHED, ['half', 'watched']],
  ['I was not there', FAIR, null, ['half', 'unwatched']],
  ['I left before the start', FAIR, { commitment: SEED_HASH, at: 1 }, ['half', 'unwatched']],
  ['another withheld theirs', game(['ann', null], HASHES), NOTE, ['half', 'proven.withheld']],
  ['mine did not arrive', game([null, 'ben'], HASHES), { ...NOTE, revealed: false }, ['half', 'proven.withheld']],
  ['all withheld theirs', game([null, null], HASHES), { ...NOTE, revealed: false }, ['half', 'proven.all_withheld']],
  ['mine arrived and is left out', game([null, 'ben'], HASHES), NOTE, ['fails', 'contradicts']],
  ['words were said openly', game(['ann', 'ben'], null), null, ['half', 'proven.words_open']],
  ['nobody added one', game(null, null), { commitment: SEED_HASH, at: 1 }, ['half', 'proven.no_words']],
  ['the list is dropped', game(['ann', 'ben'], null), NOTE, ['fails', 'contradicts']],
  ['the list is another one', FAIR, { ...NOTE, hashes: [HASHES[0]!, null] }, ['fails', 'contradicts']],
  ['a word does not fit', game(['ann', 'eve'], HASHES), WATCHED, ['fails', 'fails']],
  ['I first saw the list when words were open', FAIR, { ...WATCHED, late: true }, ['half', 'late']],
  ['I did so, and my own was not open yet', FAIR, { ...NOTE, late: true }, ['holds', 'holds']],
  ['nothing but the list was noted', FAIR, { ...NOTE, terms: undefined } as unknown as Witness, ['half', 'unwatched']],
  ['mine was shown and is left out', game([null, 'ben'], [null, HASHES[1]]), SHOWN, ['fails', 'contradicts']],
  ['mine was shown and is exchanged', game(['eve', 'ben'], [wordCommitment(SEED_HASH, 'eve'), HASHES[1]]), SHOWN, ['fails', 'contradicts']],
  ['mine was shown, and nobody has one', game(null, null), SHOWN, ['fails', 'contradicts']],
  ['mine was shown and withheld', game([null, 'ben'], HASHES), SHOWN, ['half', 'proven.withheld']],
  ['mine was shown, and another has my seat', game([null, 'ben'], [null, HASHES[1]]), { ...SHOWN, shown: { seat: 0, name: 'Cleo' } }, ['half', 'unwatched']],
  ['I saw other cards', FAIR, { ...NOTE, rounds: { 1: { seat: 0, hand: 'R1 R2', turned: '' } } }, ['fails', 'contradicts']],
  ['I saw another card turned up', FAIR, { ...NOTE, rounds: { 1: { turned: 'R' } } }, ['fails', 'contradicts']],
  ['I saw other tricks', FAIR, { ...NOTE, rounds: { 2: { turned: '', tricks: hashOfTricks(['R1 R2']) } } }, ['fails', 'contradicts']],
  ['I saw a round that is not in it', FAIR, { ...NOTE, rounds: { 3: { turned: '', tricks: 'x' } } }, ['fails', 'contradicts']],
  ['there was an alarm', FAIR, { ...NOTE, alarm: 'seed' }, ['fails', 'contradicts']],
])('says what holds where %s', (_, made, note, due) => {
  expect(verdict(made, note)).toEqual(due);
}); // prettier-ignore

it.each<[string, object, number | null, Partial<Witness>]>([
  ['pack', { ...RULES, pack: { wild: 4 } }, null, {}],
  ['schedule', { ...RULES, schedule: [2, 2] }, null, {}],
  ['dealer', RULES, 0, {}],
  ['dealer', RULES, 1, {}],
  ['dealer', RULES, null, { terms: { ...NOTE.terms!, dealer: 1 } }],
  ['players', RULES, null, { terms: { ...NOTE.terms!, players: 3 } }],
  ['seating', RULES, null, { terms: { ...NOTE.terms!, seating: ['Ben', 'Ann'] } }],
])('sees that the %s is not as it was noted', (term, rules, first, changes) => {
  const made = game(['ann', 'ben'], HASHES, SEED, rules, first);
  const proof = prove(made.record, made.replay, { ...NOTE, ...changes });
  expect(proof.verdict).toBe('fails');
  expect(proof.contradictions).toEqual([{ code: `page.alarm.${term}` }]);
});

it("sees players who were dealt each other's cards under the seating that was noted", () => {
  const record = { ...FAIR.record, players: ['Ben', 'Ann'] };
  const proof = prove(record, FAIR.replay, NOTE);
  expect([proof.verdict, proof.exchanged.length, proof.contradictions]).toEqual(['fails', 2, []]);
  const earlier = [{ round: 1, players: ['Ann', 'Ben'], bots: [null, null] }]; // they changed later
  expect(prove({ ...record, earlier }, FAIR.replay, NOTE).verdict).toBe('half');
});

describe('a seat that changed hands in the second round', () => {
  const [dealt] = FAIR.record.rounds;
  const seen = { seat: 0, hand: sortHand(dealt!.hands[0]!.split(' ')).join(' ') };
  const rounds = { 1: { ...seen, turned: dealt!.stock.split(' ')[0]! } };
  const earlier = [{ round: 1, players: ['Ann', 'Ben'], bots: [null, null] }];
  const after = (players: string[], note: Witness | null) =>
    prove({ ...FAIR.record, earlier, players }, FAIR.replay, note);

  it.each<[string, Witness | null, string, boolean | null]>([
    ['seen to be announced', { ...NOTE, rounds, told: ['1 Vic'] }, 'holds', true],
    ['not seen to be announced', { ...NOTE, rounds, told: ['0 Vic'] }, 'half', false],
    ['of which I noted nothing', null, 'half', null],
  ])('is named: %s', (_, note, verdict, told) => {
    const proof = after(['Ann', 'Vic'], note);
    expect(proof.verdict).toBe(verdict);
    const params = { round: 2, seat: 1, before: 'Ben', name: 'Vic' };
    expect(proof.later).toEqual([{ reason: { code: 'verify.seat_later', params }, told }]);
  });

  it('is wrong where it is mine', () => {
    const note = { ...NOTE, rounds: { 2: { ...rounds[1], turned: '' } } };
    const seen = after(['Ben', 'Ann'], note).contradictions;
    expect(seen).toContainEqual({ code: 'page.alarm.seat' });
  });
});

it.each<[string, unknown[], unknown[], string]>([
  ['one person played', [null, 'steady'], [], 'none alone'],
  ['two played', [null, null], [], 'half proven.no_words'],
  ['one left', [null, 'steady'], [{ round: 1, bots: [null, null] }], 'half proven.no_words'],
  ['nobody knows', [], [], 'half proven.no_words'],
])('does not warn of missing words where %s', (_, bots, earlier, due) => {
  const { record, replay } = game(null, null);
  const { verdict, title } = prove({ ...record, bots, earlier }, replay, null);
  expect(`${verdict} ${title.code.replace('page.proof.', '')}`).toBe(due);
});

it('takes the dealer that was noted, and says nothing of what is not a record', () => {
  const made = game(['ann', 'ben'], HASHES, SEED, RULES, 1);
  const noted = { ...NOTE, terms: { ...NOTE.terms!, dealer: 1 } };
  expect(verdict(made, noted)).toEqual(['holds', 'holds']);
  const record = { ...made.record, rules: { edition: 'none' } };
  expect(prove(record, made.replay, NOTE)).toMatchObject({ verdict: 'none', contradictions: [] });
});

it.each<[string, (string | null)[], Witness | null, boolean]>([
  ['it is there', ['ann', 'ben'], NOTE, false],
  ['it is withheld', [null, 'ben'], { ...NOTE, revealed: false }, true],
  ['it was never in the list', ['eve', 'ben'], { ...WATCHED, words: ['ann'] }, true],
  ['I only watched', ['ann', 'ben'], WATCHED, false],
  ['I was not there', ['ann', 'ben'], null, false],
])('says whether my word is missing where %s', (_, words, note, due) => {
  const hashes = words.map((word, at) => word && at === 0 && word !== 'ann'
    ? wordCommitment(SEED_HASH, word) : HASHES[at]!); // prettier-ignore
  const made = game(words, hashes);
  expect(prove(made.record, made.replay, note).missing).toBe(due);
});

it('sees a server that chose a new seed after the words, and committed a second time', () => {
  const seed = new TextEncoder().encode('a seed that suits somebody');
  const hashes = ['ann', 'ben'].map((word) => wordCommitment(commitment(seed), word));
  const made = game(['ann', 'ben'], hashes, seed);
  expect(verdict(made, null)).toEqual(['half', 'unwatched']); // nothing in the record shows it
  expect(verdict(made, NOTE)).toEqual(['fails', 'contradicts']);
  const found = prove(made.record, made.replay, NOTE).contradictions;
  expect(found.map(({ code }) => code)).toEqual(['page.alarm.seed', 'page.alarm.list']);
  expect(verdict(made, { commitment: SEED_HASH, at: 1 })).toEqual(['fails', 'contradicts']);
});
