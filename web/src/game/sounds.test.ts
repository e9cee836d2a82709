import { afterEach, beforeEach, expect, it, vi } from 'vitest';

let page: EventTarget;
let made: { state: string; resumed: number }[];
let wakeOnTouch: () => () => void;

beforeEach(async () => {
  page = new EventTarget();
  made = [];
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  class Audio {
    state = 'suspended';
    resumed = 0;
    createBuffer = () => ({ getChannelData: () => [] });
    constructor() {
      made.push(this);
    }
    async resume() {
      this.resumed += 1;
      this.state = 'running';
    }
  }
  vi.stubGlobal('AudioContext', Audio);
  vi.useFakeTimers();
  vi.resetModules();
  ({ wakeOnTouch } = await import('./sounds.ts'));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('may sound once touched, and again after a telephone call', () => {
  const stop = wakeOnTouch();
  page.dispatchEvent(new Event('pointerdown')); // a finger, not lifted: browsers do not count that
  vi.advanceTimersByTime(1000);
  expect(made).toEqual([]);
  page.dispatchEvent(new Event('pointerup'));
  page.dispatchEvent(new Event('click'));
  vi.advanceTimersByTime(900); // Safari allows sounds within a second of the touch
  expect(made).toMatchObject([{ resumed: 1 }]);
  made[0]!.state = 'interrupted';
  page.dispatchEvent(new Event('keydown'));
  expect(made).toMatchObject([{ state: 'running', resumed: 2 }]);
  stop();
  made[0]!.state = 'interrupted';
  page.dispatchEvent(new Event('click'));
  expect(made).toMatchObject([{ state: 'interrupted', resumed: 2 }]);
});

it('prepares its sounds when nothing moves, not in the middle of what was touched', () => {
  let idle: ((deadline: { timeRemaining: () => number }) => void) | null = null;
  vi.stubGlobal('requestIdleCallback', (then: typeof idle) => (idle = then));
  const told = (left: number) => idle!({ timeRemaining: () => left });
  wakeOnTouch();
  page.dispatchEvent(new Event('click'));
  told(9); // between two frames
  page.dispatchEvent(new Event('click'));
  expect(made).toEqual([]);
  told(49);
  expect(made).toMatchObject([{ state: 'running', resumed: 1 }]);
});

it('does not wait for ever', () => {
  let idle: ((deadline: { timeRemaining: () => number }) => void) | null = null;
  vi.stubGlobal('requestIdleCallback', (then: typeof idle) => (idle = then));
  wakeOnTouch();
  page.dispatchEvent(new Event('click'));
  vi.advanceTimersByTime(4000);
  idle!({ timeRemaining: () => 0 });
  expect(made).toHaveLength(1);
});
