/** New versions of the offline app: looked for, offered, and used only when the player says so. */
import { get, writable, type Readable } from 'svelte/store';

import { appBase } from './app-base';
import { canKeep, currentVersion, download, latestVersion, missing, use, type Progress, type Version } from './versions';

export interface Update {
  version: string;
  /** Bytes still to be downloaded. */
  bytes: number;
}

export const EVERY = 3_600_000;

const offered = writable<Update | null>(null);
/** A newer version that could be had; null if there is none. */
export const updateOffered: Readable<Update | null> = { subscribe: offered.subscribe };

let latest: Version | null = null;
let watching = false;

/** Look once whether there is a newer version than the one in use. Off the network there is none. */
export async function lookForUpdate(base: URL = appBase): Promise<void> {
  if (!canKeep() || navigator.onLine === false) return;
  const [current, found] = await Promise.all([currentVersion(base), latestVersion(base).catch(() => null)]);
  if (!current || !found) return;
  latest = found;
  const bytes = missing(found, current).reduce((sum, { packed }) => sum + packed, 0);
  offered.set(found.version === current.version ? null : { version: found.version, bytes });
}

/** Look now and every hour. */
export function watchForUpdates(): void {
  if (watching) return;
  watching = true;
  void lookForUpdate();
  setInterval(() => void lookForUpdate(), EVERY);
}

/**
 * Download the offered version, use it, and load the page again. Rejects if something did not come; then everything
 * stays as it is. Games are kept apart from versions, and go on in the new one.
 */
export async function applyUpdate(progress?: Progress, base: URL = appBase, reload = (): void => location.reload()): Promise<void> {
  if (!latest || !get(offered)) return;
  await download(base, latest, await currentVersion(base), progress);
  await use(base, latest);
  offered.set(null);
  reload();
}
