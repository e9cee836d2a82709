// What decisions cost, as worked out by the server.

import { isBid } from '../codes';
import type { AnalysisData, AnalysisState, DecisionData } from '../protocol';
import type { Reason } from '../say';
import { get, Refusal, send } from '../shell/api';

/** Milliseconds between two requests for progress. */
const WAIT_MS = 700;
/** How often a game is sent again if the server does not know its analysis. */
const MAX_AGAIN = 2;

/** Have the game of a link analysed; `far` is called with the progress, from 0 to 1. Returns null
 * if the server could not. Throws a `Refusal`, or the reason with which `signal` was aborted. */
export async function requestAnalysis(
  link: string,
  far: (share: number) => void,
  signal: AbortSignal,
): Promise<AnalysisData | null> {
  const begin = () => send<AnalysisState>('POST', 'analysis', { game: link });
  let state = await begin();
  let again = 0;
  while (!state.analysis && !state.failed) {
    far(state.done / state.total);
    await new Promise((resume) => setTimeout(resume, WAIT_MS));
    signal.throwIfAborted();
    try {
      state = await get<AnalysisState>(`analysis/${state.name}`, {}, signal);
    } catch (error) {
      // The server has restarted, or it is another one.
      if (!(error instanceof Refusal) || error.status !== 404 || again === MAX_AGAIN) throw error;
      again += 1;
      state = await begin();
    }
  }
  return state.analysis;
}

/** What a decision cost, which move was better, and whether that is exact. */
export function tellCost({ move, best, cost, exact }: DecisionData): Reason {
  const code = isBid(move) ? 'analysis.cost.bid' : 'analysis.cost';
  return { code: exact ? `${code}.exact` : code, params: { move, best, cost } };
}
