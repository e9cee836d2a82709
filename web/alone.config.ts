// Builds the page that plays without a server (`__ALONE__`) into build/alone: `make alone`, which has
// written before where its Python will be.

import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vite';
import { page } from './vite.config.ts';

const python = readFileSync('../build/alone-cache/python.json', 'utf8');

export default defineConfig(
  mergeConfig(page('alone'), {
    define: { __PYTHON__: python },
    build: { outDir: '../build/alone', manifest: false },
  }),
);
