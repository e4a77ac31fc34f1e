/** An event over HTTP: requests with the key that this browser keeps, refusals with both versions beside them. */
import { ApiError, ROOT, UnreachableError } from '../api/http';
import type {
  Act,
  ActRequest,
  AdoptedEvent,
  BadLine,
  Bind,
  Bounds,
  Changes,
  Conflict,
  Desk,
  Done,
  DrawPage,
  EventCard,
  EventOpened,
  EventPage,
  KeyCard,
  KeyMade,
  NewEvent,
  OutboxAnswers,
  PersonalLink,
  PersonPage,
  PileAnswer,
  Played,
  Preview,
  Question,
  Role,
  Ruled,
  SheetPlace,
  TablePage,
} from '../api/events-protocol';
import type { WireError } from '../api/generated/live';
import { settings } from '../ui/settings.svelte';

/** The event said no, perhaps with both versions of a conflict, or with the bad lines of a list. */
export class EventError extends ApiError {
  readonly conflict: Conflict | null;
  readonly lines: BadLine[];

  constructor(status: number, body: { error: WireError; conflict?: Conflict | null; lines?: BadLine[] | null }) {
    super(status, body.error);
    this.name = 'EventError';
    this.conflict = body.conflict ?? null;
    this.lines = body.lines ?? [];
  }
}

/** A new id for an act. Halls have no https, and without it a browser has no randomUUID. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const part = encodeURIComponent;

function refusal(status: number, text: string): Error {
  try {
    const body = JSON.parse(text) as { error?: WireError };
    if (body.error?.code) return new EventError(status, { ...body, error: body.error });
  } catch {
    // Not from our server.
  }
  return new UnreachableError();
}

async function send(
  method: string,
  path: string,
  { key = '', body, signal }: { key?: string; body?: object; signal?: AbortSignal } = {},
): Promise<Response> {
  const url = new URL(`${ROOT}/championships${path}`, location.origin);
  url.searchParams.set('language', settings.language);
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      headers: { ...(key && { 'x-championship-key': key }), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    throw new UnreachableError(cause);
  }
  if (!response.ok) throw refusal(response.status, await response.text());
  return response;
}

async function ask<Answer>(method: string, path: string, more: Parameters<typeof send>[2] = {}): Promise<Answer> {
  const response = await send(method, path, more);
  if (response.status === 204) return undefined as Answer;
  try {
    return (await response.json()) as Answer;
  } catch (cause) {
    throw new UnreachableError(cause);
  }
}

export const listEvents = (): Promise<EventCard[]> => ask('GET', '');
export const openEvent = (body: NewEvent): Promise<EventOpened> => ask('POST', '', { body });

export const adoptEvent = (body: AdoptedEvent): Promise<EventOpened> => ask('POST', '/adopt', { body });

export interface ActOptions {
  id?: string;
  seen?: number;
  reason?: string;
  by?: string;
  device?: string;
}

/** Everything that can be asked of one event, with one key. */
export class EventAsker {
  readonly #root: string;
  readonly #key: string;

  constructor(code: string, key = '') {
    this.#root = `/${part(code)}`;
    this.#key = key;
  }

  #get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return ask('GET', this.#root + path, { key: this.#key, ...(signal && { signal }) });
  }

  #post<Answer>(path: string, body: object): Promise<Answer> {
    return ask('POST', this.#root + path, { key: this.#key, body });
  }

  page = (): Promise<EventPage> => ask('GET', this.#root);
  person = (number: number): Promise<PersonPage> => this.#get(`/people/${number}`);
  draw = (stage: string): Promise<DrawPage> => this.#get(`/draws/${part(stage)}`);
  bounds = (stage: string): Promise<Record<string, Bounds>> => this.#get(`/bounds/${part(stage)}`);
  sheet = (code: string): Promise<SheetPlace> => this.#get(`/sheets/${part(code)}`);
  changes = (since: number, wait: number, signal: AbortSignal): Promise<Changes> =>
    this.#get(`/changes?since=${since}&wait=${wait}`, signal);
  desk = (): Promise<Desk> => this.#get('/desk');
  table = (table: number): Promise<TablePage> => this.#get(`/tables/${table}`);

  act = (act: Act, options: ActOptions = {}): Promise<Done> =>
    this.#post('/commands', { id: newId(), ...options, command: act });
  preview = (act: Act, options: ActOptions = {}): Promise<Preview> =>
    this.#post('/commands', { id: newId(), ...options, command: act, preview: true });
  outbox = (acts: ActRequest[]): Promise<OutboxAnswers> =>
    this.#post('/outbox', { commands: acts.map(({ act: command, ...rest }) => ({ ...rest, command })) });
  pile = (first: Played[], second: Played[]): Promise<PileAnswer> => this.#post('/piles', { first, second });
  ruling = (question: Question): Promise<Ruled> => this.#post('/rulings', question);
  bind = (table: number, body: Bind): Promise<Done> => this.#post(`/tables/${table}/bind`, body);

  keys = (): Promise<KeyCard[]> => this.#get('/keys');
  makeKey = (role: Role, label: string, table: number | null): Promise<KeyMade> =>
    this.#post('/keys', { role, label, table });
  revokeKey = (id: string): Promise<void> => ask('DELETE', `${this.#root}/keys/${part(id)}`, { key: this.#key });

  /** The personal links of everybody, for an event that is played online. */
  links = (): Promise<PersonalLink[]> => this.#get('/links');
  renewLink = (number: number): Promise<PersonalLink> => this.#post(`/links/${number}/renew`, {});

  /** A file that needs the key, with the name that the server gives it. */
  async file(path: string): Promise<{ name: string; data: Blob }> {
    const response = await send('GET', this.#root + path, { key: this.#key });
    const said = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
    return { name: said?.[1] ?? 'meldroom', data: await response.blob() };
  }

  /** A QR code as a picture's address; the key after the # goes in the body, so that no log ever has it. */
  async qr(path: string): Promise<string> {
    const response = await send('POST', `${this.#root}/qr.svg`, { body: { path } });
    return `data:image/svg+xml,${part(await response.text())}`;
  }

  /** The whole log, entry by entry. */
  async log<Entry>(): Promise<Entry[]> {
    const { data } = await this.file('/log');
    const lines = (await data.text()).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Entry);
  }
}

/** Let the browser keep a file. */
export function keepFile(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}
