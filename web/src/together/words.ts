// Sentences about people that are put together from what is known of them.

import type { SaidView } from '../game/types.ts';
import { type Code, isCode, t, visible } from '../say.ts';

/** What was said, in the reader's language where it is a ready-made phrase. */
export function spokenText({ text, preset }: SaidView): string {
  const code = `chat.${preset}`;
  return preset !== null && isCode(code) ? t(code as Code) : visible(text ?? '');
}

/** The same with its speaker. */
export function chatLine(line: SaidView): string {
  return t('page.chat.says', { name: line.name, text: spokenText(line) });
}

/** What opens the chat is called, with how many lines are new. */
export function chatLabel(fresh: number): string {
  return fresh ? t('page.chat.unread', { n: fresh }) : t('page.chat.title');
}
