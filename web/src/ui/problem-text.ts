/** What went wrong, in a sentence that the visitor can do something with. */
import { t } from '../locales/shell';
import { ApiError } from '../api/http';
import { Refusal } from '../api/live';

export function problemText(error: unknown): string {
  if (error instanceof ApiError || error instanceof Refusal) return error.message;
  return t('problem.unreachable');
}
