// Compresses files as small as can be: node pack.mjs FROM TO FROM TO ...

import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const pack = promisify(brotliCompress);
const names = process.argv.slice(2);
const jobs = [];
for (let at = 0; at < names.length; at += 2) jobs.push([names[at], names[at + 1]]);
await Promise.all(
  jobs.map(async ([from, to]) => {
    const source = await readFile(from);
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
    const window = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
    await writeFile(to, await pack(source, { params: { ...size, ...window } }));
  }),
);
