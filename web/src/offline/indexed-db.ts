/**
 * Where a device keeps its rooms and games: the store that the engine's Python writes through.
 *
 * A call is one transaction, and its promise is kept when the browser says that the data is on the disk. A browser
 * that has no room left rejects with an error whose name is QuotaExceededError.
 */

const EVENTS = 'events';
const CARDS = 'cards';
const GAMES = 'games';
const VALUES = 'values';
const STORES = [EVENTS, CARDS, GAMES, VALUES] as const;
const ALL = [...STORES];

type Bytes = Uint8Array<ArrayBuffer>;
type StoreName = (typeof STORES)[number];
type Kept = Bytes | string;

/** Bytes of Python as it hands them over: a copy of its own, or a window into memory that will be used again. */
export interface PythonBuffer {
  getBuffer(kind: 'u8'): { data: Uint8Array; release(): void };
}

export function copied(bytes: Uint8Array | PythonBuffer): Bytes {
  if (bytes instanceof Uint8Array) return new Uint8Array(bytes);
  const buffer = bytes.getBuffer('u8');
  try {
    return new Uint8Array(buffer.data);
  } finally {
    buffer.release();
  }
}

const ofRoom = (room: string, after = -Infinity): IDBKeyRange => IDBKeyRange.bound([room, after], [room, Infinity], true);

/** The name survives the way to Python; that of a DOMException might not. */
function named(error: DOMException | null): Error {
  const failure = new Error(error?.message || 'The data could not be kept.');
  failure.name = error?.name ?? 'AbortError';
  return failure;
}

export class DeviceStore {
  private readonly name: string;
  private opened: Promise<IDBDatabase> | null = null;

  constructor(name: string) {
    this.name = name;
  }

  /** Add an event to a room, with the room's card and the game it finished: all or nothing. */
  async append(
    room: string,
    seq: number,
    event: Uint8Array | PythonBuffer,
    card: Uint8Array | PythonBuffer,
    finishedId?: string | null,
    finished?: Uint8Array | PythonBuffer | null,
  ): Promise<'ok' | 'conflict'> {
    let conflict = false;
    try {
      await this.run(ALL, 'readwrite', (store, transaction) => {
        const last = store(EVENTS).openKeyCursor(ofRoom(room), 'prev');
        last.onsuccess = () => {
          const [, number] = (last.result?.key as [string, number] | undefined) ?? [room, 0];
          if (number !== seq - 1) {
            conflict = true;
            transaction.abort();
            return;
          }
          store(EVENTS).add(copied(event), [room, seq]);
          store(CARDS).put(copied(card), room);
          if (finishedId != null && finished != null) store(GAMES).put(copied(finished), finishedId);
        };
      });
    } catch (error) {
      if (conflict || (error instanceof Error && error.name === 'ConstraintError')) return 'conflict';
      throw error;
    }
    return 'ok';
  }

  /** The events of a room in order, after a number. */
  events(room: string, after = 0): Promise<Bytes[]> {
    return this.read(EVENTS, (store) => store.getAll(ofRoom(room, after)));
  }

  cards(): Promise<Bytes[]> {
    return this.read(CARDS, (store) => store.getAll());
  }

  async finished(id: string): Promise<Bytes | null> {
    return (await this.read<Bytes | undefined>(GAMES, (store) => store.get(id))) ?? null;
  }

  finishedList(): Promise<Bytes[]> {
    return this.read(GAMES, (store) => store.getAll());
  }

  /** Keep a game that was not played here. */
  keepGame(id: string, finished: Uint8Array | PythonBuffer): Promise<void> {
    return this.write([GAMES], (store) => void store(GAMES).put(copied(finished), id));
  }

  async get(key: string): Promise<string | null> {
    return (await this.read<string | undefined>(VALUES, (store) => store.get(key))) ?? null;
  }

  set(key: string, value: string): Promise<void> {
    return this.write([VALUES], (store) => void store(VALUES).put(value, key));
  }

  deleteRoom(room: string): Promise<void> {
    return this.write([EVENTS, CARDS], (store) => {
      store(EVENTS).delete(ofRoom(room));
      store(CARDS).delete(room);
    });
  }

  deleteGame(id: string): Promise<void> {
    return this.write([GAMES], (store) => void store(GAMES).delete(id));
  }

  clear(): Promise<void> {
    return this.write(ALL, (store) => STORES.forEach((name) => store(name).clear()));
  }

  /** How many bytes are kept, without what the browser adds. */
  async usage(): Promise<number> {
    let bytes = 0;
    await this.run(ALL, 'readonly', (store) => {
      for (const name of STORES) {
        const cursor = store(name).openCursor();
        cursor.onsuccess = () => {
          if (!cursor.result) return;
          bytes += (cursor.result.value as Kept).length;
          cursor.result.continue();
        };
      }
    });
    return bytes;
  }

  /** Let go of the database; the next call opens it again. */
  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    (await opened)?.close();
  }

  private async read<Value>(name: StoreName, work: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
    let request: IDBRequest<Value> | undefined;
    await this.run([name], 'readonly', (store) => {
      request = work(store(name));
    });
    return (request as IDBRequest<Value>).result;
  }

  private write(names: StoreName[], work: (store: (name: StoreName) => IDBObjectStore) => void): Promise<void> {
    return this.run(names, 'readwrite', work);
  }

  private async run(
    names: StoreName[],
    mode: 'readonly' | 'readwrite',
    work: (store: (name: StoreName) => IDBObjectStore, transaction: IDBTransaction) => void,
  ): Promise<void> {
    const database = await this.database();
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(names, mode, { durability: 'strict' });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(named(transaction.error));
      work((name) => transaction.objectStore(name), transaction);
    });
  }

  private database(): Promise<IDBDatabase> {
    this.opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(this.name, 1);
      request.onupgradeneeded = () => {
        for (const name of STORES) request.result.createObjectStore(name);
      };
      request.onerror = () => reject(named(request.error));
      request.onsuccess = () => {
        const database = request.result;
        // Somebody deletes it, or the browser takes it away: the next call opens it again.
        database.onversionchange = () => database.close();
        database.onclose = () => (this.opened = null);
        resolve(database);
      };
    }).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }
}
