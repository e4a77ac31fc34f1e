/** Championships over HTTP, with the key that this browser keeps. */
import { settings } from '../ui/settings.svelte';
import type {
  AdoptedChampionship,
  Bind,
  Bounds,
  Changes,
  ChampionshipCard,
  ChampionshipOpened,
  ChampionshipPage,
  Command,
  CommandRequest,
  Desk,
  Done,
  DrawPage,
  FormatPreview,
  FormatQuestion,
  KeyMade,
  LeagueMade,
  LeaguePage,
  NewChampionship,
  NewClubNight,
  OutboxAnswers,
  PersonalLink,
  PersonPage,
  PhotoKept,
  PileAnswer,
  PlayedGame,
  Preview,
  PrintingState,
  Question,
  Role,
  Ruled,
  SheetPlace,
  TablePage,
} from './generated/http';
import { part, request, requestJson, type RequestOptions } from './http';

const ROOT = '/championships';

/** A new id for a command. Halls have no https, and without it a browser has no randomUUID. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(15));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const query = (): { language: string } => ({ language: settings.language });

export const championships = {
  list: (): Promise<ChampionshipCard[]> => requestJson('GET', ROOT, { query: query() }),
  open: (body: NewChampionship): Promise<ChampionshipOpened> => requestJson('POST', ROOT, { query: query(), body }),
  openClubNight: (body: NewClubNight): Promise<ChampionshipOpened> =>
    requestJson('POST', `${ROOT}/club-night`, { query: query(), body }),
  previewFormat: (body: FormatQuestion): Promise<FormatPreview> => requestJson('POST', `${ROOT}/format`, { query: query(), body }),
  printing: (): Promise<PrintingState> => requestJson('GET', `${ROOT}/printing`, { query: query() }),
  restore: (body: AdoptedChampionship): Promise<ChampionshipOpened> =>
    requestJson('POST', `${ROOT}/adopt`, { query: query(), body }),
};

export const leagues = {
  make: (toml: string): Promise<LeagueMade> => requestJson('POST', `${ROOT}/leagues`, { query: query(), body: { toml } }),
  page: (code: string, class_id = ''): Promise<LeaguePage> =>
    requestJson('GET', `${ROOT}/leagues/${part(code)}`, { query: { ...query(), ...(class_id && { class: class_id }) } }),
  add: (code: string, event: string, key: string): Promise<void> =>
    requestJson('POST', `${ROOT}/leagues/${part(code)}/events`, { query: query(), body: { code: event }, key }),
  remove: (code: string, event: string, key: string): Promise<void> =>
    requestJson('DELETE', `${ROOT}/leagues/${part(code)}/events/${part(event)}`, { query: query(), key }),
};

export type CommandOptions = Partial<Omit<CommandRequest, 'command' | 'preview'>>;

/** Everything that can be asked of one championship, with one key. */
export class ChampionshipApi {
  readonly #root: string;
  readonly #options: RequestOptions;

  /** With `patience`, a network that is silent for so many milliseconds counts as none. */
  constructor(code: string, key = '', patience?: number) {
    this.#root = `${ROOT}/${part(code)}`;
    this.#options = { key, ...(patience !== undefined && { patience }) };
  }

  #with({ query: more, ...options }: RequestOptions = {}): RequestOptions {
    return { ...this.#options, ...options, query: { ...query(), ...more } };
  }

  #send(method: string, path: string, options?: RequestOptions): Promise<Response> {
    return request(method, this.#root + path, this.#with(options));
  }

  #get<Answer>(path: string, options?: RequestOptions): Promise<Answer> {
    return requestJson('GET', this.#root + path, this.#with(options));
  }

  #post<Answer>(path: string, body: object, options?: RequestOptions): Promise<Answer> {
    return requestJson('POST', this.#root + path, this.#with({ ...options, body }));
  }

  /** Files may take longer than answers. */
  #slowly(): RequestOptions {
    const { patience } = this.#options;
    return patience === undefined ? {} : { patience: 4 * patience };
  }

  page = (): Promise<ChampionshipPage> => this.#get('', { key: '' });
  person = (number: number): Promise<PersonPage> => this.#get(`/people/${number}`);
  draw = (stage: string): Promise<DrawPage> => this.#get(`/draws/${part(stage)}`);
  bounds = (stage: string): Promise<Record<string, Bounds>> => this.#get(`/bounds/${part(stage)}`);
  sheet = (code: string): Promise<SheetPlace> => this.#get(`/sheets/${part(code)}`);
  desk = (): Promise<Desk> => this.#get('/desk');
  /** It waits while the server fetches what papers take. */
  preparePrinting = (): Promise<PrintingState> => requestJson('POST', `${this.#root}/printing`, this.#with({ patience: 60_000 }));
  table = (table: number): Promise<TablePage> => this.#get(`/tables/${table}`);

  /** The version, as soon as it is later than `since`; at the latest after `wait` seconds. */
  changes = (since: number, wait: number, signal: AbortSignal): Promise<Changes> => {
    const { patience } = this.#options;
    const longer = patience === undefined ? {} : { patience: wait * 1000 + patience };
    return this.#get('/changes', { query: { since, wait }, signal, ...longer });
  };

  perform = (command: Command, options: CommandOptions = {}): Promise<Done> =>
    this.#post('/commands', { id: newId(), ...options, command });
  preview = (command: Command, options: CommandOptions = {}): Promise<Preview> =>
    this.#post('/commands', { id: newId(), ...options, command, preview: true });
  outbox = (commands: CommandRequest[]): Promise<OutboxAnswers> => this.#post('/outbox', { commands });
  pile = (first: PlayedGame[], second: PlayedGame[]): Promise<PileAnswer> => this.#post('/piles', { first, second });
  ruling = (question: Question): Promise<Ruled> => this.#post('/rulings', question);
  bind = (table: number, body: Bind): Promise<Done> => this.#post(`/tables/${table}/bind`, body);

  makeKey = (role: Role, label: string, table: number | null): Promise<KeyMade> =>
    this.#post('/keys', { role, label, table });
  setPin = async (referee: string, pin: string): Promise<void> =>
    void (await this.#send('POST', '/pins', { body: { referee, pin } }));
  removePin = async (referee: string): Promise<void> => void (await this.#send('DELETE', `/pins/${part(referee)}`));
  revokeKey = async (id: string): Promise<void> => void (await this.#send('DELETE', `/keys/${part(id)}`));

  /** The personal links of everybody, for a championship that is played online. */
  links = (): Promise<PersonalLink[]> => this.#get('/links');
  renewLink = (number: number): Promise<PersonalLink> => this.#post(`/links/${number}/renew`, {});

  sendPhoto = (picture: Blob): Promise<PhotoKept> => this.#post('/photos', picture, this.#slowly());
  photo = async (id: string): Promise<Blob> => (await this.#send('GET', `/photos/${part(id)}`)).blob();

  /** A file that needs the key, with the name that the server gives it. */
  async file(path: string, query: RequestOptions['query'] = {}): Promise<{ name: string; data: Blob }> {
    const response = await this.#send('GET', path, { ...this.#slowly(), query });
    const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '');
    return { name: named?.[1] ?? 'meldroom', data: await response.blob() };
  }

  /** A QR code as a picture's address; the key after the # goes in the body, so that no log ever has it. */
  async qr(path: string): Promise<string> {
    const response = await this.#send('POST', '/qr.svg', { key: '', body: { path } });
    return `data:image/svg+xml,${part(await response.text())}`;
  }

  /** The whole log, entry by entry. */
  async log<Entry>(): Promise<Entry[]> {
    const { data } = await this.file('/log');
    const lines = (await data.text()).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Entry);
  }
}
