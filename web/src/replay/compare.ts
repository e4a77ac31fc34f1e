// A turn as it was played beside what was possible.

import type { Tile } from '../api/types';
import type { MeldView, ReplayStep, ReportTurn, TurnAnalysis } from '../api/generated/http';

export type Verdict = 'best' | 'better' | 'held';

/** Whether a turn could have been better; `held` if nothing was laid though something could be. */
export function verdict(turn: TurnAnalysis): Verdict {
  if (turn.best_laid === turn.laid && turn.best_points === turn.points) return 'best';
  return turn.laid === 0 ? 'held' : 'better';
}

export type Coached = Verdict | 'strong' | 'mistake';

/** The same with what the coach says: to hold as a strong player does is no missed play. */
export function coached(turn: TurnAnalysis, told: ReportTurn | undefined): Coached {
  if (told?.verdict === 'mistake') return 'mistake';
  const most = verdict(turn);
  return told?.verdict === 'strong' && most !== 'best' ? 'strong' : most;
}

export interface BetterTable {
  readonly table: Tile[][];
  readonly melds: MeldView[];
  readonly changed: Tile[];
}

/** The table that was possible in a turn, with the tiles that would have come from the rack marked. */
export function betterTable(turn: TurnAnalysis, steps: readonly ReplayStep[], seat: number, layingOff: boolean): BetterTable {
  const best = turn.best_table ?? [];
  const before = beforeTurn(turn.step, steps, seat);
  const old = new Set([...(before?.table ?? []).flat(), ...(before?.melds ?? []).flatMap((meld) => meld.tiles)]);
  const changed = best.flat().filter((tile) => !old.has(tile));
  if (!layingOff) return { table: best, melds: [], changed };
  const melds = best.map((tiles, index) => {
    const lay = before?.melds[index];
    // Only a tile that stays in its meld keeps its holder: a claimed joker is the claimer's.
    const holders = tiles.map((tile) => lay?.holders[lay.tiles.indexOf(tile)] ?? seat);
    return { tiles, owner: lay?.owner ?? seat, holders };
  });
  return { table: [], melds, changed };
}

/** The step before a turn that ended at `step`: the last one that was not this player's. */
export function beforeTurn(step: number, steps: readonly ReplayStep[], seat: number): ReplayStep | null {
  let index = step;
  while (index > 0 && steps[index]?.seat === seat) index--;
  return steps[index] ?? null;
}
