// SHA-256 in plain TypeScript. A page over plain HTTP from another machine has no `crypto.subtle`,
// and the proof of a deal has to work there too. Compared with Python's hashlib in the tests.

/** The first 32 bits behind the point of the `power`-th roots of the first `count` primes. */
function fractions(count: number, power: number): number[] {
  const found: number[] = [];
  for (let n = 2, primes: number[] = []; found.length < count; n++) {
    if (primes.some((prime) => n % prime === 0)) continue;
    primes.push(n);
    found.push((n ** power * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, 1 / 2);
const ROUND = fractions(64, 1 / 3);

/** The 32 bytes of the hash of some bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = (bytes.length + 9 + 63) >> 6;
  const padded = new Uint8Array(blocks << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  for (let at = 0; at < padded.length; at += 64) mix(state, view, at);
  const hash = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => hash.setInt32(4 * i, word));
  return new Uint8Array(hash.buffer);
}

const words = new Int32Array(64);
const turned = (x: number, n: number) => (x >>> n) | (x << (32 - n));

/** Mix one block of 64 bytes into the state. */
function mix(state: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const x = words[i - 15]!;
    const y = words[i - 2]!;
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i]! + words[i]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i]! += word));
}
type Eight = [number, number, number, number, number, number, number, number];

/** Bytes as lower-case hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of hexadecimal digits, with white space between bytes; `null` for anything else. */
export function unhex(text: string): Uint8Array | null {
  if (!/^[ \t\n\v\f\r]*([0-9a-fA-F]{2}[ \t\n\v\f\r]*)*$/.test(text)) return null;
  const digits = text.replace(/[ \t\n\v\f\r]/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    parseInt(digits.slice(2 * i, 2 * i + 2), 16),
  );
}

/** Text in UTF-8; half a surrogate pair, which a TextEncoder would replace, in three bytes. */
export function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
      bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return Uint8Array.from(bytes);
}
