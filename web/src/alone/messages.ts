// What the page and the worker that runs its tables say to each other.

/** How to come by the tables: `open` them if no other tab has them, `take` them from it, or `wait` until
 * it has gone. */
export type How = 'open' | 'take' | 'wait';

/** From the page. A `number` is that of a request or of a connection, each its own. */
export type Asked =
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
export type Told =
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

/** The message of the error after which nobody knows whether the last change is kept. */
export const SILENT = 'the database does not answer';

/** How the message of the error begins where the games that are kept are damaged, or those of another
 * version. */
export const UNREADABLE = 'the games cannot be read';

/** The name of the database in which the browser keeps the games of a folder. */
export function databaseOf(root: string): string {
  return `rage ${new URL(root).pathname}`;
}

/** How far the worker is. `loading`: `done` bytes of a `total` are here. `starting`: all of them are.
 * `ready`: tables can be played; `kept`: whether the browser keeps them; `fresh`: whether it had none;
 * `full`: whether it has no room for what happens now, which is tried again; `lost`: whether it has
 * removed what was kept, which the worker still has. `elsewhere`: another tab
 * has them; `waiting`: whether the worker goes on once that has gone. `failed`: it did not start,
 * because of an `error`. `stopped`: it ended later; `kept` as before; `silent`: whether the browser's
 * database no longer answered. */
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
