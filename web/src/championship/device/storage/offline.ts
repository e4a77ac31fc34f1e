/** So that a device which reloads without the network still opens: see ../service-worker.ts. */

import { LANGUAGES } from '../../../locales/languages';
import { messagesReady } from '../../../ui/messages.svelte';

export type Reopening = 'ready' | 'preparing' | 'impossible';

const WORKER = '/sw.js';
const SCOPE = '/championship/';

/** Every file of the build that this page has loaded. */
function loaded(): string[] {
  const scripts = performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname);
  const marked = [...document.querySelectorAll<HTMLElement>('script[src], link[href]')].map(
    (one) => new URL(one.getAttribute('src') ?? one.getAttribute('href') ?? '', location.href).pathname,
  );
  return [...new Set([...scripts, ...marked])].filter((path) => path.startsWith('/assets/'));
}

/** The build is known by the name of its first script. */
const build = (): string => document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src') ?? '';

/** Let the browser keep these pages. It can do so only on https, or on the laptop itself. */
export async function keepPages(): Promise<Reopening> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return 'impossible';
  try {
    // Every language must still be there without the network.
    await Promise.all(LANGUAGES.map(({ code }) => messagesReady(code)));
    await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
    const worker = (await navigator.serviceWorker.ready).active;
    if (!worker) return 'impossible';
    return await new Promise<Reopening>((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = ({ data }) => resolve(data === true ? 'ready' : 'impossible');
      worker.postMessage({ keep: loaded(), build: build() }, [channel.port2]);
    });
  } catch {
    return 'impossible';
  }
}
