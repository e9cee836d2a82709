import { expect, it } from 'vitest';
import { textOf } from './read.ts';

it.each([
  ['UTF-8', [0xc3, 0xa9]],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
  ['UTF-16', [0xff, 0xfe, 0xe9, 0x00]],
  ['UTF-16, most significant byte first', [0xfe, 0xff, 0x00, 0xe9]],
])('reads a file in %s', async (_, bytes) => {
  expect(await textOf(new Blob([new Uint8Array(bytes)]))).toBe('é');
});
