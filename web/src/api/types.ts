/** Short names for what the generated types spell out. */
import type { Command } from './generated/live';

/** One physical piece; what is printed on it stands in `BookCard.tiles`. */
export type Tile = number;
/** The value of a house option. */
export type Choice = string | number | boolean;
/** A command without the id that `live` gives it. */
export type Unsent = Command extends infer One ? (One extends Command ? Omit<One, 'id'> : never) : never;
