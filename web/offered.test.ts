import { preprocess } from 'svelte/compiler';
import { expect, it } from 'vitest';
import { offered } from './offered.ts';

const SOURCE = '<p>{#if !__ALONE__}<b>{#if a}1{/if}</b>{:else}2{/if}</p>{#if __ALONE__}{b}{/if}';

it.each([
  [false, '<p><b>{#if a}1{/if}</b></p>'],
  [true, '<p>2</p>{b}'],
])('only what is offered is compiled (alone: %s)', async (alone, left) => {
  expect((await preprocess(SOURCE, offered(alone))).code).toBe(left);
});
