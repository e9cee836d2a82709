import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { OLDEST } from './browsers.ts';
import { cannot } from './cannot.ts';
import { catalogues } from './catalogues.ts';
import { compress } from './compress.ts';
import { files } from './files.ts';
import { offered } from './offered.ts';

/** Code shared by pages and dialogs that come later. */
const CHOSEN =
  /bindings.select|src.(shell.(Confirm|Dialog)|start.(sharing|ClockChoice|Choices|Toggle))\b/;

/** Code of the first page, and small modules shared by several others. */
const EVERYWHERE =
  /node_modules.svelte(?!.src.(animate|.+bindings.select))|node_modules.esm-env|vite.preload|src.(App|pages|codes|layout|say|settings|stored|main|shell.(?!Confirm|Dialog)|icons|learn.coaching|table.keys|style|cards.(?!Strip|ColourChip|Face|Character)[A-Z]|cards.(?!faces)\w+\.ts)|src.start.(Home|Fan|NameField|PlayNow|Strength|opening|clock)\b/;

/** Code that the table shares from its first moment on with the lobby, the panels, the television,
 * and finished games. */
const PLAYED =
  /src.(learn.Plate|cards.(Face|faces|Character)|game.(people|table_changes|tricks)|table.(again|keys|moving|standing)|together.(Refused|Said|TakeHost|commands|panels|seconds|together|words))\b/;

/** Code that tells of a game and counts its points: at the table, at its end, and afterwards. */
const TOLD = /svelte.src.animate|src.(after.replay|game.story|table.(ScoreChart|sheet))\b/;

/** Code of a table and the guided round: a table is one file. */
const AT_TABLE = /src.table.(Table|Play)\.svelte/;

/** Builds the service worker, under a permanent name and minified like the rest. */
const worker = (id: string): Plugin => ({
  name: 'rage-worker',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id, fileName: 'worker.js' });
  },
});

/** The page of tables: from a server, or in a folder on any web host, which plays `alone`. */
export const page = (name: 'table' | 'alone') => ({
  plugins: [
    svelte({ preprocess: [vitePreprocess(), offered(name === 'alone')] }),
    catalogues(name),
    cannot(),
    worker(name === 'alone' ? 'keeper.js' : 'worker.js'),
    files(),
    compress(),
  ],
  define: { __ALONE__: String(name === 'alone') },
  base: './',
  build: {
    outDir: '../src/rage/server/page',
    emptyOutDir: true,
    manifest: 'manifest.json', // by which the server knows what a table is made of
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
            { name: 'chosen', test: CHOSEN, priority: 1 },
            { name: 'played', test: PLAYED, priority: 1 },
            { name: 'told', test: TOLD },
            { name: 'table', test: AT_TABLE },
          ],
        },
      },
    },
  },
});

// Built into the Python package, whose server sends it. Paths are relative, because the server may
// stand below a base path; it writes `<base href>` into the page.
export default defineConfig({
  ...page('table'),
  server: {
    proxy: { '/api': 'http://127.0.0.1:7243', '/ws': { target: 'ws://127.0.0.1:7243', ws: true } },
  },
});
