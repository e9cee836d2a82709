// Builds the page that plays without a server (`__ALONE__`) into build/alone. `make alone` first
// writes where its Python will be.

import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig } from 'vite';
import { page } from './vite.config.ts';

const beside = (path: string) => readFileSync(path, 'utf8');

export default defineConfig(
  mergeConfig(page('alone'), {
    define: { __PYTHON__: beside('../build/alone-cache/python.json') },
    worker: { format: 'es' },
    build: { outDir: '../build/alone', manifest: false },
  }),
);
