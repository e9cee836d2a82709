// A Vite plugin: lists the files of a page in files.json, so that the worker knows what to keep.

import type { Plugin } from 'vite';

export function files(): Plugin {
  return {
    name: 'rage-files',
    enforce: 'post',
    apply: 'build',
    generateBundle(_, bundle) {
      const names = Object.values(bundle).map(({ fileName }) => fileName);
      const source = JSON.stringify(names.filter((name) => name.startsWith('assets/')).sort());
      this.emitFile({ type: 'asset', fileName: 'files.json', source });
    },
  };
}
