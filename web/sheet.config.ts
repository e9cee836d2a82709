// Builds sheet.html, the score sheet and the trick judge, into a folder of its own below the page:
// they share its source, but none of its files, so that the folder works on any web host, and its
// first visit loads nothing of the table. `vite build --config sheet.config.ts` after `vite build`.

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { OLDEST } from './browsers.ts';
import { cannot } from './cannot.ts';
import { catalogues, sheetSources } from './catalogues.ts';
import { compress } from './compress.ts';
import { files } from './files.ts';

/** What every view of it is made of: one file, for a request costs nearly a kilobyte of headers. */
const EVERYWHERE =
  /node_modules.(svelte|esm-env)|vite.preload|src.(codes|layout|say|settings|stored|icons|shell.(?!Confirm|Dialog|Line|Pad|api|back|code|modal|place|routes)|offline.(?!trick|allowed|cards|record|sheet_link)|cards.(Sign|signs)|table.sheet|sheet.(main|App|book|entering|files|kept|where|words|OpenFile|Look|Storage))\b/;

const link = (attrs: Record<string, string>) => ({ tag: 'link', attrs, injectTo: 'head' as const });

/** Leaves out the icons that no view of the page has. */
function icons(): Plugin {
  let text = '';
  return {
    name: 'rage-icons',
    enforce: 'pre',
    configResolved({ root }) {
      text = sheetSources(root).join('\n');
    },
    transform(code, id) {
      if (!id.endsWith('/icons/icons.ts')) return null;
      return code.replace(/^ {2}'?([\w-]+)'?:\s+'[^']+',$/gm, (line, name: string) =>
        new RegExp(`["']${name}["']`).test(text) ? line : '',
      );
    },
  };
}

/** Names the start `index.html`, and what lies beside its folder. */
function folder(): Plugin {
  return {
    name: 'rage-folder',
    enforce: 'post',
    // They lie beside the rest of the page, one folder up; `rage sheet --static` puts them here.
    transformIndexHtml: () => [
      link({ rel: 'icon', href: '../icon.svg', type: 'image/svg+xml' }),
      link({ rel: 'apple-touch-icon', href: '../apple-touch-icon.png' }),
      link({ rel: 'manifest', href: '../sheet.webmanifest' }),
    ],
    generateBundle(_, bundle) {
      const start = bundle['sheet.html'];
      if (start) start.fileName = 'index.html';
    },
  };
}

export default defineConfig({
  plugins: [svelte(), catalogues('sheet'), cannot(), icons(), folder(), files(), compress()],
  base: './',
  publicDir: false,
  build: {
    outDir: '../src/rage/server/page/sheet',
    emptyOutDir: true,
    cssCodeSplit: false, // a page that is open can load none any more, once the network is gone
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    target: OLDEST,
    rolldownOptions: {
      input: 'sheet.html',
      output: { codeSplitting: { groups: [{ name: 'sheet', test: EVERYWHERE }] } },
    },
  },
});
