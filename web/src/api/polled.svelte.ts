/** Something asked again and again while the page is looked at: the lobby, one's own games. */

export interface Refreshed<Value> {
  readonly value: Value | null;
  readonly error: unknown;
  again(): void;
}

/** Ask at once and every `every` milliseconds; call it while a component is being made. */
export function refreshed<Value>(ask: () => Promise<Value>, every: number): Refreshed<Value> {
  let value: Value | null = $state.raw(null);
  let error: unknown = $state.raw(null);

  async function again(): Promise<void> {
    try {
      value = await ask();
      error = null;
    } catch (failure) {
      error = failure;
    }
  }

  $effect(() => {
    void again();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void again();
    }, every);
    return () => clearInterval(timer);
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    again: () => void again(),
  };
}
