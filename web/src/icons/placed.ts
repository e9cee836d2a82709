// Drawings put in their places as path data, so that many of them are one element of the page: each
// element takes a browser longer than all that is drawn in it.

/** Which numbers of each command are what, in turn: across, down, a radius, or as they are. */
const NUMBERS: Readonly<Record<string, string>> = { H: 'x', V: 'y', A: 'rr===xy', Z: '' };

/** Path data of absolute commands, scaled and then moved. */
export function placed(d: string, x: number, y: number, scale: number): string {
  const put = (value: number, kind: string) => {
    if (kind === '=') return value;
    const moved = scale * value + { x, y, r: 0 }[kind]!;
    return Math.round(1000 * moved) / 1000;
  };
  return d.replace(/([A-Z])([^A-Z]*)/g, (_, command: string, rest: string) => {
    const kinds = NUMBERS[command] ?? 'xy';
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    return command + numbers.map((each, i) => put(each, kinds[i % kinds.length]!)).join(' ');
  });
}
