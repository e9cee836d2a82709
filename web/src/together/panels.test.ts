import { expect, it, vi } from 'vitest';
import type { MeView, SaidView } from '../game/types.ts';
import { Panels } from './panels.svelte.ts';

it('what I say, have seen or look at is not new, nor what I do not want to hear', () => {
  vi.stubGlobal('location', { pathname: '/t/abcdefgh' });
  const line = (number: number, person: string) => ({ number, person }) as SaidView;
  const lines = [line(1, 'b'), line(2, 'c'), line(3, 'a'), line(4, 'b')];
  const me = { person: 'a', muted: ['c'] as string[] } as unknown as MeView;
  const panels = new Panels();
  expect(panels.unread(lines, me)).toBe(2);
  panels.see(lines.slice(0, 1));
  expect(panels.unread(lines, me)).toBe(1);
  panels.open = 'chat';
  expect(panels.unread(lines, me)).toBe(0);
  panels.open = null;
  panels.see(lines);
  expect(panels.unread(lines, me)).toBe(0);
});
