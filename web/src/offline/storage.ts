/** What the offline app takes up on this device, and how to get rid of it. */
import { requestJson } from '../api/http';
import { appBase } from './app-base';
import { canKeep, currentVersion, removeAll } from './versions';

export interface StorageUse {
  /** Bytes of this site as the browser counts them, and how many it may have; null where it does not tell. */
  used: number | null;
  available: number | null;
  /** Whether the browser has promised not to throw the data away by itself. */
  persisted: boolean;
  /** Bytes of the app itself; 0 if it is not kept. */
  app: number;
  /** The rooms and finished games of this device, and their bytes. */
  rooms: number;
  games: number;
  bytes: number;
}

export async function storageUse(): Promise<StorageUse> {
  const [kept, estimate, persisted, version] = await Promise.all([
    requestJson<{ rooms: number; games: number; bytes: number }>('GET', '/storage'),
    navigator.storage?.estimate?.(),
    navigator.storage?.persisted?.() ?? false,
    currentVersion(appBase),
  ]);
  return {
    ...kept,
    used: estimate?.usage ?? null,
    available: estimate?.quota ?? null,
    persisted,
    app: version?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0,
  };
}

/** Remove the games, or the app, which then needs a network to open again. */
export async function clearStorage(what: 'games' | 'app'): Promise<void> {
  if (what === 'games') {
    await requestJson('DELETE', '/storage');
    return;
  }
  if (!canKeep()) return;
  await removeAll(appBase);
  const registration = await navigator.serviceWorker?.getRegistration(appBase.pathname);
  if (registration && new URL(registration.scope).pathname === appBase.pathname) await registration.unregister();
}
