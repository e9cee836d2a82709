// Asks the second worker, which starts when it is first needed, because it takes as much memory as
// the first one.

import type { Work } from './thinker.ts';

let worker: Worker | null = null;
let number = 0;
const pending = new Map<number, { resolve(pickled: Uint8Array): void; reject(why: Error): void }>();

/** What pickled work returns, pickled. Rejects if there is no second worker. */
export function ask(root: string, work: Uint8Array): Promise<Uint8Array> {
  const asked = ++number;
  return new Promise((resolve, reject) => {
    pending.set(asked, { resolve, reject });
    worker ??= begin(root);
    worker.postMessage([asked, work] satisfies Work);
  });
}

function begin(root: string): Worker {
  const own = new Worker(new URL('./thinker.ts', import.meta.url), { type: 'module' });
  own.onmessage = ({ data: [answered, pickled] }: MessageEvent<Work>) => {
    pending.get(answered)?.resolve(pickled);
    pending.delete(answered);
  };
  own.onerror = ({ message }) => {
    own.terminate();
    worker = null;
    for (const { reject } of pending.values()) reject(new Error(message));
    pending.clear();
  };
  own.postMessage(root);
  return own;
}
