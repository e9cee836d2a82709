// Builds the page that plays without a server (`__ALONE__`) into build/alone: `make alone`.

import { defineConfig, mergeConfig } from 'vite';
import { page } from './vite.config.ts';

export default defineConfig(
  mergeConfig(page('alone'), { build: { outDir: '../build/alone', manifest: false } }),
);
