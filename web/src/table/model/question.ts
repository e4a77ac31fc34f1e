// What is asked before something that cannot be taken back, and the two answers.

import { t } from '../../locales/table';
import type { Position } from './position-model.svelte';

export interface Asked {
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** The question that is open; null if there is none. */
export function askedOf(model: Position): Asked | null {
  const { asking } = model;
  if (asking === null) return null;
  if (asking === 'resign') {
    const text = model.lastRival === null ? t('ask.resign_more') : t('ask.resign', { name: model.names[model.lastRival] ?? '' });
    return { text, yes: t('ask.resign.yes'), no: t('ask.stay') };
  }
  const declared = model.asDrawn ? t('ask.declare_as_drawn') : t('ask.declare', { count: model.book.penalty_tiles });
  const text = asking === 'declare' ? declared : t(`ask.${asking}`);
  return { text, yes: t(`ask.${asking}.yes`), no: t(asking === 'take_back' ? 'ask.take_back.no' : 'ask.no') };
}
