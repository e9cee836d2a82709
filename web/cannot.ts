// A Vite plugin: the message, in every language, of a page that does not start. It is plain HTML,
// for browsers without scripts or too old for ours; `started` (src/shell) removes it.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { OLDEST } from './browsers.ts';
import { catalogueOf } from './catalogues.ts';

/** Where the message goes. */
const MARK = '<!-- cannot -->';

/** The oldest browsers by their names: `111` for `chrome`. */
const versions = Object.fromEntries(OLDEST.map((each) => each.split(/(?=\d)(.*)/, 2)));

export function cannot(): Plugin {
  let root = '';
  /** A sentence in each language, as a paragraph. */
  function paragraphs(content: (say: (code: string) => string) => string): string {
    const folder = join(root, '..', 'src', 'rage', 'locale');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const each = files.map((file) => {
      const texts = catalogueOf(join(folder, file));
      const say = (code: string) =>
        texts[code]!.replace(/\{(\w+)\}/g, (_, name) => versions[name]!);
      const language = file.replace('.json', '');
      return `<p lang="${language}" dir="${say('language.direction')}">${content(say)}</p>`;
    });
    return each.join('');
  }
  return {
    name: 'rage-cannot',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => {
        const off = paragraphs((say) => say('cannot.no_scripts'));
        const why = paragraphs(
          (say) => `<span>${say('cannot.not_started')} </span>${say('cannot.oldest')}`,
        );
        return html.replace(MARK, `<div id="cannot"><noscript>${off}</noscript>${why}</div>`);
      },
    },
  };
}
