/** The HTTP half of the server, with its errors as typed exceptions. */
import type { WireError } from './generated/live';
import type { Analysis, BlockPage, Catalogue, CheckAnswer, CheckRequest, Credentials, GamePage, Lobby, Me, MyRooms, OpenRoom, RoomCard, RoomOpened, TokenCard, Verification } from './protocol';

export const ROOT = '/api/v1';

/** The server said no: `message` is a sentence for people, in their language where the server knows it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly place: string;
  readonly retryAfterMs: number | null;

  constructor(status: number, error: WireError) {
    super(error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code;
    this.place = error.place ?? '';
    this.retryAfterMs = error.retry_ms ?? null;
  }
}

/** The server was not reached, or what came was not from it. */
export class UnreachableError extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'UnreachableError';
  }
}

async function refusal(response: Response): Promise<ApiError | UnreachableError> {
  try {
    const body = (await response.json()) as { error?: WireError };
    if (body.error?.code) return new ApiError(response.status, body.error);
  } catch (cause) {
    return new UnreachableError(cause);
  }
  return new UnreachableError();
}

type Body = object | undefined;

async function ask<Answer>(method: string, path: string, body?: Body): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(ROOT + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (cause) {
    throw new UnreachableError(cause);
  }
  if (!response.ok) throw await refusal(response);
  if (response.status === 204) return undefined as Answer;
  try {
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as Answer;
  } catch (cause) {
    throw new UnreachableError(cause);
  }
}

const get = <Answer>(path: string): Promise<Answer> => ask<Answer>('GET', path);
const post = <Answer>(path: string, body?: Body): Promise<Answer> => ask<Answer>('POST', path, body ?? {});

/** A part of a path, safe whatever it holds. */
const part = encodeURIComponent;

export const api = {
  me: () => get<Me>('/me'),
  newSession: (body: { name?: string; language: string }) => post<Me>('/session', body),
  changeMe: (body: { name?: string; language?: string }) => ask<Me>('PATCH', '/me', body),
  makeAccount: (body: Credentials) => post<Me>('/account', body),
  signIn: (body: Credentials) => post<Me>('/sign-in', body),
  signOut: () => post<unknown>('/sign-out'),
  tokens: () => get<TokenCard[]>('/tokens'),
  newToken: (label: string) => post<TokenCard>('/tokens', { label }),
  revokeToken: (id: string) => ask<unknown>('DELETE', `/tokens/${part(id)}`),

  catalogue: (language: string) => get<Catalogue>(`/catalogue?language=${language}`),
  bookPage: (book: string, language: string) => get<BlockPage>(`/books/${part(book)}/page?language=${language}`),
  comparison: (book: string, other: string, language: string) =>
    get<BlockPage>(`/books/${part(book)}/against/${part(other)}?language=${language}`),
  ruling: (id: string, language: string) => get<BlockPage>(`/rulings/${part(id)}?language=${language}`),

  openRoom: (body: OpenRoom) => post<RoomOpened>('/rooms', body),
  lobby: () => get<Lobby>('/rooms'),
  myRooms: () => get<MyRooms>('/rooms/mine'),
  room: (code: string) => get<RoomCard>(`/rooms/${part(code)}`),

  game: (id: string, language: string) => get<GamePage>(`/games/${part(id)}?language=${language}`),
  verification: (id: string, language: string) =>
    get<Verification>(`/games/${part(id)}/verification?language=${language}`),
  analysis: (id: string, seat: number, language: string) =>
    get<Analysis>(`/games/${part(id)}/analysis?seat=${seat}&language=${language}`),
  check: (body: CheckRequest, language: string) => post<CheckAnswer>(`/check?language=${language}`, body),
};

/** Addresses that a link or an image uses as they are. */
export const address = {
  record: (id: string, form: 'text' | 'json') => `${ROOT}/games/${part(id)}/record?form=${form}`,
  stepImage: (id: string, step: number) => `${ROOT}/games/${part(id)}/steps/${step}.svg`,
  positionImage: (text: string, book: string) => `${ROOT}/position.svg?text=${part(text)}&book=${part(book)}`,
};
