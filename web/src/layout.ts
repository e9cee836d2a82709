// One model of how the page is laid out, from the room there is. Style and scripts read its names and
// sizes and nothing else: no width or height stands in a media query. layout.svelte.ts follows the
// window.

/** The room there is: the window in CSS pixels, and how large the reader has set text, likewise. */
export interface Room {
  readonly width: number;
  readonly height: number;
  readonly text: number;
}

/** `phone`: upright. `flat`: a phone on its side. `desk`: wide enough for a panel beside the table.
 * `tablet`: whatever lies between. */
export type Name = 'phone' | 'flat' | 'tablet' | 'desk';

/** The size of text that the limits below are for. Larger text leaves less room. */
const USUAL_TEXT = 16;

/** What there is room for, by the width and the height at the usual size of text. */
const STEPS = {
  /** The narrowest phones: what repeats something is left out. */
  tiny: (across) => across < 340,
  /** Small phones. */
  slim: (across) => across <= 384,
  /** Phones held upright. */
  narrow: (across) => across < 480,
  /** A name fits beside a hand. */
  broad: (across) => across >= 640,
  /** A panel fits beside what it is about. */
  wide: (across) => across >= 768,
  /** Two columns fit. */
  spacious: (across) => across >= 960,
  /** A column of text fits beside a table. */
  vast: (across) => across >= 1088,
  /** Phones on their side, and everything at 400 %. */
  low: (_, down) => down < 480,
  /** Phones held upright with little height: what is said there is set a little smaller. */
  short: (across, down) => across < 480 && down < 720,
  /** Lists need not save height. */
  tall: (_, down) => down >= 960,
} satisfies Record<string, (across: number, down: number) => boolean>;
export type Step = keyof typeof STEPS;

/** The sizes of the parts of a table, in CSS pixels; in style, `--size-card` and so on. */
export interface Sizes {
  /** The width of a card in my hand. */
  readonly card: number;
  /** The height of the line at the top, of the line with my name, and of the plate above it. */
  readonly top: number;
  readonly line: number;
  readonly voice: number;
  /** The width of the panel beside the table; 0 where there is none. */
  readonly panel: number;
}

export interface Layout {
  readonly name: Name;
  readonly steps: readonly Step[];
  readonly sizes: Sizes;
  readonly room: Room;
}

/** The layout for so much room. */
export function layoutOf(room: Room): Layout {
  const scale = USUAL_TEXT / room.text;
  const [across, down] = [room.width * scale, room.height * scale];
  const steps = (Object.keys(STEPS) as Step[]).filter((step) => STEPS[step](across, down));
  const name = nameOf(across, down);
  return { name, steps, sizes: sizesOf(room, name, down), room };
}

function nameOf(across: number, down: number): Name {
  if (across < 480) return 'phone';
  if (down < 480) return across < 520 ? 'tablet' : 'flat';
  return across < 1100 ? 'tablet' : 'desk';
}

export const clamp = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(value, most));

function sizesOf({ width, height, text }: Room, name: Name, down: number): Sizes {
  const rem = text / USUAL_TEXT;
  const cramped = down < 720;
  const panel = name === 'desk' ? clamp(356 * rem, 0.24 * width, 560 * rem) : 0;
  return {
    card: clamp(64, Math.min(0.136 * height, 0.29 * width), 136 * Math.max(1, rem, height / 1100)),
    top: (name === 'flat' ? 44 : 48) * rem,
    line: (name === 'flat' || name === 'desk' ? 0 : name === 'tablet' && !cramped ? 64 : 52) * rem,
    voice: (name === 'flat' ? 44 : cramped ? 54 : 60) * rem,
    panel,
  };
}
