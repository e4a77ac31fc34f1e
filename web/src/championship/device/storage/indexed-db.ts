/** What a device keeps in its browser (IndexedDB): the outbox, the last page it saw, its own photos. */
import { upgraded, type Entry, type OutboxStore } from './outbox';

const NAME = 'meldroom-device';
const OUTBOX = 'outbox';
const PAGES = 'pages';
const PHOTOS = 'photos';
const MOST_PHOTOS = 5;

export interface OwnPhoto {
  seq: number;
  place: string;
  at: number;
  text: string;
  picture: Blob;
}

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const store of [OUTBOX, PHOTOS]) {
        request.result.createObjectStore(store, { keyPath: 'seq', autoIncrement: true });
      }
      request.result.createObjectStore(PAGES);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no storage'));
  }).catch((error: unknown) => {
    opened = null;
    throw error;
  });
  return opened;
}

/** One transaction; it is done when the browser says that it is kept. */
async function run<Result>(
  store: string,
  mode: IDBTransactionMode,
  work: (objects: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const base = await database();
  return new Promise((resolve, reject) => {
    const transaction = base.transaction(store, mode);
    const request = work(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error('not kept'));
  });
}

const read = <Result>(store: string, work: (objects: IDBObjectStore) => IDBRequest<Result>): Promise<Result> =>
  run(store, 'readonly', work);
const write = <Result>(store: string, work: (objects: IDBObjectStore) => IDBRequest<Result>): Promise<Result> =>
  run(store, 'readwrite', work);

/** The outbox of this browser. */
export const outboxStore: OutboxStore = {
  async all(event, table) {
    const entries = (await read(OUTBOX, (objects) => objects.getAll())) as Entry[];
    return entries.map(upgraded).filter((entry) => entry.event === event && entry.table === table);
  },
  async add(entry) {
    const seq = (await write(OUTBOX, (objects) => objects.add(entry))) as number;
    return { ...entry, seq };
  },
  async put(entry) {
    await write(OUTBOX, (objects) => objects.put(entry));
  },
  async remove(seq) {
    await write(OUTBOX, (objects) => objects.delete(seq));
  },
};

/** The last answer of the laptop under a name, for a device that opens without it. */
export const lastPages = {
  async get<Page>(name: string): Promise<Page | null> {
    return ((await read(PAGES, (objects) => objects.get(name))) as Page | undefined) ?? null;
  },
  async put(name: string, page: unknown): Promise<void> {
    await write(PAGES, (objects) => objects.put(page, name));
  },
};

/** The last few photos that this device took of a table. */
export const ownPhotos = {
  async all(place: string): Promise<OwnPhoto[]> {
    const photos = (await read(PHOTOS, (objects) => objects.getAll())) as OwnPhoto[];
    return photos.filter((photo) => photo.place === place).reverse();
  },
  async add(photo: Omit<OwnPhoto, 'seq'>): Promise<void> {
    await write(PHOTOS, (objects) => objects.add(photo));
    for (const old of (await ownPhotos.all(photo.place)).slice(MOST_PHOTOS)) {
      await write(PHOTOS, (objects) => objects.delete(old.seq));
    }
  },
};
