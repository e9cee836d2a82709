// Builds the page that plays without a server (`__ALONE__`) into build/alone: `make alone`, which has
// written before where its Python will be.

import { readFileSync } from 'node:fs';
import { defineConfig, mergeConfig, type Plugin } from 'vite';
import { page } from './vite.config.ts';

const beside = (path: string) => readFileSync(path, 'utf8');

/** Adds the README, which says how to play with friends, as a page: no browser shows Markdown. */
const readme = (): Plugin => ({
  name: 'rage-readme',
  generateBundle() {
    const text = beside('../README.md').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const head =
      '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
      '<meta name="color-scheme" content="dark light"><title>Rage</title>';
    const source = `${head}<pre style="white-space: pre-wrap">${text}</pre>\n`;
    this.emitFile({ type: 'asset', fileName: 'README.html', source });
  },
});

export default defineConfig(
  mergeConfig(page('alone'), {
    plugins: [readme()],
    define: { __PYTHON__: beside('../build/alone-cache/python.json') },
    worker: { format: 'es' },
    build: { outDir: '../build/alone', manifest: false },
  }),
);
