import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { OLDEST } from './browsers.ts';
import { catalogues } from './catalogues.ts';
import { compress } from './compress.ts';

/** What the first page is made of, and small things that several others share. */
const EVERYWHERE =
  /node_modules.svelte|node_modules.esm-env|vite.preload|src.(App|say|settings|main|shell|icons|style|cards.[A-Z]|cards.\w+\.ts)|src.start.(Home|Fan|NameField|Table(List|Row)|opening|code|sharing|clock|ClockChoice|Choices|Toggle)\b/;

/** What the table and the game after it share. */
const PLAYED =
  /src.(after.(Strip|replay|witness)|table.(ScoreChart|sheet)|game.cards|offline.cards)\b/;

// Built into the Python package, whose server sends it. Paths are relative, because the server may
// stand below a base path; it writes `<base href>` into the page.
export default defineConfig({
  plugins: [svelte(), catalogues(), compress()],
  base: './',
  build: {
    outDir: '../src/rage/server/page',
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    target: OLDEST,
    // A request costs nearly a kilobyte of headers: what every page needs is one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'page', test: EVERYWHERE, priority: 2 },
            { name: 'played', test: PLAYED, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:7243', '/ws': { target: 'ws://127.0.0.1:7243', ws: true } },
  },
});
