// One model of the layout, by the room available. Styles and scripts read only its names and sizes:
// no media query tests a width or height. layout.svelte.ts follows the window.

/** The room available: the window and the reader's text size, both in CSS pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly text: number;
}

/** `phone`: upright. `flat`: a phone in landscape. `desk`: wide enough for a panel beside the
 * table. `tablet`: anything between. */
export type Name = 'phone' | 'flat' | 'tablet' | 'desk';

/** The text size for which the limits below hold. Larger text leaves less room. */
const USUAL_TEXT = 16;

/** Limits of widths, in CSS pixels at the usual text size: of the window, and of the cloth of a
 * table. */
export const WIDTHS = {
  /** Below: the narrowest phones, with few words beside the stock. */
  tiny: 340,
  /** Below: phones held upright, with few words in the top line of the cloth. */
  narrow: 480,
  /** From here on, signs, stock and bids on the cloth are large. */
  roomy: 600,
};

/** The same for heights of the window. */
const HEIGHTS = { low: 480, short: 720 };

/** The least room for parts of the cloth; with less, the room goes to another part, or the part is
 * shown differently. In CSS pixels; for lines, at the usual text size. */
export const LEAST = {
  /** The width of a player in a line between two others. */
  line: 92,
  /** The middle, for a trick. */
  middle: { width: 100, height: 58 },
  /** The width of a card of a trick, at the usual text size. */
  played: 42,
  /** The width of a card with the sign of its player below it. */
  signed: 66,
};

/** The steps: what there is room for, by width and height at the usual text size. */
const STEPS = {
  /** The narrowest phones: repetitions are left out. */
  tiny: (across) => across < WIDTHS.tiny,
  /** Small phones. */
  slim: (across) => across <= 384,
  /** Phones held upright. */
  narrow: (across) => across < WIDTHS.narrow,
  /** A name fits beside a hand. */
  broad: (across) => across >= 640,
  /** A panel fits beside its subject. */
  wide: (across) => across >= 768,
  /** Two columns fit. */
  spacious: (across) => across >= 960,
  /** A column of text fits beside a table. */
  vast: (across) => across >= 1088,
  /** Phones in landscape, and anything at 400 % zoom. */
  low: (_, down) => down < HEIGHTS.low,
  /** Upright phones with little height: messages are set slightly smaller. */
  short: (across, down) => across < WIDTHS.narrow && down < HEIGHTS.short,
  /** Lists need not save height. */
  tall: (_, down) => down >= 960,
} satisfies Record<string, (across: number, down: number) => boolean>;
export type Step = keyof typeof STEPS;

/** Sizes of the parts of a table in CSS pixels; in styles, `--size-card` and so on. */
export interface Sizes {
  /** The width of a card in my hand. */
  readonly card: number;
  /** The heights of the top line, of the line with my name, and of the plate above it. The cloth
   * ends above the plate, so that no words and no pad for a colour move or cover anything on it. */
  readonly top: number;
  readonly line: number;
  readonly voice: number;
  /** The height of the plate with a coach. Both are at the usual text size. */
  readonly coach: number;
  /** The width of the panel beside the table; 0 without one. */
  readonly panel: number;
}

export interface Layout {
  readonly name: Name;
  readonly steps: readonly Step[];
  readonly sizes: Sizes;
  readonly room: Room;
}

/** The layout for a room. */
export function layoutOf(room: Room): Layout {
  const scale = USUAL_TEXT / room.text;
  const [across, down] = [room.width * scale, room.height * scale];
  const steps = (Object.keys(STEPS) as Step[]).filter((step) => STEPS[step](across, down));
  const name = nameOf(across, down);
  return { name, steps, sizes: sizesOf(room, name, down), room };
}

function nameOf(across: number, down: number): Name {
  if (across < WIDTHS.narrow) return 'phone';
  if (down < HEIGHTS.low) return across < 520 ? 'tablet' : 'flat';
  return across < 1100 ? 'tablet' : 'desk';
}

export const clamp = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));

/** The height of the plate above my name, without and with a coach, who has more to say. */
function plateOf(name: Name, cramped: boolean): Pick<Sizes, 'voice' | 'coach'> {
  const [voice, coach] = {
    flat: [52, 70],
    desk: [84, 92],
    tablet: [60, 92],
    phone: cramped ? [58, 98] : [64, 112],
  }[name] as [number, number];
  return { voice, coach };
}

function sizesOf({ width, height, text }: Room, name: Name, down: number): Sizes {
  const rem = text / USUAL_TEXT;
  const cramped = down < HEIGHTS.short;
  const panel = name === 'desk' ? clamp(356 * rem, 0.24 * width, 560 * rem) : 0;
  return {
    card: clamp(64, Math.min(0.136 * height, 0.29 * width), 160 * Math.max(1, rem, height / 1100)),
    top: (name === 'flat' ? 44 : 48) * rem,
    line: (name === 'flat' || name === 'desk' ? 0 : name === 'tablet' && !cramped ? 64 : 52) * rem,
    ...plateOf(name, cramped),
    panel,
  };
}
