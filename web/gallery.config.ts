// Builds gallery.html, the page that shows how everything looks; the tests of the looks measure
// it. While working on it: `python web/build.py run vite`, then /gallery.html.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { OLDEST } from './browsers.ts';
import { catalogues } from './catalogues.ts';

export default defineConfig({
  plugins: [svelte(), catalogues('table')],
  define: { __ALONE__: 'false' },
  base: './',
  publicDir: false,
  build: {
    target: OLDEST,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: { input: 'gallery.html' },
  },
});
