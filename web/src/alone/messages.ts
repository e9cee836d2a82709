// The messages between the page and the worker that runs its tables.

/** How to get the tables: `open` them if no other tab has them, `take` them from it, or `wait`
 * until it is gone. */
export type How = 'open' | 'take' | 'wait';

/** From the page. Each request and each connection has a `number` of its own. */
export type ToWorker =
  | { readonly type: 'start'; readonly root: string; readonly how: How }
  | {
      readonly type: 'request';
      readonly number: number;
      readonly method: string;
      readonly path: string;
      readonly query: string;
      readonly body: string | null;
      readonly language: string;
    }
  | {
      readonly type: 'connect';
      readonly number: number;
      readonly path: string;
      readonly query: string;
    }
  | { readonly type: 'say'; readonly number: number; readonly text: string }
  | { readonly type: 'leave'; readonly number: number };

/** From the worker. */
export type FromWorker =
  | { readonly type: 'state'; readonly state: State }
  | {
      readonly type: 'answer';
      readonly number: number;
      readonly status: number;
      readonly body: string;
    }
  | { readonly type: 'opened'; readonly number: number }
  | { readonly type: 'said'; readonly number: number; readonly text: string }
  | { readonly type: 'closed'; readonly number: number; readonly code: number };

/** The message of the error after which it is unknown whether the last change is kept. */
export const SILENT = 'the database does not answer';

/** How the error message begins if the kept games are damaged, or belong to another version. */
export const UNREADABLE = 'the games cannot be read';

/** The name of the database in which the browser keeps the games of a folder. */
export function databaseOf(root: string): string {
  return `rage ${new URL(root).pathname}`;
}

/** The state of the worker. `loading`: `done` of `total` bytes are here. `starting`: all of them
 * are. `ready`: tables can be played; `kept`: whether the browser keeps them; `fresh`: whether it
 * had none; `full`: whether it has no room for the latest changes, which are retried; `lost`:
 * whether it has removed the kept games, which the worker still has. `elsewhere`: another tab has
 * the tables; `waiting`: whether the worker continues once that is gone. `failed`: it did not
 * start, because of an `error`. `stopped`: it ended later; `kept` as before; `silent`: whether the
 * browser's database no longer answered. */
export type State =
  | { readonly phase: 'loading'; readonly done: number; readonly total: number }
  | { readonly phase: 'starting' }
  | { readonly phase: 'elsewhere'; readonly waiting: boolean }
  | {
      readonly phase: 'ready';
      readonly kept: boolean;
      readonly fresh: boolean;
      readonly full: boolean;
      readonly lost: boolean;
    }
  | { readonly phase: 'stopped'; readonly kept: boolean; readonly silent: boolean }
  | { readonly phase: 'failed'; readonly error: string };
