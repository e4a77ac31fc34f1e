/**
 * What this device has done and the laptop does not know yet: kept until it is answered, sent in order, never dropped.
 *
 * The same id is never done twice by the server, so a batch whose answer was lost is simply sent again.
 */
import type { CommandRequest, OutboxAnswer, OutboxAnswers } from '../../../api/generated/http';

export interface Entry {
  /** Its place in the queue; the store gives it. */
  seq: number;
  event: string;
  /** The table's device that made it; null for a page that is bound to no table. */
  table: number | null;
  request: CommandRequest;
  /** When it was done, by this device's clock. */
  at: number;
  /** A photo that must be sent before the command that names it. */
  picture?: Blob;
  /** Refused: it waits for a person now, not for the network. */
  answer?: OutboxAnswer;
}

/** An entry as this version has it: version 0.1 called the command of a request its act. */
export function upgraded(entry: Entry): Entry {
  const { act, ...request } = entry.request as CommandRequest & { act?: CommandRequest['command'] };
  return act ? { ...entry, request: { ...request, command: act } } : entry;
}

/** Where entries are stored. */
export interface OutboxStore {
  all(event: string, table: number | null): Promise<Entry[]>;
  add(entry: Omit<Entry, 'seq'>): Promise<Entry>;
  put(entry: Entry): Promise<void>;
  remove(seq: number): Promise<void>;
}

/** How entries leave; both reject when the laptop cannot be reached. */
export interface Carrier {
  outbox(commands: CommandRequest[]): Promise<OutboxAnswers>;
  sendPhoto(picture: Blob): Promise<{ photo: string }>;
}

const MOST = 100;
/** Refusals that are about the device and not about the command: the commands wait until it is bound again. */
const OF_THE_DEVICE = ['not_bound', 'table_taken', 'key_needed', 'key_revoked', 'wrong_key'];
/** What was asked for is so already. */
const SO_ALREADY = ['clock_runs', 'clock_paused', 'call_answered'];

export interface Flushed {
  /** Commands that are written down now. */
  done: OutboxAnswer[];
  /** Commands that were refused and wait for a person. */
  refused: Entry[];
  /** Why the rest waits although the laptop answers. */
  blocked: OutboxAnswer | null;
}

const isLater = (status: number): boolean => status === 429 || status >= 500;

/** Send everything that waits. Rejects when the laptop is out of reach: then everything waits on. */
export async function flush(store: OutboxStore, carrier: Carrier, event: string, table: number | null): Promise<Flushed> {
  const flushed: Flushed = { done: [], refused: [], blocked: null };
  while (flushed.blocked === null) {
    const waiting = (await store.all(event, table)).filter((entry) => !entry.answer);
    if (!waiting.length) break;
    if (waiting[0].picture) {
      await store.put(await withPhoto(waiting[0], waiting[0].picture, carrier));
      continue;
    }
    const pictured = waiting.findIndex((entry) => entry.picture);
    const batch = waiting.slice(0, Math.min(MOST, pictured < 0 ? waiting.length : pictured));
    const { answers } = await carrier.outbox(batch.map((entry) => entry.request));
    for (const answer of answers) await settle(store, batch, answer, flushed);
    if (!answers.length) break;
  }
  return flushed;
}

async function withPhoto(entry: Entry, picture: Blob, carrier: Carrier): Promise<Entry> {
  const { photo } = await carrier.sendPhoto(picture);
  const { picture: _, ...rest } = entry;
  return { ...rest, request: { ...entry.request, command: { ...entry.request.command, photo } as CommandRequest['command'] } };
}

async function settle(store: OutboxStore, batch: Entry[], answer: OutboxAnswer, flushed: Flushed): Promise<void> {
  const entry = batch.find((one) => one.request.id === answer.id);
  if (!entry) return;
  const code = answer.error?.code ?? '';
  if (answer.status === 200 || SO_ALREADY.includes(code)) {
    await store.remove(entry.seq);
    flushed.done.push(answer);
  } else if (isLater(answer.status) || OF_THE_DEVICE.includes(code)) {
    flushed.blocked ??= answer;
  } else {
    const refused = { ...entry, answer };
    await store.put(refused);
    flushed.refused.push(refused);
  }
}
