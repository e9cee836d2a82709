import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import de from '../../../src/rage/locale/de.json';
import { use } from '../say';
import Announced from './Announced.svelte';
import { announced } from './announced.svelte';

it('says why nothing can be changed in the language of the page', () => {
  use('de', de);
  announced.now = { type: 'announcement', reason: { code: 'http.read_only' } };
  expect(render(Announced).body).toContain(de['http.read_only']);
});
