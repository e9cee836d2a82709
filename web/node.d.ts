// What the plugins next to this file use of Node. The full types of Node would leak into the page,
// which has none of it.
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
