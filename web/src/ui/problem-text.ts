/** What went wrong, in a sentence that the visitor can do something with. */
import { t } from '../locales/shell';
import { ApiError, UnreachableError } from '../api/http';
import { Refusal } from '../api/live';

export function problemText(error: unknown): string {
  if (error instanceof ApiError || error instanceof Refusal) return error.message;
  if (error instanceof UnreachableError) return t('problem.unreachable');
  // A mistake of ours: the console has it, for whoever reports it.
  console.error(error);
  return t('problem.fault');
}
