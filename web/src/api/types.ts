/** Short names for what the generated types spell out. */
import type { Action, Role, PlayedGame } from './generated/http';
import type { Command } from './generated/live';

/** One physical piece; what is printed on it stands in `BookCard.tiles`. */
export type Tile = number;
/** The value of a house option. */
export type Choice = string | number | boolean;
/** A command without the id that `live` gives it. */
export type Unsent = Command extends infer One ? (One extends Command ? Omit<One, 'id'> : never) : never;

/** A game as it was played: scores by seat, or racks by seat, which are counted by the book. */
export type Played = PlayedGame;

/** A line of the log as it lies on the disk. */
export interface LogEntry {
  number: number;
  time: string;
  author: string;
  role: Role;
  action: Action;
  reason: string;
}
