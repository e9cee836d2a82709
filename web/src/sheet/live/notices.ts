// The requests of a sheet that others watch (docs/score.md).

import { Refusal as Unreadable } from '../../offline/refusal';
import { finishedRounds, type Sheet, type SheetRound, underWay } from '../../offline/sheet';
import { readLink } from '../../offline/sheet_link';
import type {
  KeepersKey,
  NewPhone,
  PhoneBid,
  PlayerToFree,
  SheetCode,
  SheetUpdate,
  ShownSheet,
} from '../../protocol';
import { sentence } from '../../say';
import { get, lieBelow, Refusal, send } from '../../shell/api';

lieBelow();

/** A sheet as everyone may see it, parsed. */
export interface Notice extends ShownSheet {
  readonly whole: Sheet;
  /** The sheet with its finished rounds, and the round under way. */
  readonly closed: Sheet;
  readonly round: SheetRound | null;
}

function read(shown: ShownSheet): Notice {
  const whole = wholeOf(shown);
  return {
    ...shown,
    whole,
    closed: { ...whole, rounds: finishedRounds(whole) },
    round: underWay(whole),
  };
}

/** Read a sheet. Throws a `Refusal`, in words for people, if this page cannot read it. */
function wholeOf({ sheet }: ShownSheet): Sheet {
  try {
    return readLink(sheet);
  } catch (error) {
    if (error instanceof Unreadable) throw new Refusal(sentence(error.reason));
    throw error;
  }
}

/** The code of this device's sheet, which follows from its key at the server. */
let own = { key: '', code: '' };

async function keeper<T>(method: 'POST' | 'PUT', what: string, body: KeepersKey): Promise<T> {
  const { key } = body;
  if (own.key !== key) own = { key, ...(await send<SheetCode>('POST', 'sheets', { key })) };
  try {
    return await send<T>(method, `sheets/${own.code}${what}`, body);
  } catch (error) {
    // The server may have another secret now, and the key another code.
    if (error instanceof Refusal && error.status === 403) own.key = '';
    throw error;
  }
}

/** Send a sheet. Throws a `Refusal`, as all of these do. */
export async function keep(sheet: SheetUpdate): Promise<Notice> {
  return read(await keeper<ShownSheet>('PUT', '', sheet));
}

/** Stop showing it. */
export function stop(key: string): Promise<void> {
  return keeper('POST', '/stop', { key });
}

/** Let another phone bid for a player. */
export async function free(key: string, name: string): Promise<Notice> {
  const player: PlayerToFree = { key, name };
  return read(await keeper<ShownSheet>('POST', '/free', player));
}

/** The sheet of a code. */
export async function look(code: string): Promise<Notice> {
  return read(await get<ShownSheet>(`sheets/${code}`));
}

/** Let this phone bid for a player. */
export async function join(code: string, phone: NewPhone): Promise<Notice> {
  return read(await send<ShownSheet>('POST', `sheets/${code}/phones`, phone));
}

export async function bid(code: string, made: PhoneBid): Promise<Notice> {
  return read(await send<ShownSheet>('PUT', `sheets/${code}/bids`, made));
}
