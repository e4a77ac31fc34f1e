/** What a room has agreed on, in words. */
import { t } from '../locales/shell';
import type { Aid, Settings } from '../api/generated/live';
import type { Choice } from '../api/types';
import type { BookCard } from '../api/generated/http';

/** A choice of a book's option, as people say it. */
export function choiceText(choice: Choice): string {
  switch (choice) {
    case true:
      return t('choice.true');
    case false:
      return t('choice.false');
    case 'new_set':
    case 'any_set':
    case 'next':
    case 'drawer':
    case 'own_turns':
    case 'final_rack':
    case 'printed':
    case 'competition':
      return t(`choice.${choice}`);
    default:
      return String(choice);
  }
}

/** The time for a turn. */
export function clockText({ clock }: Pick<Settings, 'clock'>, book: Pick<BookCard, 'clock_seconds'> | undefined): string {
  if (clock.kind === 'hours') return t('waiting.agreed.clock.hours', { count: clock.amount });
  const seconds = clock.kind === 'seconds' ? clock.amount : clock.kind === 'book' ? (book?.clock_seconds ?? 0) : 0;
  if (!seconds) return t('waiting.agreed.clock.none');
  const time = t('waiting.agreed.clock.seconds', { count: seconds });
  return clock.extra ? t('waiting.agreed.clock.extra', { time, count: clock.extra }) : time;
}

/** The casual aids that a table allows now. */
export function aidsText(aids: readonly Aid[]): string {
  return aids.length === 0 ? t('waiting.agreed.aids.none') : aids.map((aid) => t(`aid.${aid}`)).join(', ');
}
