// Who played at seats that changed hands during a finished game.

import type { TableView } from '../game/types';
import { t, visible } from '../say';

type Seats = Pick<TableView, 'stints' | 'seats'> & {
  readonly game: { readonly players: readonly string[] } | null;
};

/** By such seat: who was dealt which rounds, and who had it at the end. */
export function tellStints({ stints, game, seats }: Seats): string[] {
  return [...new Set(stints.map(({ seat }) => seat))].map((at) => {
    const called = (name: string, bot: boolean) =>
      bot ? t('page.table.end.bot', { name: visible(name) }) : visible(name);
    const own = stints.filter(({ seat }) => seat === at);
    const told = own.map(({ name, bot, first, last }) => {
      const [n, rounds] = [last - first + 1, first === last ? first : `${first}–${last}`];
      return t('page.table.end.stint', { name: called(name, bot), n, rounds });
    });
    const end = game?.players[at] ?? '';
    if (own.at(-1)!.name !== end) told.push(called(end, seats[at]?.person === null));
    return told.reduce((before, name) => t('page.table.end.then', { before, name }));
  });
}

/** The names of those who played at a seat in a `round`, or in all rounds if it is null, the final
 * holder last. */
export function namesAt({ stints, game }: Seats, seat: number, round: number | null): string[] {
  const end = game?.players[seat] ?? '';
  const own = stints.filter((each) => each.seat === seat);
  if (round === null) return [...new Set([...own.map(({ name }) => name), end])];
  return [own.find(({ first, last }) => first <= round && round <= last)?.name ?? end];
}
