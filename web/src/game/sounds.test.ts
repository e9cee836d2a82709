import { afterEach, expect, it, vi } from 'vitest';
import { wakeOnTouch } from './sounds.ts';

afterEach(() => vi.unstubAllGlobals());

it('may sound once touched, and again after a telephone call', () => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const made: { state: string; resumed: number }[] = [];
  class Audio {
    state = 'suspended';
    resumed = 0;
    constructor() {
      made.push(this);
    }
    async resume() {
      this.resumed += 1;
      this.state = 'running';
    }
  }
  vi.stubGlobal('AudioContext', Audio);

  const stop = wakeOnTouch();
  page.dispatchEvent(new Event('pointerdown')); // a finger, not lifted: no browser takes that
  expect(made).toEqual([]);
  page.dispatchEvent(new Event('pointerup'));
  page.dispatchEvent(new Event('click'));
  expect(made).toMatchObject([{ resumed: 1 }]);
  made[0]!.state = 'interrupted';
  page.dispatchEvent(new Event('keydown'));
  expect(made).toMatchObject([{ state: 'running', resumed: 2 }]);
  stop();
  made[0]!.state = 'interrupted';
  page.dispatchEvent(new Event('click'));
  expect(made).toMatchObject([{ state: 'interrupted', resumed: 2 }]);
});
