import { render } from 'svelte/server';
import { expect, it, vi } from 'vitest';
import { use } from '../say';
import Live, { announce } from './Live.svelte';

it('an alert, of which all is read, holds only the last refusal', () => {
  announce('The first.', 'assertive');
  announce('The second.', 'assertive');
  const { body } = render(Live);
  expect(body).toContain('The second.');
  expect(body).not.toContain('The first.');
});

it('no sentence is kept for the rest of the evening', () => {
  vi.useFakeTimers();
  announce('At eight.');
  announce('Refused at eight.', 'assertive');
  vi.advanceTimersByTime(60_000);
  announce('A minute later.');
  announce('And at once.');
  const { body } = render(Live);
  expect(body).toContain('A minute later.');
  expect(body).not.toMatch(/at eight/i);
  vi.useRealTimers();
});

it('a dialog tells only what is new since it opened', () => {
  announce('Before.');
  expect(render(Live).body).toContain('Before.');
  expect(render(Live, { props: { inside: true } }).body).not.toContain('Before.');
});

it('keeps nothing in the language of before', () => {
  announce('In English.');
  use('de', {});
  announce('Auf Deutsch.');
  const { body } = render(Live);
  use('en', {});
  expect(body).toContain('Auf Deutsch.');
  expect(body).not.toContain('In English.');
});
