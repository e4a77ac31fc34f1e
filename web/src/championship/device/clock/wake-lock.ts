/** The screen of a clock must not go dark. */

export const canStayAwake = (): boolean => typeof navigator !== 'undefined' && 'wakeLock' in navigator;

/** Keep the screen on until the returned function is called; asked for again whenever the page comes back. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;

  async function ask(): Promise<void> {
    if (over || !canStayAwake() || document.visibilityState !== 'visible') return;
    try {
      lock = await navigator.wakeLock.request('screen');
      if (over) void lock.release();
    } catch {
      // A device that is low on power may say no; the page tells how to set the screen itself.
    }
  }

  const onchange = (): void => void ask();
  document.addEventListener('visibilitychange', onchange);
  void ask();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', onchange);
    void lock?.release();
  };
}
