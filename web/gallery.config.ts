// Builds gallery.html, the page that shows how everything looks; tests/page/test_look.py
// measures it. While working on it: `python web/build.py run vite`, then /gallery.html.
import { mergeConfig } from 'vite';
import config from './vite.config.ts';

export default mergeConfig(config, {
  build: { rollupOptions: { input: 'gallery.html' }, target: 'es2022' },
});
