// Where the light falls on the cloth, and where a new trump comes from, in per cent of the cloth.

import type { TrumpChangeData } from '../game/types';
import type { Spot } from './moving';
import type { Place } from './places';
import type { Standing } from './standing';

/** A cloth in pixels: its size, and its offset in the area where players have their places. */
export interface Ground {
  readonly width: number;
  readonly height: number;
  readonly left?: number;
  readonly top?: number;
}

/** The place of a player; null if not at the cloth. */
export type PlaceOf = (seat: number) => Place | null;

/** A spot as a place on a cloth. */
export function onCloth({ x, y }: Spot, { width, height, left = 0, top = 0 }: Ground): Place {
  return [(100 * (x - left)) / (width || 1), (100 * (y - top)) / (height || 1)];
}

/** The light falls on the player to act; on `otherwise` if no one at the cloth acts. */
export function lightOn(players: readonly Standing[], placeOf: PlaceOf, otherwise: Place): Place {
  const actor = players.find(({ isToAct }) => isToAct);
  return (actor && placeOf(actor.seat)) ?? otherwise;
}

/** A Change or an Out comes from its player (`mine`: from below the near rim), the trump of a deal
 * from the middle. */
export function sourceOf(
  changes: readonly TrumpChangeData[],
  placeOf: PlaceOf,
  middle: Place,
  mine: Place,
): Place {
  const seat = changes.at(-1)?.seat ?? null;
  return seat === null ? middle : (placeOf(seat) ?? mine);
}
