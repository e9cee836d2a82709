// Sentences about people that are put together from what is known of them.

import type { TableView } from '../game/types.ts';
import { type Code, isCode, t, visible } from '../say.ts';
import { nameIn } from './people.ts';
import type { Line } from './together.ts';

/** What was said, in the reader's language where it is a ready-made phrase. */
export function spokenText({ text, preset }: Line): string {
  const code = `chat.${preset}`;
  return preset !== null && isCode(code) ? t(code as Code) : visible(text ?? '');
}

/** The same with who said it. */
export function chatLine(line: Line, table: TableView): string {
  return t('page.chat.says', {
    name: line.name ?? nameIn(line.person, table),
    text: spokenText(line),
  });
}
