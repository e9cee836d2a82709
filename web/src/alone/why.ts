// Why the game did not start, from the message of an error. Browsers word them differently.

import { UNREADABLE } from './messages.ts';

/** `network`: a file did not arrive. `memory`: the device has too little. `browser`: it cannot run
 * the game. `games`: the kept ones cannot be read. */
export type Why = 'games' | 'network' | 'memory' | 'browser' | 'other';

const SIGNS: readonly (readonly [Why, RegExp])[] = [
  ['games', new RegExp(`^Error: ${UNREADABLE}`)],
  ['memory', /memory|RangeError|allocation/i],
  ['network', /^$|fetch|network|load failed|dynamically|module script|^Error: \d{3} /i],
  ['browser', /WebAssembly|CompileError|LinkError|\bWorker\b|SyntaxError|not supported/i],
];

export function whyFailed(error: string): Why {
  return SIGNS.find(([, sign]) => sign.test(error))?.[0] ?? 'other';
}
