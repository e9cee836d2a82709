// Signals that it is my turn while the page is hidden: a blinking title, vibration, a notification.

import { settings } from '../settings.svelte';
import { t } from '../say';

let blinking: ReturnType<typeof setInterval> | undefined;
let title = '';
let notification: Notification | null = null;

/** Signal that it is my turn. */
export function signalTurn(): void {
  // browsers refuse this before the first touch, and log that
  const touched = navigator.userActivation?.hasBeenActive ?? true;
  const vibrates = settings.vibration && !settings.quiet && touched;
  if (vibrates) navigator.vibrate?.(document.hidden ? [120, 80, 120] : 40);
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
    notification = new Notification(title, { tag: TAG });
    notification.onclick = () => window.focus();
  } catch {
    // On phones only the service worker may; a touch leads back here (worker.js).
    const options = { tag: TAG, data: { path: location.href } };
    void navigator.serviceWorker?.ready.then((worker) => worker.showNotification(title, options));
  }
}

async function withdraw(): Promise<void> {
  notification?.close();
  notification = null;
  // On a slow phone, asking the worker takes longer than drawing the played card.
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const worker = await navigator.serviceWorker?.getRegistration();
  const shown = (await worker?.getNotifications({ tag: TAG })) ?? [];
  for (const each of shown) each.close();
}

/** Stop all signals, because the page was looked at or the turn is over. */
export function stopSignals(): void {
  if (blinking) document.title = title;
  clearInterval(blinking);
  blinking = undefined;
  void withdraw().catch(() => undefined);
}
