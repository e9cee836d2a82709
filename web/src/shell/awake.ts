// Keeps the screen awake for a person who looks at it without touching it.

/** Keep the screen awake while the page is visible, if the browser can. Returns a function that
 * ends it. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const take = (found: WakeLockSentinel) => {
    if (over) void found.release();
    else lock = found;
  };
  // Browsers drop the lock when the page is hidden, and refuse it then.
  const ask = () => {
    if (!document.hidden) void navigator.wakeLock?.request('screen').then(take, () => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  ask();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', ask);
    void lock?.release();
  };
}
