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

const TAG = 'rage-turn';

function notify(): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const title = t('page.table.turn.title');
  try {
    message = new Notification(title, { tag: TAG });
    message.onclick = () => window.focus();
  } catch {
    // On a telephone only the worker may, which leads back here (public/worker.js).
    const options = { tag: TAG, data: { path: location.href } };
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options));
  }
}

async function withdraw(): Promise<void> {
  message?.close();
  message = null;
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = (await worker?.getNotifications({ tag: TAG })) ?? [];
  for (const each of shown) each.close();
}

/** It is seen, or somebody else's turn. */
export function calm(): void {
  if (blinking) document.title = title;
  clearInterval(blinking);
  blinking = undefined;
  void withdraw().catch(() => undefined);
}
