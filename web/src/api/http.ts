/** HTTP: one way to send a request, errors as typed exceptions, and every route that is not a championship's. */
import type {
  Analysis,
  AskJudgement,
  AskPuzzle,
  BadLine,
  BestPlay,
  BookForTable,
  BookQuestion,
  Catalogue,
  ChangeMe,
  ChargeAnswer,
  ChargeQuestion,
  CheckAnswer,
  CheckRequest,
  Conflict,
  CountQuestion,
  CountedSheet,
  Credentials,
  Friends,
  GamePage,
  GameReasons,
  GameReport,
  HandOver,
  HowWeStand,
  Invitation,
  JudgedAttempt,
  LeftoversAnswer,
  LeftoversQuestion,
  Lobby,
  MatchedLevel,
  Me,
  MyProfile,
  MyRooms,
  NewPasskey,
  NewPassword,
  NewSession,
  NewSubscription,
  NewToken,
  NotationSets,
  OpenRoom,
  PasskeyCard,
  PasskeyChallenge,
  PasskeyOnly,
  PasskeyProof,
  PersonCard,
  PlayAgain,
  PositionAnswer,
  PositionPage,
  PositionQuestion,
  Problem,
  Profile,
  Proof,
  PushKey,
  PuzzleCard,
  PuzzleIds,
  PuzzleMenu,
  PuzzleProgress,
  PuzzleSolution,
  RoomLink,
  RoomOpened,
  RulesPage,
  SessionCard,
  SwitchedOff,
  SubscriptionCard,
  TokenCard,
  TurnStanding,
  Verification,
} from './generated/http';
import { ROOT, transport } from './transport';

/** The server said no: `message` is a sentence for people, in their language where the server knows it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The field that is wrong, or where in a text the mistake is. */
  readonly place: string;
  /** Both versions, where somebody else was there before. */
  readonly conflict: Conflict | null;
  /** The bad lines of a list. */
  readonly lines: BadLine[];

  constructor(status: number, { error, conflict, lines }: Problem) {
    super(error.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = error.code;
    this.place = error.place;
    this.conflict = conflict ?? null;
    this.lines = lines ?? [];
  }
}

/** The server was not reached, or what came was not from it. */
export class UnreachableError extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached.', { cause });
    this.name = 'UnreachableError';
  }
}

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface RequestOptions {
  query?: Query;
  /** Sent as JSON; a picture as it is. */
  body?: object;
  /** The key of a championship. */
  key?: string;
  signal?: AbortSignal;
  /** Milliseconds after which a silent network counts as none; unlimited if not given. */
  patience?: number;
}

/** A part of a path, safe whatever it holds. */
export const part = encodeURIComponent;

/** A path with its query; a value that is null or empty is left out. */
function pathWith(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value != null && value !== '');
  const parameters = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return path + (given.length ? `?${parameters.toString()}` : '');
}

/** The address of a route on the server. */
export const address = (path: string, query?: Query): string => ROOT + pathWith(path, query);

/** Send a request. Rejects with ApiError, or with UnreachableError. */
export async function request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query, body, key, signal, patience } = options;
  const control = new AbortController();
  const timer = patience === undefined ? undefined : setTimeout(() => control.abort(), patience);
  signal?.addEventListener('abort', () => control.abort(), { once: true });
  const isFile = body instanceof Blob;
  let response: Response;
  try {
    response = await transport.fetch(pathWith(path, query), {
      method,
      headers: {
        ...(key && { 'x-championship-key': key }),
        ...(body && { 'content-type': isFile ? body.type || 'image/jpeg' : 'application/json' }),
      },
      ...(body && { body: isFile ? body : JSON.stringify(body) }),
      ...((signal || patience) && { signal: control.signal }),
      ...(key && { cache: 'no-store' }),
    });
  } catch (cause) {
    throw new UnreachableError(cause);
  } finally {
    clearTimeout(timer);
  }
  if (response.ok) return response;
  const problem = await parsed<Partial<Problem>>(response);
  throw problem.error?.code ? new ApiError(response.status, problem as Problem) : new UnreachableError();
}

async function parsed<Answer>(response: Response): Promise<Answer> {
  try {
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as Answer;
  } catch (cause) {
    throw new UnreachableError(cause);
  }
}

/** Send a request whose answer is JSON. */
export async function requestJson<Answer>(method: string, path: string, options?: RequestOptions): Promise<Answer> {
  return parsed<Answer>(await request(method, path, options));
}

const get = <Answer>(path: string, query?: Query): Promise<Answer> =>
  requestJson('GET', path, query && { query });
const post = <Answer>(path: string, body: object = {}, query?: Query): Promise<Answer> =>
  requestJson('POST', path, { body, ...(query && { query }) });

export const api = {
  me: () => get<Me>('/me'),
  newSession: (body: NewSession) => post<Me>('/session', body),
  changeMe: (body: ChangeMe) => requestJson<Me>('PATCH', '/me', { body }),
  makeAccount: (body: Credentials) => post<Me>('/account', body),
  signIn: (body: Credentials) => post<Me>('/sign-in', body),
  signOut: () => post<unknown>('/sign-out'),
  signOutEverywhere: () => post<unknown>('/sign-out/everywhere'),
  sessions: () => get<SessionCard[]>('/sessions'),
  endSession: (id: string) => requestJson<unknown>('DELETE', `/sessions/${part(id)}`),
  changePassword: (body: NewPassword) => post<unknown>('/account/password', body),
  passkeys: () => get<PasskeyCard[]>('/passkeys'),
  passkeyToAdd: () => post<PasskeyChallenge>('/passkeys/challenge'),
  addPasskey: (body: NewPasskey) => post<PasskeyCard>('/passkeys', body),
  passkeyOnly: () => get<PasskeyOnly>('/account/passkey-only'),
  setPasskeyOnly: (body: PasskeyOnly) => requestJson<PasskeyOnly>('PUT', '/account/passkey-only', { body }),
  removePasskey: (id: string) => requestJson<unknown>('DELETE', `/passkeys/${part(id)}`),
  passkeyWanted: () => post<PasskeyChallenge>('/sign-in/passkey/challenge'),
  signInWithPasskey: (body: PasskeyProof) => post<Me>('/sign-in/passkey', body),
  prove: (body: Proof) => post<unknown>('/account/proof', body),
  proveByPasskey: (body: PasskeyProof) => post<unknown>('/account/proof/passkey', body),
  tokens: () => get<TokenCard[]>('/tokens'),
  newToken: (body: Partial<NewToken> & { label: string }) => post<TokenCard>('/tokens', body),
  revokeToken: (id: string) => requestJson<unknown>('DELETE', `/tokens/${part(id)}`),
  profile: () => get<MyProfile>('/profile'),
  person: (profile: string) => get<Profile>(`/people/${part(profile)}`),
  friends: () => get<Friends>('/friends'),
  /** By the name of an account, or by a profile; whoever has asked is accepted. */
  addFriend: (person: string) => post<HowWeStand>('/friends', { person }),
  removeFriend: (profile: string) => requestJson<unknown>('DELETE', `/friends/${part(profile)}`),
  block: (person: string) => post<HowWeStand>('/blocks', { person }),
  unblock: (profile: string) => requestJson<unknown>('DELETE', `/blocks/${part(profile)}`),
  invitations: () => get<Invitation[]>('/invitations'),
  decline: (room: string) => requestJson<unknown>('DELETE', `/invitations/${part(room)}`),
  invited: (room: string) => get<PersonCard[]>(`/rooms/${part(room)}/invitations`),
  invite: (room: string, person: string) => post<PersonCard[]>(`/rooms/${part(room)}/invitations`, { person }),
  playAgain: (body: Partial<PlayAgain>) => post<RoomOpened>('/rooms/again', body),
  pushKey: () => get<PushKey>('/push/key'),
  subscribe: (body: NewSubscription) => post<SubscriptionCard>('/push/subscriptions', body),
  unsubscribe: (id: string) => requestJson<unknown>('DELETE', `/push/subscriptions/${part(id)}`),

  catalogue: (language: string) => get<Catalogue>('/catalogue', { language }),
  bookPage: (book: string, language: string) => get<RulesPage>(`/books/${part(book)}/page`, { language }),
  comparison: (book: string, other: string, language: string) =>
    get<RulesPage>(`/books/${part(book)}/against/${part(other)}`, { language }),
  ruling: (id: string, language: string) => get<RulesPage>(`/rulings/${part(id)}`, { language }),

  openRoom: (body: OpenRoom) => post<RoomOpened>('/rooms', body),
  roomLink: (room: string) => get<RoomLink>(`/rooms/${part(room)}/link`),
  /** The link that others can open as a QR code, for the `src` of a picture. */
  roomLinkPicture: (room: string): string => `/api/v1/rooms/${part(room)}/link.svg`,
  lobby: () => get<Lobby>('/rooms'),
  switches: () => get<SwitchedOff>('/switches'),
  myRooms: () => get<MyRooms>('/rooms/mine'),
  match: (book: string) => get<MatchedLevel>('/match', { book }),

  game: (id: string, language: string) => get<GamePage>(`/games/${part(id)}`, { language }),
  verification: (id: string, language: string) => get<Verification>(`/games/${part(id)}/verification`, { language }),
  analysis: (id: string, seat: number, language: string) =>
    get<Analysis>(`/games/${part(id)}/analysis`, { seat, language }),
  report: (id: string, seat: number, language: string) => get<GameReport>(`/games/${part(id)}/report`, { seat, language }),
  reasons: (id: string, language: string) => get<GameReasons>(`/games/${part(id)}/reasons`, { language }),
  /** The text of the position after a step of a finished game. */
  stepText: async (id: string, step: number) => (await request('GET', `/games/${part(id)}/steps/${step}.txt`)).text(),

  /** Sets of tiles that somebody typed, as their faces. */
  notation: (text: string, book: string, language: string) => get<NotationSets>('/notation', { text, book, language }),
  position: (text: string, book: string, language: string) =>
    get<PositionPage>('/position', { text, book, language }),
  bestPlay: (text: string, book: string, language: string) =>
    post<BestPlay>('/position/best', { text, book }, { language }),
  /** A turn judged: of each set whether it may lie so, and how far an opening has come. */
  check: (turn: CheckRequest, language: string) =>
    post<CheckAnswer & { standing: TurnStanding }>('/check', turn, { language, standing: true }),

  /** Puzzles: chosen, judged, explained. */
  puzzles: {
    menu: (language: string) => get<PuzzleMenu>('/puzzles', { language }),
    daily: (date: string, language: string) => get<PuzzleCard>('/puzzles/daily', { date, language }),
    next: (body: AskPuzzle, language: string) => post<PuzzleCard>('/puzzles/next', body, { language }),
    row: (mode: 'streak' | 'round', seed: string) => get<PuzzleIds>('/puzzles/row', { mode, seed }),
    /** What an account has tried; what a browser kept before is handed over. */
    progress: () => get<PuzzleProgress>('/puzzles/progress'),
    handOver: (body: HandOver) => post<PuzzleProgress>('/puzzles/progress', body),
    card: (id: string, language: string) => get<PuzzleCard>(`/puzzles/${part(id)}`, { language }),
    solution: (id: string, language: string) => get<PuzzleSolution>(`/puzzles/${part(id)}/solution`, { language }),
    attempt: (id: string, body: AskJudgement, language: string) => post<JudgedAttempt>(`/puzzles/${part(id)}/attempt`, body, { language }),
  },

  /** The referee's tools. */
  referee: {
    book: (body: BookQuestion, language: string) => post<BookForTable>('/referee/book', body, { language }),
    position: (body: PositionQuestion, language: string) => post<PositionAnswer>('/referee/position', body, { language }),
    count: (body: CountQuestion, language: string) => post<CountedSheet>('/referee/count', body, { language }),
    charge: (body: ChargeQuestion, language: string) => post<ChargeAnswer>('/referee/charge', body, { language }),
    leftovers: (body: LeftoversQuestion, language: string) => post<LeftoversAnswer>('/referee/leftovers', body, { language }),
  },
};

/** Paths of what people save or look at as a file; see `fileOf`. */
export const files = {
  record: (id: string, form: 'text' | 'json') => pathWith(`/games/${part(id)}/record`, { form }),
  stepImage: (id: string, step: number, seat: number | null, dark: boolean, language: string) =>
    pathWith(`/games/${part(id)}/steps/${step}.svg`, { seat, dark: dark ? 1 : null, language }),
  positionImage: (text: string, book: string, dark: boolean, language: string) =>
    pathWith('/position.svg', { text, book, dark: dark ? 1 : null, language }),
};

/** Addresses that a link or an image uses as they are; only a server has them. */
export const addresses = {
  record: (...of: Parameters<typeof files.record>) => ROOT + files.record(...of),
  stepImage: (...of: Parameters<typeof files.stepImage>) => ROOT + files.stepImage(...of),
  positionImage: (...of: Parameters<typeof files.positionImage>) => ROOT + files.positionImage(...of),
};

/** A file with the name it is saved under, from the server or from this device: `fileOf(files.record(id, 'text'))`. */
export async function fileOf(path: string): Promise<File> {
  const response = await request('GET', path);
  const named = /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  const name = named ?? path.split('?')[0].split('/').pop() ?? 'file';
  return new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' });
}

/** An address for an image or a link to such a file; `release` it when nobody looks at it any more. */
export async function fileAddress(path: string): Promise<{ href: string; name: string; release: () => void }> {
  const file = await fileOf(path);
  const href = URL.createObjectURL(file);
  return { href, name: file.name, release: () => URL.revokeObjectURL(href) };
}
