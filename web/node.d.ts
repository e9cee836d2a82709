// What the plugins beside this file take from Node. The types of all of Node would reach into the page,
// where there is none of it.
declare module 'node:fs' {
  export function readdirSync(folder: string): string[];
  export function readFileSync(file: string, encoding: 'utf8'): string;
  export function writeFileSync(file: string, content: Uint8Array): void;
}
declare module 'node:path' {
  export function join(...parts: string[]): string;
}
declare module 'node:zlib' {
  export const constants: { readonly BROTLI_PARAM_SIZE_HINT: number };
  export function brotliCompressSync(
    source: Uint8Array,
    options: { params: Record<number, number> },
  ): Uint8Array;
  export function gzipSync(source: Uint8Array, options: { level: number }): Uint8Array;
}
