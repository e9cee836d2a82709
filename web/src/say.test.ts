import { beforeEach, describe, expect, it } from 'vitest';
import de from '../../src/rage/locale/de.json';
import en from '../../src/rage/locale/en.json';
import es from '../../src/rage/locale/es.json';
import fr from '../../src/rage/locale/fr.json';
import { type Catalogue, line, pieces, sentence, use, withColon } from './say';

const CATALOGUES = { en, de, es } satisfies Record<string, Catalogue>;
type Language = keyof typeof CATALOGUES;
const played = (card: string) => ({ code: 'event.play', params: { player: 0, card } });
const names = ['Ann', 'Ben'];

describe('a line about cards', () => {
  it.each<[Language, string, string, string]>([
    ['en', 'O12', 'Ann plays O12.', 'Ann plays orange 12.'],
    ['de', 'O12', 'Ann spielt O12.', 'Ann spielt Orange 12.'],
    ['es', 'O12', 'Ann juega N12.', 'Ann juega naranja 12.'],
    ['de', 'G0', 'Ann spielt Gr0.', 'Ann spielt Grün 0.'],
    ['es', 'P7', 'Ann juega M7.', 'Ann juega morado 7.'],
  ])('in %s is read as %s and heard as words', (language, card, text, heard) => {
    use(language, CATALOGUES[language]);
    const said = line(played(card), { names });
    expect(said).toMatchObject({ text, heard });
    // Its code stands by itself among the words, to be drawn.
    const [before, code, after] = pieces(said.marked!);
    expect(code).toBe(card);
    expect(text.startsWith(before!) && text.endsWith(after!)).toBe(true);
  });

  it('is drawn with each of several cards among its words', () => {
    use('en', en);
    const why = { code: 'refuse.follow', params: { colour: 'G', cards: 'G13 G5' } };
    const said = line({ code: 'coach.follow', params: { why, aim: why } }, { names });
    const half = ['Green was led and you hold green: play ', 'G13', ' or ', 'G5', '.'];
    expect(pieces(said.marked!).join('')).toBe(`${half.join('')} ${half.join('')}`);
    expect(pieces(said.marked!).filter((_, i) => i % 2)).toEqual(['G13', 'G5', 'G13', 'G5']);
  });

  it('has no negative nought', () => {
    use('en', en);
    const cost = (points: number) => ({
      code: 'analysis.cost',
      params: { move: 'R4', best: 'R5', cost: points },
    });
    expect(line(cost(-0.03), { names }).text).toBe('R4 cost 0.0 points: R5 was better.');
    expect(line(cost(-0.06), { names }).text).toBe('R4 cost −0.1 points: R5 was better.');
  });

  it.each<[Language, string]>([
    ['en', 'Red 5 would win as it stands, orange 12 would not.'],
    ['de', 'Rot 5 würde jetzt gewinnen, Orange 12 nicht.'],
    ['es', 'Rojo 5 ganaría por ahora, naranja 12 no.'],
  ])('in %s begins with a capital letter', (language, heard) => {
    use(language, CATALOGUES[language]);
    const reason = { code: 'coach.split', win: 'R5', lose: 'O12' };
    expect(line(reason, { edition: 'amigo' }).heard).toBe(heard);
  });
});

it('has a space before a colon in French', () => {
  use('en', en);
  expect(withColon('$& Ada')).toBe('$& Ada:');
  use('fr', fr);
  expect(withColon('Ada')).toBe('Ada\u202f:');
});

const PLACE = /\{(\w+):(\w+)[^{}]*\}/g;

describe.each<[string, Catalogue]>(Object.entries(CATALOGUES))('%s', (language, texts) => {
  beforeEach(() => use(language, texts));
  const letters = [...'ROYGBP'].map((letter) => texts[`letter.${letter}`]).join('|');
  const short = new RegExp(`(?<!\\p{L})(?:${letters})\\d`, 'u');
  const about = Object.keys(texts).filter((code) => /:(?:cards?|choice)\}/.test(texts[code]!));

  /** Parameters of every kind that such a sentence has. */
  function params(code: string): Record<string, unknown> {
    const values: Readonly<Record<string, unknown>> = {
      card: 'O12',
      cards: 'R5 P15 G0',
      choice: 'R5 P15 G0',
      seat: 1,
      seats: [0, 1],
      colour: 'B',
      reason: played('Y3'),
      reasons: [played('Y3')],
      number: 1.5,
    };
    return Object.fromEntries(
      [...texts[code]!.matchAll(PLACE)]
        .filter(([, , kind]) => kind !== 'you' && kind !== 'plural')
        .map(([, name, kind]) => [name, values[kind!]]),
    );
  }

  it('has no letters for colours in what is heard', () => {
    expect(about.length).toBeGreaterThan(50);
    for (const code of about) {
      const { text, heard } = line({ code, params: params(code) }, { names });
      expect(text, code).toMatch(short);
      expect(heard, code).not.toMatch(short);
      expect(heard, code).not.toBe(text);
    }
  });

  it('says the same in both where there is no coloured card', () => {
    const reason = { code: 'event.bid', params: { player: 0, n: 2 } };
    const said = sentence(reason, { names });
    expect(line(reason, { names })).toEqual({ text: said, heard: said });
  });
});
