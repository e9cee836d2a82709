// Builds sheet.html, the score sheet and the trick judge, into a folder of its own below the page:
// they share its source, but none of its files, so that the folder works on any web host, and its
// first visit loads nothing of the table. `vite build --config sheet.config.ts` after `vite build`.

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { OLDEST } from './browsers.ts';
import { cannot } from './cannot.ts';
import { catalogues } from './catalogues.ts';
import { compress } from './compress.ts';
import { files } from './files.ts';

const link = (attrs: Record<string, string>) => ({ tag: 'link', attrs, injectTo: 'head' as const });

/** Names the start `index.html`, and links the files next to its folder. */
function folder(): Plugin {
  return {
    name: 'rage-folder',
    enforce: 'post',
    // They are next to the rest of the page, one folder up; `rage sheet --static` puts them here.
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
  plugins: [svelte(), catalogues('sheet'), cannot(), folder(), files(), compress()],
  define: { __ALONE__: 'false' },
  base: './',
  publicDir: false,
  build: {
    outDir: '../src/rage/server/page/sheet',
    emptyOutDir: true,
    cssCodeSplit: false, // an open page cannot load any once the network is gone
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    target: OLDEST,
    rolldownOptions: {
      input: 'sheet.html',
      // A request costs nearly a kilobyte of headers: all that the page begins with is one file.
      output: { codeSplitting: { groups: [{ name: 'sheet', tags: ['$initial'] }] } },
    },
  },
});
