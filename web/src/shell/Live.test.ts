import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import Live, { announce } from './Live.svelte';

it('an alert, of which all is read, holds only the last refusal', () => {
  announce('The first.', 'assertive');
  announce('The second.', 'assertive');
  const { body } = render(Live);
  expect(body).toContain('The second.');
  expect(body).not.toContain('The first.');
});

it('a dialog tells only what is new since it opened', () => {
  announce('Before.');
  expect(render(Live).body).toContain('Before.');
  expect(render(Live, { props: { inside: true } }).body).not.toContain('Before.');
});
