// The format of the stored settings; `settings.svelte.ts` holds them.

import { LANGUAGES } from './languages';
import type { Language } from './say';

/** The sounds of the table; each can be turned off. */
export const SOUNDS = ['card', 'trick', 'turn', 'trump', 'met', 'missed'] as const;
export type Sound = (typeof SOUNDS)[number];
export const THEMES = ['system', 'dark', 'light'] as const;
/** The size of my cards and of the trick. */
export const CARDS = ['usual', 'large'] as const;
export const NARRATIONS = ['brief', 'usual', 'full'] as const;
export const GUARDS = ['off', 'tap', 'moment'] as const;
export const SORTS = ['colour', 'trumps', 'hand'] as const;
export const PACES = ['slow', 'usual', 'quick'] as const;
export const EDITIONS = ['poof', 'amigo', 'fundex'] as const;
export const LASTS = ['usual', 'long'] as const;

export interface Settings {
  /** `null` for the browser's. */
  language: Language | null;
  theme: (typeof THEMES)[number];
  cards: (typeof CARDS)[number];
  sounds: Record<Sound, boolean>;
  vibration: boolean;
  /** Whether the title of a hidden page blinks on my turn. */
  blink: boolean;
  /** How much screen readers announce. */
  narration: (typeof NARRATIONS)[number];
  /** Protection against slips: a second tap, or a moment to take the card back. */
  guard: (typeof GUARDS)[number];
  sort: (typeof SORTS)[number];
  /** How fast the others' moves are shown. */
  pace: (typeof PACES)[number];
  /** How long a full trick stays. */
  trick: (typeof LASTS)[number];
  /** Whether a single legal card is played automatically. */
  single: boolean;
  /** Whether a hidden page notifies me on my turn. */
  notify: boolean;
  /** The last edition used, at a table, on a sheet or at the judge. */
  edition: (typeof EDITIONS)[number] | null;
  /** The last game, for "Play now". */
  last: { rules: string; players: number; bot: string } | null;
}

export function defaults(): Settings {
  const sounds = Object.fromEntries(SOUNDS.map((sound) => [sound, true]));
  return {
    language: null,
    theme: 'system',
    cards: 'usual',
    sounds: sounds as Record<Sound, boolean>,
    vibration: true,
    blink: true,
    narration: 'usual',
    guard: 'off',
    sort: 'colour',
    pace: 'usual',
    trick: 'usual',
    single: false,
    notify: false,
    edition: null,
    last: null,
  };
}

/** Reads stored settings; anything unreadable gets its default. */
export function readSettings(text: string | null): Settings {
  const settings = defaults();
  const kept = parsed(text);
  const choose = <K extends keyof Settings>(key: K, among: readonly Settings[K][]) => {
    if (among.includes(kept[key] as Settings[K])) settings[key] = kept[key] as Settings[K];
  };
  choose('language', LANGUAGES);
  choose('theme', THEMES);
  choose('cards', CARDS);
  choose('narration', NARRATIONS);
  choose('guard', GUARDS);
  choose('sort', SORTS);
  choose('pace', PACES);
  choose('trick', LASTS);
  for (const flag of ['single', 'vibration', 'blink', 'notify'] as const)
    choose(flag, [true, false]);
  const sounds = asRecord(kept['sounds']);
  for (const sound of SOUNDS) settings.sounds[sound] = sounds[sound] !== false;
  choose('edition', [null, ...EDITIONS]);
  settings.last = readLast(asRecord(kept['last']));
  return settings;
}

function readLast({ rules, players, bot }: Record<string, unknown>): Settings['last'] {
  if (typeof rules !== 'string' || typeof bot !== 'string') return null;
  return Number.isInteger(players) ? { rules, players: players as number, bot } : null;
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text ?? 'null'));
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
