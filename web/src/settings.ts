// The format of the stored settings; `settings.svelte.ts` holds them.

import { LANGUAGES } from './languages';
import { type Edition, EDITIONS } from './protocol';
import type { Language } from './say';

/** The sounds of the table; each can be turned off. */
export const SOUNDS = ['card', 'trick', 'turn', 'trump', 'met', 'missed'] as const;
export type Sound = (typeof SOUNDS)[number];
/** The values of the settings that have a few. */
export const CHOICES = {
  theme: ['system', 'dark', 'light'],
  /** The size of my cards and of the trick. */
  cards: ['usual', 'large'],
  /** How much screen readers announce. */
  narration: ['brief', 'usual', 'full'],
  /** Protection against slips: a second tap, or a moment to take the card back. */
  guard: ['off', 'tap', 'moment'],
  sort: ['colour', 'trumps', 'hand'],
  /** How fast the others' moves are shown. */
  pace: ['slow', 'usual', 'quick'],
  /** How well bots play in games that I start with them: each is a bot of the server. */
  strength: ['easy', 'steady', 'hard'],
  /** How long a full trick stays. */
  trick: ['short', 'usual', 'long'],
} as const;
export type Choice = keyof typeof CHOICES;
type Chosen = { -readonly [Name in Choice]: (typeof CHOICES)[Name][number] };

export interface Settings extends Chosen {
  /** `null` for the browser's. */
  language: Language | null;
  sounds: Record<Sound, boolean>;
  vibration: boolean;
  /** Whether nothing sounds or vibrates, whatever the settings say. */
  quiet: boolean;
  /** Whether reactions to cards are shown, and can be sent. */
  reactions: boolean;
  /** Whether the title of a hidden page blinks on my turn. */
  blink: boolean;
  /** Whether the only possible card plays itself. */
  single: boolean;
  /** Whether a hidden page notifies me on my turn. */
  notify: boolean;
  /** The last edition used, at a table, on a sheet or at the judge. */
  edition: Edition | null;
  /** The last game, for "Play now". */
  last: { rules: string; players: number } | null;
}

export function defaults(): Settings {
  const sounds = Object.fromEntries(SOUNDS.map((sound) => [sound, true]));
  return {
    language: null,
    theme: 'system',
    cards: 'usual',
    sounds: sounds as Record<Sound, boolean>,
    vibration: true,
    quiet: false,
    reactions: true,
    blink: true,
    narration: 'usual',
    guard: 'off',
    sort: 'colour',
    pace: 'usual',
    trick: 'usual',
    strength: 'easy',
    single: true,
    notify: false,
    edition: null,
    last: null,
  };
}

/** Read stored settings; anything unreadable gets its default. */
export function readSettings(text: string | null): Settings {
  const settings = defaults();
  const kept = parsed(text);
  const choose = <K extends keyof Settings>(key: K, among: readonly Settings[K][]) => {
    if (among.includes(kept[key] as Settings[K])) settings[key] = kept[key] as Settings[K];
  };
  choose('language', LANGUAGES);
  for (const name of Object.keys(CHOICES) as Choice[]) choose(name, CHOICES[name]);
  for (const [name, usual] of Object.entries(settings))
    if (typeof usual === 'boolean') choose(name as keyof Settings, [true, false]);
  const sounds = asRecord(kept['sounds']);
  for (const sound of SOUNDS) settings.sounds[sound] = sounds[sound] !== false;
  choose('edition', [null, ...EDITIONS]);
  settings.last = readLast(asRecord(kept['last']));
  return settings;
}

function readLast({ rules, players }: Record<string, unknown>): Settings['last'] {
  if (typeof rules !== 'string' || !Number.isInteger(players)) return null;
  return { rules, players: players as number };
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
