// What the page and the worker that runs its tables say to each other.

/** From the page. A `number` is that of a request or of a connection, each its own. */
export type Asked =
  | { readonly type: 'start'; readonly root: string; readonly take: boolean }
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
  | { readonly type: 'said'; readonly number: number; readonly text: string }
  | { readonly type: 'closed'; readonly number: number; readonly code: number };

/** How far the worker is. `loading`: `done` bytes of a `total` are here. `starting`: all of them are.
 * `ready`: tables can be played; `kept`: whether the browser keeps them; `fresh`: whether it had none.
 * `elsewhere`: another tab has them. `failed`: it ended, because of an `error`. */
export type State =
  | { readonly phase: 'loading'; readonly done: number; readonly total: number }
  | { readonly phase: 'starting' | 'elsewhere' }
  | { readonly phase: 'ready'; readonly kept: boolean; readonly fresh: boolean }
  | { readonly phase: 'failed'; readonly error: string };
