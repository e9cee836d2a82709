// What decisions cost: asked of the server, which works it out, and told.

import { isBid } from '../codes';
import type { AnalysisData, AnalysisState, DecisionData } from '../protocol';
import type { Reason } from '../say';
import { get, send } from '../shell/api';

/** How long to wait before asking again how far it is. */
const WAIT_MS = 700;

/** Have a game analysed, by its link; `far` is told how far that is, from 0 to 1. Null where the
 * server could not. Throws a `Refusal`, and whatever ends `signal`. */
export async function analysed(
  link: string,
  far: (share: number) => void,
  signal: AbortSignal,
): Promise<AnalysisData | null> {
  let state = await send<AnalysisState>('POST', 'analysis', { game: link });
  while (!state.analysis && !state.failed) {
    far(state.done / state.total);
    await new Promise((resume) => setTimeout(resume, WAIT_MS));
    signal.throwIfAborted();
    state = await get<AnalysisState>(`analysis/${state.name}`, {}, signal);
  }
  return state.analysis;
}

/** What a decision cost, and what was better; whether that is exact. */
export function tellCost({ move, best, cost, exact }: DecisionData): Reason {
  const code = isBid(move) ? 'analysis.cost.bid' : 'analysis.cost';
  return { code: exact ? `${code}.exact` : code, params: { move, best, cost } };
}
