import { render } from 'svelte/server';
import { beforeEach, expect, it } from 'vitest';
import en from '../../../src/rage/locale/en.json';
import { t, use } from '../say';
import Failed from './Failed.svelte';

beforeEach(() => use('en', en));

it('promises what the page can keep, and leads home where there is one', () => {
  const table = render(Failed, { props: { error: new Error() } }).body;
  expect(table).toContain('safe on the server');
  expect(table).toContain('href="./"');
  const about = t('page.sheet.failed');
  const folder = render(Failed, { props: { error: new Error(), about, home: null } }).body;
  expect(folder).toContain('still on this device');
  expect(folder).not.toContain('server');
  expect(folder).not.toContain('href');
  const sheet = render(Failed, { props: { error: new Error(), about, home: '/cards/' } }).body;
  expect(sheet).toContain('href="/cards/"');
});
