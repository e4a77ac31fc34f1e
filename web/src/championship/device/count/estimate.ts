/** A result that waits for the laptop, in scores: as far as this device can tell them. */
import type { BookForTable, SeatLine } from '../../../api/generated/http';
import type { Played } from '../../../api/types';
import { estimate, type CountDraft } from '../../../referee/count/draft';
import { answerIn } from '../../../referee/tiles/last-draw';

/** Scores by seat; null while only the laptop can tell. */
export function estimateOfPlay(book: BookForTable, seats: readonly SeatLine[], played: Played): (number | null)[] | null {
  if (played.scores?.length) return played.scores;
  const draft: CountDraft = {
    game: played.game,
    end: played.winner ?? 'pool',
    racks: seats.map((_, seat) => {
      const rack = played.racks?.[seat] ?? null;
      const { tiles = [], melded = true, had_turn: hadTurn = true } = rack ?? {};
      return { ...answerIn(rack ?? {}), tiles, melded, hadTurn, absent: rack === null };
    }),
    goingOut: played.going_out ?? null,
    winnerTiles: played.winner_tiles ?? [],
  };
  const lines = estimate(book, draft);
  if (lines.some((line) => line.score === null)) return null;
  return seats.map((_, seat) => lines.find((line) => line.seat === seat)?.score ?? null);
}
