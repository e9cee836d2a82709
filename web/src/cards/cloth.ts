import { type Colour, COLOURS } from '../codes';

/** The trump colour of pages without a game: a different one each day. */
export function clothOf(day: Date): Colour {
  const days = Math.floor((day.getTime() / 60_000 - day.getTimezoneOffset()) / 1440);
  return COLOURS[days % COLOURS.length]!;
}
