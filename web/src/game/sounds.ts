// Six short, dry, soft sounds, synthesised here. No information is given by sound alone.

import type { Sound } from '../settings';

type Note = readonly [frequency: number, at: number, length: number, loudness: number];

/** Notes of a plucked string or struck wood; `noise` is the rustle of a card. */
const SOUNDS: Readonly<Record<Sound, { notes: readonly Note[]; noise?: readonly Note[] }>> = {
  card: { notes: [[170, 0, 0.05, 0.25]], noise: [[2600, 0, 0.045, 0.5]] },
  // the cards slide and are counted
  trick: { notes: [[988, 0.31, 0.05, 0.2]], noise: [[1500, 0, 0.26, 0.3]] },
  turn: { notes: [[523, 0, 0.16, 0.22], [784, 0.09, 0.26, 0.2]] },
  trump: { notes: [[294, 0, 0.22, 0.22], [440, 0.07, 0.24, 0.2], [659, 0.14, 0.42, 0.18]],
           noise: [[900, 0, 0.4, 0.16]] },
  met: { notes: [[523, 0, 0.14, 0.2], [659, 0.08, 0.14, 0.2], [784, 0.16, 0.34, 0.2]] },
  missed: { notes: [[330, 0, 0.16, 0.2], [277, 0.11, 0.34, 0.2]] },
}; // prettier-ignore

/** Some browsers can change the device. */
type Sounding = AudioContext & { setSinkId?: (id: string) => Promise<void> };

let context: Sounding | null = null;
let rustle: AudioBuffer | null = null;

/** The events that allow a page to play sounds: for a touch, its end or, in some browsers, the
 * click. */
const GESTURES = ['pointerup', 'click', 'keydown'] as const;

/** Wait for the first touch, because browsers allow sounds only after it. Returns a function that
 * stops waiting. */
export function wakeOnTouch(): () => void {
  for (const touch of GESTURES) addEventListener(touch, wake);
  return () => {
    for (const touch of GESTURES) removeEventListener(touch, wake);
  };
}

/** Idle milliseconds needed to prepare the first sound: a browser takes about as long to start its
 * audio, and draws nothing meanwhile. */
const CALM_MS = 30;
/** Milliseconds after which it is prepared regardless. Shorter without idle callbacks: Safari
 * counts everything within a second of a touch as part of it. */
const CALM_AFTER_MS = 3000;
const BLIND_MS = 500;
let waking = false;

function wake(): void {
  // on an iPhone, a call or another app leaves it `interrupted` instead of `suspended`
  if (context && context.state !== 'running') void context.resume().catch(() => undefined);
  if (context || waking) return;
  waking = true;
  onceCalm(() => {
    waking = false;
    try {
      // Without a device at first: asking for one, Chromium blocks the page for twice as long.
      context = new AudioContext({ sinkId: { type: 'none' } } as AudioContextOptions) as Sounding;
      void context.setSinkId?.('').catch(() => undefined);
      void context.resume().catch(() => undefined);
      setTimeout(() => (rustle = context && whiteNoise(context))); // not while something moves
    } catch {
      context = null; // this browser has no sound
    }
  });
}

/** Call back once nothing moves on the page. */
function onceCalm(then: () => void): void {
  if (typeof requestIdleCallback === 'undefined') {
    setTimeout(then, BLIND_MS);
    return;
  }
  const begun = performance.now();
  const look = (deadline: IdleDeadline) => {
    const late = performance.now() - begun > CALM_AFTER_MS;
    if (late || deadline.timeRemaining() > CALM_MS) then();
    else requestIdleCallback(look, { timeout: CALM_AFTER_MS });
  };
  requestIdleCallback(look, { timeout: CALM_AFTER_MS });
}

export function sound(name: Sound): void {
  if (!context || context.state !== 'running') return;
  const { notes, noise = [] } = SOUNDS[name];
  for (const note of notes) pluck(context, note);
  for (const note of noise) brush(context, note);
}

function envelope(on: AudioContext, [, at, length, loudness]: Note): GainNode {
  const gain = on.createGain();
  const start = on.currentTime + at;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness * 0.5, start + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(on.destination);
  return gain;
}

function pluck(on: AudioContext, note: Note): void {
  const string = on.createOscillator();
  string.type = 'triangle';
  string.frequency.value = note[0];
  string.connect(envelope(on, note));
  string.start(on.currentTime + note[1]);
  string.stop(on.currentTime + note[1] + note[2] + 0.05);
}

function brush(on: AudioContext, note: Note): void {
  rustle ??= whiteNoise(on);
  const source = on.createBufferSource();
  const filter = on.createBiquadFilter();
  source.buffer = rustle;
  filter.type = 'bandpass';
  filter.frequency.value = note[0];
  source.connect(filter).connect(envelope(on, note));
  source.start(on.currentTime + note[1]);
  source.stop(on.currentTime + note[1] + note[2] + 0.05);
}

function whiteNoise(on: AudioContext): AudioBuffer {
  const buffer = on.createBuffer(1, on.sampleRate / 2, on.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  return buffer;
}
