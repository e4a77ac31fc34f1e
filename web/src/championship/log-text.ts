/** An entry of the log in a line that people read: what was done, to whom, where, with what. */
import type { GameResult, StagePage } from '../api/generated/http';
import { t } from '../locales/championship';
import { People, scoresOf } from './format';import { localized } from '../ui/format';

const DOINGS = [
  'found',
  'adopt',
  'import_entrants',
  'add_entrant',
  'amend_entrant',
  'check_in',
  'decline',
  'no_show',
  'withdraw',
  'disqualify',
  'undo_status',
  'substitute',
  'announce_draw',
  'add_word',
  'reveal',
  'seat_sitting',
  'correct_seats',
  'enter_result',
  'sign_sheet',
  'correct_result',
  'void_game',
  'end_stage',
  'undo_void',
  'decide_tie',
  'close_stage',
  'penalise',
  'cancel_penalty',
  'settle_dispute',
  'announce_deals',
  'reveal_deals',
  'arrange',
  'record_payment',
  'set_pin',
  'erase_entrant',
  'opened',
  'set_options',
  'bind_table',
  'release_table',
  'call_referee',
  'answer_call',
  'pause_clock',
  'resume_clock',
  'extra_time',
  'note_expiry',
  'record_position',
  'note_photo',
  'set_countdown',
  'plan_sitting',
  'open_rooms',
  'begin_game',
  'game_stopped',
  'set_notice',
  'show_name',
  'clash',
  'settle_clash',
] as const;
type Doing = (typeof DOINGS)[number];

/** What was done, in two or three words. */
export const doing = (name: string): string => (DOINGS.includes(name as Doing) ? t(`do.${name as Doing}`) : name);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number';

/** What an action is about; what is not known of it is left out. */
export function about(written: object, people: People, stages: readonly StagePage[] = []): string {
  const action = written as Readonly<Record<string, unknown>>;
  const stageName = (id: string): string => {
    const found = stages.find((stage) => stage.id === id);
    return found ? localized(found.name) : id;
  };
  const told: string[] = [];
  if (isNumber(action.number)) told.push(people.name(action.number));
  const entrant = action.entrant as { name?: string } | undefined;
  if (entrant?.name) told.push(entrant.name);
  const by = action.by as { name?: string } | string | undefined;
  if (typeof by === 'object' && by.name) told.push(`→ ${by.name}`);
  if (Array.isArray(action.entrants)) told.push(t('log.people', { count: action.entrants.length }));
  if (isNumber(action.sitting) && isText(action.stage)) told.push(t('log.sitting', { stage: stageName(action.stage), sitting: action.sitting }));
  else if (isText(action.stage)) told.push(stageName(action.stage));
  if (isNumber(action.table)) told.push(t('table.of', { table: action.table }));
  if (isNumber(action.game)) told.push(t('game.of', { game: action.game }));
  const result = action.result as GameResult | undefined;
  if (result?.scores) told.push(scoresOf(result));
  if (Array.isArray(action.order)) told.push(people.names(action.order as number[]));
  for (const key of ['word', 'referee', 'kind', 'question', 'ruling', 'text', 'title', 'why', 'label', 'how', 'commitment', 'seed']) {
    const value = action[key];
    if (isText(value)) told.push(value);
  }
  if (Array.isArray(action.refused) && action.refused.length) {
    told.push(t('conflict.refused', { names: people.names(action.refused as number[]) }));
  }
  return told.join(' · ');
}
