/** Commands, scores and times in words. */
import type { BookForTable, Command } from '../../api/generated/http';
import { localized, when } from '../../ui/format';
import { t } from '../../locales/device';

export const timeOf = (time: string | number | null | undefined): string =>
  time === null || time === undefined || time === '' ? '' : when(typeof time === 'number' ? time : Date.parse(time));

const NAMED = {
  sign_sheet: 'act.sign_sheet',
  penalise: 'act.penalise',
  call_referee: 'act.call_referee',
  answer_call: 'act.answer_call',
  pause_clock: 'act.pause_clock',
  resume_clock: 'act.resume_clock',
  extra_time: 'act.extra_time',
  note_expiry: 'act.note_expiry',
  record_position: 'act.record_position',
  note_photo: 'act.note_photo',
  settle_dispute: 'act.settle_dispute',
} as const;

/** What a command is called in a list. */
export function commandName(command: Command): string {
  if (command.do === 'enter_result') return t('act.enter_result', { game: command.game });
  if (command.do === 'correct_result') return t('act.correct_result', { game: command.game });
  return command.do in NAMED ? t(NAMED[command.do as keyof typeof NAMED]) : t('act.other');
}

/** Where leftovers go, as far as a device knows it without the laptop. */
export const leftoversAlone = (book: BookForTable): string =>
  t(`leftovers.${book.leftovers as 'none' | 'rack' | 'under_pool'}`, { tiles: book.penalty_tiles });

/** The rules in one line, as a score sheet has them. */
export function rulesLine(book: BookForTable): string {
  const { unmelded: low, unmelded_able: high } = book;
  const parts = [t('rules.book', { book: localized(book.name) })];
  if (book.turn_seconds) parts.push(t('rules.turn', { seconds: book.turn_seconds }));
  parts.push(t('rules.joker', { joker: book.joker_value }));
  if (low) parts.push(high > low ? t('rules.unmelded', { low, high }) : t('rules.unmelded_one', { low }));
  return parts.join(' · ');
}
