// Sentences about people, built from several parts.

import type { SaidView } from '../game/types.ts';
import { type Code, isCode, t, visible } from '../say.ts';

/** A chat line, in the reader's language if it is a preset phrase. */
export function spokenText({ text, preset }: SaidView): string {
  const code = `chat.${preset}`;
  return preset !== null && isCode(code) ? t(code as Code) : visible(text ?? '');
}

/** A chat line with its speaker. */
export function chatLine(line: SaidView): string {
  return t('page.chat.says', { name: line.name, text: spokenText(line) });
}

/** The label of the button for the chat, with the number of new lines. */
export function chatLabel(fresh: number): string {
  return fresh ? t('page.chat.unread', { n: fresh }) : t('page.chat.title');
}
