// What catalogues.ts takes from Node. The types of all of Node would reach into the page, where
// there is none of it.
declare module 'node:fs' {
  export function readdirSync(
    folder: string,
    options: { recursive: true; encoding: 'utf8' },
  ): string[];
  export function readFileSync(file: string, encoding: 'utf8'): string;
}
declare module 'node:path' {
  export function join(...parts: string[]): string;
}
