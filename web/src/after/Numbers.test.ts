import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import de from '../../../src/rage/locale/de.json';
import en from '../../../src/rage/locale/en.json';
import { use } from '../say';
import Numbers from './Numbers.svelte';

it.each([
  ['en', en, '3/4 (75%)'],
  ['de', de, '3/4 (75\u00a0%)'],
] as const)('in %s percentages are written as its readers do', (language, texts, written) => {
  use(language, texts);
  const found = { own: null, met: [{ cards: 5, met: 3, of: 4 }], tallies: [], rivalries: [] };
  const own = { games: 2, wins: 1, average: 0, met: 3, bids: 4 };
  const props = { found: { ...found, own }, me: 'Ann', title: '', rival: () => '' };
  const { body } = render(Numbers, { props: props as any });
  expect(body.replace(/<!--.*?-->/g, '')).toContain(written);
});
