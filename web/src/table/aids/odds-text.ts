// The odds that the server gives, line by line.

import type { Prospect } from '../../api/generated/live';
import { t } from '../../locales/table';
import { percent } from '../../ui/format';
import type { Position } from '../model/position-model.svelte';

export interface OddsLine {
  readonly label: string;
  readonly text: string;
  /** Tiles that would do it. */
  readonly faces: readonly string[];
}

/** Opening, unless that is done, and going out: now, and with one more tile. */
export function oddsLines(model: Pick<Position, 'odds' | 'layingOff' | 'game'>): readonly OddsLine[] {
  const { odds, game } = model;
  if (odds === null || odds === 'asked' || game === null) return [];
  const goals = [...(odds.open === null ? [] : [{ goal: 'open', prospect: odds.open } as const]), { goal: 'out', prospect: odds.out } as const];
  return goals.flatMap(({ goal, prospect }) => {
    if (!model.layingOff) return [now(t(`odds.${goal}.now`), prospect), draw(t(`odds.${goal}.draw`), prospect, game.pool_size === 0)];
    const name = goal === 'open' ? 'board' : 'out';
    if (game.phase === 'take') {
      return [...(game.discards.length > 0 ? [now(t(`odds.${name}.discard`), prospect)] : []), draw(t(`odds.${name}.stock`), prospect, false)];
    }
    return [now(t(`odds.${name}.now`), prospect), { label: t(`odds.${name}.next`), text: t('odds.discard_first'), faces: [] }];
  });
}

function now(label: string, { now: can }: Prospect): OddsLine {
  return { label, text: t(can === null ? 'odds.unknown' : can ? 'odds.yes' : 'odds.no'), faces: [] };
}

function draw(label: string, { draw: chance }: Prospect, empty: boolean): OddsLine {
  if (chance === null) return { label, text: t(empty ? 'odds.no_pool' : 'odds.unknown'), faces: [] };
  const { good, unseen, faces } = chance;
  const text = t('odds.chance', { percent: percent(good, unseen), good, count: unseen });
  return { label, text, faces };
}
