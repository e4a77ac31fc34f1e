// How a game ended, in words: the same on the final table and on the score sheet.

import { t } from '../../locales/table';
import type { TableModel } from '../model/table-model.svelte';

/** The names at some seats, in a row. */
export const namesOf = (model: TableModel, seats: readonly number[]): string => seats.map((seat) => model.names[seat] ?? '').join(', ');

/** Who won. */
export function headline(model: TableModel): string {
  const result = model.game?.result ?? null;
  const winners = result?.winners ?? [];
  if (result?.end === 'abandoned') return t(model.view.ended_because ? 'end.ended' : 'end.agreement');
  if (winners.length === 0) return t('end.nobody');
  if (winners.length === 1 && winners[0] === model.me) return t('end.win.mine');
  return t(winners.length === 1 ? 'end.win.other' : 'end.win.several', { names: namesOf(model, winners) });
}

/** Who gave up; with one's own name among several it is simply everybody else. */
function resigned(model: TableModel): string {
  const seats = model.game?.withdrawn.flatMap((out, seat) => (out ? [seat] : [])) ?? [];
  if (seats.length > 1) return t('end.resigned_all');
  return seats[0] === model.me ? t('end.resigned_mine') : t('end.resigned', { name: namesOf(model, seats) });
}

/** What ended the game. */
export function howItEnded(model: TableModel): string {
  const result = model.game?.result ?? null;
  if (result === null) return '';
  if (result.end === 'resigned') return resigned(model);
  const reason = model.view.ended_because;
  if (result.end === 'abandoned' && reason) return `${t('end.because', { reason })} ${t('end.abandoned')}`;
  if (result.end !== 'out') return t(result.end === 'exhausted' ? 'end.exhausted' : 'end.abandoned');
  const out = model.game?.rack_sizes.findIndex((size) => size === 0) ?? -1;
  const who = out >= 0 ? out : (result.winners[0] ?? 0);
  const said = who === model.me ? t('end.out_mine') : t('end.out', { name: model.names[who] ?? '' });
  return result.going_out === null ? said : `${said} ${t(`end.way.${result.going_out}`)}`;
}

/** Others who want to play again and wait for our answer; empty once we have given it. */
export function waitingForMe(model: TableModel): readonly number[] {
  const { agreed_next: agreed } = model.view;
  return model.me === null || agreed.includes(model.me) ? [] : agreed;
}
