// A screen that somebody looks at without touching it: it stays awake.

/** Keep the screen awake while the page is in sight, where the browser can; ends with what is
 * returned. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const take = (found: WakeLockSentinel) => {
    if (over) void found.release();
    else lock = found;
  };
  // Browsers let go of it when the page is hidden, and refuse it then.
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
