// What these pages ask of the server besides the shell's own list: positions and a turn's standing.

import { ApiError, ROOT, UnreachableError } from '../api/http';
import type { WireError } from '../api/generated/live';
import type { Choice, Tile } from '../api/types';
import type { CheckAnswer, CheckRequest, MeldView } from '../api/protocol';

export interface PositionPage {
  book: string;
  options: Record<string, Choice>;
  text: string;
  table: Tile[][];
  melds: MeldView[];
  racks: Tile[][];
  pool: number;
  discards: Tile[];
  seat: number | null;
  moment: 'turn' | 'discard' | 'take' | 'play' | 'none';
  melded: boolean[];
}

export interface BestPlay {
  seat: number;
  played: Tile[];
  tiles: number;
  points: number;
  table: Tile[][];
  owners: number[];
  discard: Tile | null;
  optimal: boolean;
  text: string;
  steps: string[];
}

/** Of each set whether it may lie so, and how far an opening has come. */
export interface Standing {
  marks: boolean[];
  points: number;
  needed: number;
}

async function ask(path: string, body?: object): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(ROOT + path, {
      ...(body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  } catch (cause) {
    throw new UnreachableError(cause);
  }
  if (response.ok) return response;
  let error: WireError | undefined;
  try {
    error = ((await response.json()) as { error?: WireError }).error;
  } catch (cause) {
    throw new UnreachableError(cause);
  }
  throw error?.code ? new ApiError(response.status, error) : new UnreachableError();
}

const json = async <Answer>(path: string, body?: object): Promise<Answer> =>
  (await (await ask(path, body)).json()) as Answer;

const query = (values: Record<string, string | number | null | undefined>): string => {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value != null && value !== '') parts.set(name, String(value));
  return `?${parts.toString()}`;
};

export const position = (text: string, book: string, language: string): Promise<PositionPage> =>
  json(`/position${query({ text, book, language })}`);

export const bestPlay = (text: string, book: string, language: string): Promise<BestPlay> =>
  json(`/position/best${query({ language })}`, { text, book });

/** A turn checked, with its standing. */
export const judge = (turn: CheckRequest, language: string): Promise<CheckAnswer & { standing: Standing }> =>
  json(`/check${query({ language, standing: 'true' })}`, turn);

/** The text of the position after a step of a finished game. */
export const stepText = async (game: string, step: number): Promise<string> =>
  (await ask(`/games/${encodeURIComponent(game)}/steps/${step}.txt`)).text();

export const stepPicture = (game: string, step: number, seat: number | null, dark: boolean, language: string): string =>
  `${ROOT}/games/${encodeURIComponent(game)}/steps/${step}.svg${query({ seat, dark: dark ? 1 : null, language })}`;

export const positionPicture = (text: string, book: string, dark: boolean, language: string): string =>
  `${ROOT}/position.svg${query({ text, book, dark: dark ? 1 : null, language })}`;
