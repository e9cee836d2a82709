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
