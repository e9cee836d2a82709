// Moves and scales path data, so that many drawings are one element of the page: each further
// element costs a browser more than the lines in it.

/** The meaning of the numbers of each command: x, y, a radius, or unchanged. */
const NUMBERS: Readonly<Record<string, string>> = { H: 'x', V: 'y', A: 'rr===xy', Z: '' };

/** Path data of absolute commands, scaled and then moved. */
export function placePath(d: string, x: number, y: number, scale: number): string {
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
