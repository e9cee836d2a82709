import { beforeEach, expect, it, vi } from 'vitest';

/** A history, as far as it matters here: steps with a state, and the current position. */
class Steps {
  readonly all: unknown[] = [null];
  at = 0;
  readonly waiting: (() => void)[] = [];

  get state(): unknown {
    return this.all[this.at];
  }
  pushState(state: unknown): void {
    this.all.splice(this.at + 1, Infinity, state);
    this.at += 1;
  }
  /** As in a browser, it happens later. */
  back(): void {
    this.waiting.push(() => (this.at -= 1));
  }
}

let loads = 0;
let steps: Steps;
let heard: () => void;

beforeEach(() => {
  steps = new Steps();
  vi.stubGlobal('history', steps);
  vi.stubGlobal('addEventListener', (_: string, listen: () => void) => (heard = listen));
});

/** The page, reloaded. */
async function load() {
  vi.resetModules();
  vi.stubGlobal('performance', { timeOrigin: (loads += 1), now: () => loads });
  return import('./back.ts');
}

/** Let everything happen that the page has asked for. */
function settle(): void {
  for (let next = steps.waiting.shift(); next; next = steps.waiting.shift()) {
    next();
    heard();
  }
}

/** Press Back. */
function press(): void {
  steps.back();
  settle();
}

it('closes what is open, also after the page was loaded again', async () => {
  const first = await load();
  first.closeOnBack(vi.fn());
  first.closeOnBack(vi.fn()); // over the other one
  expect(steps.at).toBe(2);
  const again = await load();
  settle();
  expect(steps.at).toBe(0); // nothing is open: there is nothing to go back from
  const close = vi.fn();
  again.closeOnBack(close);
  press();
  expect(close).toHaveBeenCalledOnce();
  expect(steps.at).toBe(0);
});

it('does not stop where something was open that a link has led away from', async () => {
  const { closeOnBack } = await load();
  const gone = closeOnBack(vi.fn());
  steps.pushState(null); // the page that the link leads to
  gone();
  settle();
  expect(steps.at).toBe(2);
  press();
  expect(steps.at).toBe(0);
});

it('takes its step away when it is closed otherwise', async () => {
  const { closeOnBack } = await load();
  const close = vi.fn();
  closeOnBack(close)();
  settle();
  expect(steps.at).toBe(0);
  expect(close).not.toHaveBeenCalled();
});

it('goes on only after its own step back, which would undo it', async () => {
  const { afterSteps, closeOnBack } = await load();
  const gone = closeOnBack(vi.fn());
  const on = vi.fn(() => steps.pushState('on'));
  gone();
  afterSteps(on);
  expect(on).not.toHaveBeenCalled();
  settle();
  expect(steps.state).toBe('on');
  afterSteps(on);
  expect(on).toHaveBeenCalledTimes(2);
});
