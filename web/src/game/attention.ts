// It is my turn, and I am not looking: the title blinks, the telephone hums, a message comes.

import { settings } from '../settings.svelte';
import { t } from '../say';

let blinking: ReturnType<typeof setInterval> | undefined;
let title = '';
let message: Notification | null = null;

/** Call for attention. */
export function call(): void {
  // Before the first touch a browser refuses, and says so aloud.
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  if (settings.vibration && touched) navigator.vibrate?.(document.hidden ? [120, 80, 120] : 40);
  if (!document.hidden) return;
  if (settings.blink) blink();
  if (settings.notify) notify();
}

function blink(): void {
  if (blinking) return;
  title = document.title;
  let on = false;
  blinking = setInterval(() => {
    on = !on;
    document.title = on ? t('page.table.turn.title') : title;
  }, 1000);
}

function notify(): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    message = new Notification(t('page.table.turn.title'), { tag: 'rage-turn' });
    message.onclick = () => window.focus();
  } catch {
    // a telephone that wants a service worker for it
  }
}

/** It is seen, or somebody else's turn. */
export function calm(): void {
  if (blinking) document.title = title;
  clearInterval(blinking);
  blinking = undefined;
  message?.close();
  message = null;
}
