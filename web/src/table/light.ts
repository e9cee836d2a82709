// Where the light falls on the cloth, and where a change of trump comes from: in per cent of the cloth.

import type { TrumpChangeData } from '../game/types';
import type { Spot } from './moving';
import type { Place } from './places';
import type { Standing } from './standing';

/** A cloth, in pixels: how large it is, and where it begins in the room in which players have their
 * places. */
export interface Ground {
  readonly wide: number;
  readonly high: number;
  readonly left?: number;
  readonly top?: number;
}

/** Where a player sits; null: not at the cloth. */
export type PlaceOf = (seat: number) => Place | null;

/** Where something is on a cloth. */
export function onCloth({ x, y }: Spot, { wide, high, left = 0, top = 0 }: Ground): Place {
  return [(100 * (x - left)) / (wide || 1), (100 * (y - top)) / (high || 1)];
}

/** Light falls on whoever is to act; `otherwise`: where nobody is who sits at the cloth. */
export function lightOn(players: readonly Standing[], placeOf: PlaceOf, otherwise: Place): Place {
  const actor = players.find(({ acts }) => acts);
  return (actor && placeOf(actor.seat)) ?? otherwise;
}

/** A Change or an Out comes from whoever played it (`mine`: from below the near rim), the trump of a
 * deal from the middle. */
export function sourceOf(
  changes: readonly TrumpChangeData[],
  placeOf: PlaceOf,
  middle: Place,
  mine: Place,
): Place {
  const seat = changes.at(-1)?.seat ?? null;
  return seat === null ? middle : (placeOf(seat) ?? mine);
}
