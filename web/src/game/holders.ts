// Who has held the seats of a game: a round counts for the player to whom it was dealt.

import type { HolderData } from '../protocol.ts';
import { brief, capital, t, visible } from '../say.ts';

type Seats = readonly (readonly HolderData[])[];

const called = (seat: number, name: string) =>
  name.trim() ? visible(brief(name)) : t('seat', { seat });

/** Everyone who held a seat: "Fox, from round 6 Hare". */
export function tellHolders(holders: Seats, seat: number): string {
  const ofBot = (name: string, at: number) => (at ? name : capital(name));
  const told = (holders[seat] ?? []).map(({ name, bot, first }, at) => ({
    name: bot ? ofBot(t('seat.bot', { name: called(seat, name) }), at) : called(seat, name),
    round: first,
  }));
  return told
    .slice(1)
    .reduce(
      (before, { name, round }) =>
        round === null ? t('seat.then', { before, name }) : t('seat.from', { before, round, name }),
      told[0]?.name ?? '',
    );
}

/** Everyone who held a seat, as short as possible: "Fox / Hare". */
export function namesAt(holders: Seats, seat: number): string {
  return [...new Set(holders[seat]?.map(({ name }) => called(seat, name)))].join(' / ');
}

/** The player to whom a round was dealt at a seat. */
export function holderIn(holders: Seats, seat: number, round: number): string {
  const until = holders[seat]?.filter(({ first }) => first !== null && first <= round);
  return called(seat, until?.at(-1)?.name ?? '');
}

/** The first round dealt to the present holder of a seat; infinite if that is yet to come. */
export const since = (holders: Seats, seat: number): number =>
  holders[seat]?.at(-1)?.first ?? Infinity;

/** The seats that changed hands. */
export function exchanged(holders: Seats): number[] {
  return [...holders.keys()].filter((seat) => holders[seat]!.length > 1);
}
