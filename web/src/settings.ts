// What somebody likes, as it is kept in the browser. `settings.svelte.ts` holds it.

import { LANGUAGES, type Language } from './say';

/** The sounds of the table; each can be off. */
export const SOUNDS = ['card', 'trick', 'turn', 'trump', 'met', 'missed'] as const;
export type Sound = (typeof SOUNDS)[number];
export const THEMES = ['system', 'dark', 'light'] as const;
export const NARRATIONS = ['brief', 'usual', 'full'] as const;
export const GUARDS = ['off', 'tap', 'moment'] as const;
export const SORTS = ['colour', 'hand'] as const;

export interface Settings {
  /** `null`: the browser's. */
  language: Language | null;
  theme: (typeof THEMES)[number];
  sounds: Record<Sound, boolean>;
  vibration: boolean;
  /** Whether the title of a hidden page blinks on my turn. */
  blink: boolean;
  /** How much the live region tells. */
  narration: (typeof NARRATIONS)[number];
  /** Against slips: a second tap, or a moment to take the card back. */
  guard: (typeof GUARDS)[number];
  sort: (typeof SORTS)[number];
  /** Whether a hidden page notifies me on my turn. */
  notify: boolean;
  /** What was played last, for "Play now". */
  last: { rules: string; players: number; bot: string } | null;
}

export function usual(): Settings {
  const sounds = Object.fromEntries(SOUNDS.map((sound) => [sound, true]));
  return {
    language: null,
    theme: 'system',
    sounds: sounds as Record<Sound, boolean>,
    vibration: true,
    blink: true,
    narration: 'usual',
    guard: 'off',
    sort: 'colour',
    notify: false,
    last: null,
  };
}

/** Settings from their kept text; whatever cannot be read is as usual. */
export function readSettings(text: string | null): Settings {
  const settings = usual();
  const kept = parsed(text);
  const choose = <K extends keyof Settings>(key: K, among: readonly Settings[K][]) => {
    if (among.includes(kept[key] as Settings[K])) settings[key] = kept[key] as Settings[K];
  };
  choose('language', LANGUAGES);
  choose('theme', THEMES);
  choose('narration', NARRATIONS);
  choose('guard', GUARDS);
  choose('sort', SORTS);
  for (const flag of ['vibration', 'blink', 'notify'] as const) choose(flag, [true, false]);
  const sounds = asRecord(kept['sounds']);
  for (const sound of SOUNDS) settings.sounds[sound] = sounds[sound] !== false;
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
