/**
 * The count at the end of a game, as it is being entered, and what a device can say of it by itself.
 *
 * The book counts, where the engine is; until it answers the same sums are made here. Whether somebody who never melded
 * could have is decided by the engine alone, so such a score stays open until then.
 */
import type { BookForTable, GoingOut, Rack, SeatLine } from '../../api/generated/http';
import { answerOf, isAnswered, unanswered, type LastDrawAnswer } from '../tiles/last-draw';
import { sumOf } from '../tiles/racks';

export interface RackDraft extends LastDrawAnswer {
  tiles: string[];
  melded: boolean;
  hadTurn: boolean;
  /** Nobody played in this seat. */
  absent: boolean;
}

/** Where one is in the count: how it ended, a seat's rack, the result. */
export type Step = 'end' | 'result' | number;

export interface CountDraft {
  game: number;
  /** The seat that went out, "pool" if nobody did; null until it is said. */
  end: number | 'pool' | null;
  racks: RackDraft[];
  goingOut: GoingOut | null;
  winnerTiles: string[];
}

export const emptyRack = (absent = false): RackDraft => ({
  ...unanswered(),
  tiles: [],
  melded: true,
  hadTurn: true,
  absent,
});

export function emptyDraft(game: number, seats: readonly Pick<SeatLine, 'out'>[]): CountDraft {
  return { game, end: null, racks: seats.map((seat) => emptyRack(seat.out)), goingOut: null, winnerTiles: [] };
}

/** Everything entered anywhere: what the limits of the box are about. */
export function entered(draft: CountDraft): string[] {
  return [...draft.racks.flatMap((rack) => (rack.absent ? [] : rack.tiles)), ...draft.winnerTiles];
}

/** Seats whose racks are counted, in order. */
export function countedSeats(draft: CountDraft): number[] {
  return draft.racks.flatMap((rack, seat) => (rack.absent || seat === draft.end ? [] : [seat]));
}

/** The first seat whose rack is still missing; null if the count is whole. */
export function missingSeat(draft: CountDraft): number | null {
  return countedSeats(draft).find((seat) => draft.racks[seat].tiles.length === 0) ?? null;
}

/** Whether a book charges one amount or another by what was drawn last. */
export function drawDecides(book: Pick<BookForTable, 'unmelded' | 'unmelded_able' | 'charge_test'>): boolean {
  return book.unmelded > 0 && book.unmelded_able > book.unmelded && book.charge_test === 'own_turns';
}

/** The first seat for which the last draw is still to be answered; null if none is. */
export function unansweredSeat(draft: CountDraft, book: BookForTable): number | null {
  if (!drawDecides(book)) return null;
  const open = ({ melded, hadTurn, ...answer }: RackDraft): boolean => !melded && hadTurn && !isAnswered(answer, true);
  return countedSeats(draft).find((seat) => open(draft.racks[seat])) ?? null;
}

export function isWhole(draft: CountDraft, book: BookForTable): boolean {
  if (draft.end === null || missingSeat(draft) !== null || unansweredSeat(draft, book) !== null) return false;
  return book.winner !== 'own_tiles' || draft.end === 'pool' || (draft.goingOut !== null && draft.winnerTiles.length > 0);
}

/** The racks as they are sent, by seat. */
export function racksOf(draft: CountDraft): (Rack | null)[] {
  return draft.racks.map((rack, seat): Rack | null => {
    if (rack.absent) return null;
    if (seat === draft.end) return {};
    if (rack.melded) return { tiles: rack.tiles };
    return {
      tiles: rack.tiles,
      melded: false,
      ...answerOf(rack),
      ...(!rack.hadTurn && { had_turn: false }),
    };
  });
}

export interface Ended {
  racks: (Rack | null)[];
  winner: number | null;
  going_out?: GoingOut | null;
  winner_tiles?: string[];
}

/** The end of a game as it is sent to be counted. */
export function endOf(draft: CountDraft, book: Pick<BookForTable, 'winner'>): Ended {
  const winner = draft.end === 'pool' ? null : draft.end;
  const own = book.winner === 'own_tiles' && winner !== null;
  return { racks: racksOf(draft), winner, ...(own && { going_out: draft.goingOut, winner_tiles: draft.winnerTiles }) };
}

export interface EstimatedLine {
  seat: number;
  /** What the tiles on the rack count. */
  count: number;
  /** What the seat pays or takes; null while only the engine can tell. */
  score: number | null;
  /** Pays one charge or another: which, is for the engine. */
  open: boolean;
}

/** The scores as far as the book's numbers alone tell them. */
export function estimate(book: BookForTable, draft: CountDraft): EstimatedLine[] {
  const seats = draft.racks.flatMap((rack, seat) => (rack.absent ? [] : [seat]));
  const amounts = new Map(seats.map((seat) => [seat, amountOf(book, draft, seat)]));
  const open = seats.some((seat) => amounts.get(seat) === null);
  const amount = (seat: number): number => amounts.get(seat) ?? 0;
  const scores = open ? null : draft.end === 'pool' ? exhausted(book, draft, seats, amount) : wentOut(book, draft, seats, amount);
  return seats.map((seat) => ({
    seat,
    count: sumOf(book, draft.racks[seat].tiles),
    score: scores?.get(seat) ?? (scores === null && seat !== draft.end && amounts.get(seat) !== null && draft.end !== 'pool' ? -amount(seat) : null),
    open: amounts.get(seat) === null,
  }));
}

function amountOf(book: BookForTable, draft: CountDraft, seat: number): number | null {
  const rack = draft.racks[seat];
  if (seat === draft.end) return 0;
  if (rack.melded || !book.unmelded) return sumOf(book, rack.tiles);
  return book.unmelded_able && book.unmelded_able !== book.unmelded ? null : book.unmelded;
}

type Amount = (seat: number) => number;

function wentOut(book: BookForTable, draft: CountDraft, seats: number[], amount: Amount): Map<number, number> | null {
  // What a winner's own tiles earn beyond their sum is in the book.
  if (book.winner !== 'opponents') return null;
  const total = seats.reduce((sum, seat) => sum + amount(seat), 0);
  return new Map(seats.map((seat) => [seat, seat === draft.end ? total : -amount(seat)]));
}

function exhausted(book: BookForTable, draft: CountDraft, seats: number[], amount: Amount): Map<number, number> {
  if (book.exhausted === 'all_minus') return new Map(seats.map((seat) => [seat, -amount(seat)]));
  const melded = seats.filter((seat) => draft.racks[seat].melded);
  const eligible = book.exhausted_unopened === 'counts' || !melded.length ? seats : melded;
  const smallest = Math.min(...eligible.map(amount));
  const winners = eligible.filter((seat) => amount(seat) === smallest);
  const lost = (seat: number): number => Math.max(0, amount(seat) - smallest);
  const total = seats.reduce((sum, seat) => sum + lost(seat), 0);
  const share = book.exhausted === 'differences' ? Math.floor(total / winners.length) : 0;
  return new Map(seats.map((seat) => [seat, winners.includes(seat) ? share : 0 - lost(seat)]));
}
