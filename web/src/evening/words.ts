// Who takes part in an evening, as the page shows them, and its results as CSV.

import { cell } from '../after/csv';
import { SHAPES } from '../cards/signs';
import type { EventData } from '../protocol';
import { join, t, visible } from '../say';

export const nameOf = (data: EventData, entrant: number) => visible(data.entrants[entrant]!.name);

/** The sign of an entrant: the chosen one, or one that few others have. */
export function signOf({ entrants }: EventData, entrant: number) {
  const { name, sign } = entrants[entrant]!;
  const stone = (entrant + Math.floor(entrant / SHAPES.length)) % SHAPES.length;
  return {
    name,
    sign: Number(sign[0] ?? entrant % SHAPES.length),
    stone: Number(sign[1] ?? stone),
    letters: sign.slice(2) || null,
  };
}

/** Who sits at a table, in words. */
export function company(data: EventData, seats: readonly (number | null)[]): string {
  const people = seats.filter((each) => each !== null);
  const bots = seats.length - people.length;
  const names = people.map((each) => nameOf(data, each));
  return join(bots ? [...names, t('page.event.bots', { n: bots })] : names);
}

/** All results of an evening, a line for each chair of each table. */
export function csvOf(data: EventData): string {
  const deals = data.deals.map((_, at) => `deal_${at + 1}`);
  const head = ['round', 'table', 'chair', 'player', 'bot', 'corrected', 'points', 'par', ...deals];
  const rows = data.results.flatMap(({ tables, par }, round) =>
    tables.flatMap(
      (result, table) =>
      (result?.seats ?? []).map((entrant, seat) => [
        round + 1, table + 1, seat + 1, entrant === null ? '' : data.entrants[entrant]!.name,
        Number(result!.bots[seat]), Number(result!.corrected[seat]), result!.totals[seat]!,
        par[seat]!, ...result!.points[seat]!,
      ]), // prettier-ignore
    ),
  );
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}
