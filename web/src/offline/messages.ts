/** What the page and the worker with the engine say to each other. */

export type ToWorker =
  | { type: 'start'; base: string }
  | { type: 'request'; id: number; method: string; path: string; query: string; body: Uint8Array<ArrayBuffer> | null }
  /** A live connection; a later one ends the one before. */
  | { type: 'open'; connection: number }
  | { type: 'frame'; connection: number; text: string }
  | { type: 'close'; connection: number };

/** `download` counts bytes; `start` counts steps. */
export type Stage = 'download' | 'start';

/** Why the engine did not start: its files are still being built, or cannot be had, the player called it off, or else. */
export type FailureCode = 'preparing' | 'unreachable' | 'cancelled' | 'failed';

export type FromWorker =
  | { type: 'progress'; stage: Stage; done: number; total: number }
  | { type: 'ready'; seconds: number; version: string }
  | { type: 'failed'; message: string; code: FailureCode }
  | { type: 'response'; id: number; status: number; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> }
  | { type: 'frame'; connection: number; text: string };
