import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { OLDEST } from './browsers.ts';
import { catalogues } from './catalogues.ts';
import { compress } from './compress.ts';

/** What the first page is made of, and small things that several others share. */
const EVERYWHERE =
  /node_modules.svelte|node_modules.esm-env|vite.preload|src.(App|pages|codes|layout|say|settings|main|shell|icons|learn.coaching|table.keys|style|cards.[A-Z]|cards.\w+\.ts)|src.start.(Home|Fan|NameField|PlayNow|Table(List|Row)|opening|sharing|clock|ClockChoice|Choices|Toggle)\b/;

/** What the table shares with the lobby, with the end of a game, and with the game after it. */
const PLAYED =
  /src.(after.replay|learn.Plate|game.story|table.(ScoreChart|again|keys|moving|sheet)|together.(Refused|Said|commands|together|words))\b/;

// Built into the Python package, whose server sends it. Paths are relative, because the server may
// stand below a base path; it writes `<base href>` into the page.
export default defineConfig({
  plugins: [svelte(), catalogues(), compress()],
  base: './',
  build: {
    outDir: '../src/rage/server/page',
    emptyOutDir: true,
    license: { fileName: 'licenses.json' }, // of the packages that are part of the page
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
