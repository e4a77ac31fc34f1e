/** So that the app opens in airplane mode: see ../service-worker.ts. */
import { writable, type Readable } from 'svelte/store';

import { canKeep, currentVersion, removeOthers } from './versions';

/** `impossible`: the browser lets us keep no pages here, as in a private window or on plain http. */
export type AirplaneMode = 'preparing' | 'ready' | 'impossible';

const store = writable<AirplaneMode>('preparing');
/** Whether the app will open without a network. */
export const airplaneMode: Readable<AirplaneMode> = { subscribe: store.subscribe };

/** Let the service worker answer for the app from now on, and remove what an older version left. */
export async function keepPages(base: URL): Promise<void> {
  if (!canKeep() || !('serviceWorker' in navigator)) return store.set('impossible');
  try {
    if (!(await currentVersion(base))) throw new Error('there was no room to keep the files');
    const { active, installing, waiting } = await navigator.serviceWorker.register(new URL('sw.js', base), { scope: base.pathname });
    const worker = installing ?? waiting;
    if (!active && worker) {
      await new Promise<void>((resolve, reject) => {
        worker.addEventListener('statechange', () => {
          if (worker.state === 'activated') resolve();
          if (worker.state === 'redundant') reject(new Error('the service worker was not installed'));
        });
      });
    }
    await removeOthers(base);
    store.set('ready');
  } catch {
    store.set('impossible');
  }
}
