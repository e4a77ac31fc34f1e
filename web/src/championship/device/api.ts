/** The events' half of the server, asked with a key; a dead network is noticed soon. */
import { EventError } from '../api';
import { ROOT, UnreachableError } from '../../api/http';
import type {
  ActRequest,
  Bind,
  Changes,
  Desk,
  Done,
  EventProblem,
  OutboxAnswers,
  PhotoKept,
  Preview,
  Question,
  Ruled,
  TablePage,
} from '../../api/events-protocol';
import { settings } from '../../ui/settings.svelte';

const PATIENCE = 10_000;
const LONG_POLL = 20;

export interface Asking {
  desk(): Promise<Desk>;
  table(table: number): Promise<TablePage>;
  changes(since: number, signal: AbortSignal): Promise<Changes>;
  bind(table: number, body: Bind): Promise<Done>;
  preview(request: ActRequest): Promise<Preview | Done>;
  outbox(acts: ActRequest[]): Promise<OutboxAnswers>;
  rule(question: Question): Promise<Ruled>;
  sendPhoto(picture: Blob): Promise<PhotoKept>;
  photo(id: string): Promise<Blob>;
  paper(file: string): Promise<Blob>;
}

/** Everything a device asks of one event. */
export function asking(code: string, key: string): Asking {
  const root = `${ROOT}/championships/${encodeURIComponent(code)}`;

  async function send(path: string, init: RequestInit = {}, patience = PATIENCE): Promise<Response> {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(), patience);
    init.signal?.addEventListener('abort', () => control.abort(), { once: true });
    const joint = path.includes('?') ? '&' : '?';
    let response: Response;
    try {
      response = await fetch(`${root}${path}${joint}language=${settings.language}`, {
        ...init,
        headers: { ...init.headers, ...(key && { 'X-Championship-Key': key }) },
        cache: 'no-store',
        signal: control.signal,
      });
    } catch (cause) {
      throw new UnreachableError(cause);
    } finally {
      clearTimeout(timer);
    }
    if (response.ok) return response;
    let problem: EventProblem | null = null;
    try {
      problem = (await response.json()) as EventProblem;
    } catch (cause) {
      throw new UnreachableError(cause);
    }
    if (!problem.error?.code) throw new UnreachableError();
    throw new EventError(response.status, problem);
  }

  async function json<Answer>(path: string, init?: RequestInit, patience?: number): Promise<Answer> {
    const response = await send(path, init, patience);
    try {
      return (await response.json()) as Answer;
    } catch (cause) {
      throw new UnreachableError(cause);
    }
  }

  const post = <Answer>(path: string, body: object): Promise<Answer> =>
    json<Answer>(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  return {
    desk: () => json<Desk>('/desk'),
    table: (table) => json<TablePage>(`/tables/${table}`),
    changes: (since, signal) =>
      json<Changes>(`/changes?since=${since}&wait=${LONG_POLL}`, { signal }, LONG_POLL * 1000 + PATIENCE),
    bind: (table, body) => post<Done>(`/tables/${table}/bind`, body),
    preview: ({ act: command, ...request }) => post<Preview | Done>('/commands', { ...request, command, preview: true }),
    outbox: (acts) =>
      post<OutboxAnswers>('/outbox', { commands: acts.map(({ act: command, ...rest }) => ({ ...rest, command })) }),
    rule: (question) => post<Ruled>('/rulings', question),
    sendPhoto: (picture) =>
      json<PhotoKept>(
        '/photos',
        { method: 'POST', body: picture, headers: { 'content-type': picture.type || 'image/jpeg' } },
        4 * PATIENCE,
      ),
    photo: async (id) => (await send(`/photos/${encodeURIComponent(id)}`)).blob(),
    paper: async (file) => (await send(`/papers/${encodeURIComponent(file)}`, {}, 4 * PATIENCE)).blob(),
  };
}
