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
  own.onmessage = ({ data: [answered, found] }: MessageEvent<Work>) => {
    if (typeof found === 'string') return end(found);
    pending.get(answered)?.resolve(found);
    pending.delete(answered);
  };
  own.onerror = (event) => {
    event.preventDefault();
    end(event.message);
  };
  own.postMessage(root);
  return own;
}

/** End the worker; the next `ask` starts another. */
function end(why: string): void {
  worker?.terminate();
  worker = null;
  for (const { reject } of pending.values()) reject(new Error(why));
  pending.clear();
}
