/** The outbox: in order, never twice, nothing dropped, and what meets another version waits for a person. */
import { expect, test } from 'vitest';

import type { CommandRequest, OutboxAnswer } from '../../../api/generated/http';
import { type Carrier, type Entry, flush, type OutboxStore, upgraded } from './outbox';

class Memory implements OutboxStore {
  entries: Entry[] = [];
  #next = 1;
  all = (event: string, table: number | null): Promise<Entry[]> =>
    Promise.resolve(this.entries.filter((one) => one.event === event && one.table === table));
  add = (entry: Omit<Entry, 'seq'>): Promise<Entry> => {
    const made = { ...entry, seq: this.#next++ };
    this.entries.push(made);
    return Promise.resolve(made);
  };
  put = (entry: Entry): Promise<void> => {
    this.entries = this.entries.map((one) => (one.seq === entry.seq ? entry : one));
    return Promise.resolve();
  };
  remove = (seq: number): Promise<void> => {
    this.entries = this.entries.filter((one) => one.seq !== seq);
    return Promise.resolve();
  };
}

type Verdict = { status: number; code?: string };

/** A laptop that remembers ids, as the real one does, and refuses what it is told to refuse. */
class Laptop implements Carrier {
  written: string[] = [];
  photos = 0;
  refuses = new Map<string, Verdict>();
  reachable = true;
  /** The answer is lost on its way back, once. */
  losesAnswer = false;

  outbox = (commands: CommandRequest[]): Promise<{ version: number; answers: OutboxAnswer[] }> => {
    if (!this.reachable) return Promise.reject(new Error('no network'));
    const answers = commands.map(({ id }): OutboxAnswer => {
      const { status, code } = this.refuses.get(id) ?? { status: 200 };
      if (status === 200 && !this.written.includes(id)) this.written.push(id);
      return { id, status, done: null, error: code ? { code, message: code, place: '' } : null, conflict: null, lines: null };
    });
    if (this.losesAnswer) {
      this.losesAnswer = false;
      return Promise.reject(new Error('lost'));
    }
    return Promise.resolve({ version: 1, answers });
  };
  sendPhoto = (): Promise<{ photo: string }> => {
    this.photos += 1;
    return Promise.resolve({ photo: 'f'.repeat(64) });
  };
}

async function filled(ids: string[], kept = new Memory()): Promise<Memory> {
  for (const id of ids) {
    await kept.add({ event: 'e', table: 1, at: 0, request: { id, command: { do: 'resume_clock', table: 1 } } });
  }
  return kept;
}

test('everything is sent in the order in which it was done', async () => {
  const kept = await filled(Array.from({ length: 250 }, (_, place) => `act-${place}`));
  const laptop = new Laptop();
  await flush(kept, laptop, 'e', 1);
  expect(laptop.written).toEqual(Array.from({ length: 250 }, (_, place) => `act-${place}`));
  expect(kept.entries).toEqual([]);
});

test('without the laptop everything waits', async () => {
  const kept = await filled(['one', 'two']);
  const laptop = new Laptop();
  laptop.reachable = false;
  await expect(flush(kept, laptop, 'e', 1)).rejects.toThrow();
  expect(kept.entries.map((entry) => entry.request.id)).toEqual(['one', 'two']);
});

test('a lost answer does nothing twice', async () => {
  const kept = await filled(['one', 'two']);
  const laptop = new Laptop();
  laptop.losesAnswer = true;
  await expect(flush(kept, laptop, 'e', 1)).rejects.toThrow();
  expect(kept.entries).toHaveLength(2);
  await flush(kept, laptop, 'e', 1);
  expect(laptop.written).toEqual(['one', 'two']);
  expect(kept.entries).toEqual([]);
});

test('what is refused waits for a person and holds nothing else up', async () => {
  const kept = await filled(['one', 'two', 'three']);
  const laptop = new Laptop();
  laptop.refuses.set('two', { status: 409, code: 'result_there' });
  const { refused } = await flush(kept, laptop, 'e', 1);
  expect(refused.map((entry) => entry.request.id)).toEqual(['two']);
  expect(kept.entries.map((entry) => [entry.request.id, entry.answer?.error?.code])).toEqual([['two', 'result_there']]);
  expect(laptop.written).toEqual(['one', 'three']);
  await flush(kept, laptop, 'e', 1);
  expect(kept.entries).toHaveLength(1);
});

test('a device that lost its table keeps its entries until it is bound again', async () => {
  const kept = await filled(['one', 'two']);
  const laptop = new Laptop();
  for (const id of ['one', 'two']) laptop.refuses.set(id, { status: 409, code: 'table_taken' });
  const { blocked } = await flush(kept, laptop, 'e', 1);
  expect(blocked?.error?.code).toBe('table_taken');
  expect(kept.entries.every((entry) => !entry.answer)).toBe(true);
  laptop.refuses.clear();
  await flush(kept, laptop, 'e', 1);
  expect(laptop.written).toEqual(['one', 'two']);
});

test('a laptop in trouble is asked again later', async () => {
  const kept = await filled(['one']);
  const laptop = new Laptop();
  laptop.refuses.set('one', { status: 503, code: 'not_written' });
  await flush(kept, laptop, 'e', 1);
  expect(kept.entries.map((entry) => entry.answer)).toEqual([undefined]);
});

test('a clock that stands already is no conflict', async () => {
  const kept = await filled(['one']);
  const laptop = new Laptop();
  laptop.refuses.set('one', { status: 409, code: 'clock_runs' });
  await flush(kept, laptop, 'e', 1);
  expect(kept.entries).toEqual([]);
});

test('a photo is sent before the command that names it, and in its place in the queue', async () => {
  const kept = await filled(['one']);
  await kept.add({
    event: 'e',
    table: 1,
    at: 0,
    picture: new Blob(['x']),
    request: { id: 'two', command: { do: 'note_photo', table: 1, photo: '' } },
  });
  await filled(['three'], kept);
  const laptop = new Laptop();
  const sent: CommandRequest[] = [];
  const carrier: Carrier = {
    sendPhoto: laptop.sendPhoto,
    outbox: (commands) => {
      sent.push(...commands);
      return laptop.outbox(commands);
    },
  };
  await flush(kept, carrier, 'e', 1);
  expect(sent.map((request) => request.id)).toEqual(['one', 'two', 'three']);
  expect(sent[1].command).toEqual({ do: 'note_photo', table: 1, photo: 'f'.repeat(64) });
  expect(laptop.photos).toBe(1);
});

test('other tables and events are left alone', async () => {
  const kept = await filled(['one']);
  await kept.add({ event: 'e', table: 2, at: 0, request: { id: 'other', command: { do: 'resume_clock', table: 2 } } });
  const laptop = new Laptop();
  await flush(kept, laptop, 'e', 1);
  expect(laptop.written).toEqual(['one']);
  expect(kept.entries).toHaveLength(1);
});

test('what version 0.1 left in the outbox is still sent', () => {
  const command = { do: 'resume_clock', table: 1 } as const;
  const old = { seq: 1, event: 'e', table: 1, at: 0, request: { id: 'one', act: command, reason: 'r' } } as unknown as Entry;
  expect(upgraded(old).request).toEqual({ id: 'one', command, reason: 'r' });
  expect(upgraded(upgraded(old))).toEqual(upgraded(old));
});
