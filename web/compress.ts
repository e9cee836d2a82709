// A Vite plugin: writes compressed forms of every built text file, for browsers that accept them.
// Done once, as small as can be, instead of at every start of a server.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|svg|json|webmanifest)$/;
/** Below this nothing is gained. */
const LEAST = 512;

export function compress(): Plugin {
  return {
    name: 'rage-compress',
    apply: 'build',
    writeBundle(options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const text = file.type === 'chunk' ? file.code : file.source;
        const source = typeof text === 'string' ? new TextEncoder().encode(text) : text;
        if (!TEXT.test(fileName) || source.length < LEAST) continue;
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
        const path = join(options.dir ?? '', fileName);
        writeFileSync(`${path}.br`, brotliCompressSync(source, { params }));
        writeFileSync(`${path}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}
