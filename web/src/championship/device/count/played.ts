/** A counted game as the laptop is told it. */
import type { BookForTable, SheetPlace } from '../../../api/generated/http';
import type { Played } from '../../../api/types';
import { endOf, type CountDraft } from '../../../referee/count/draft';

export function playedOf(draft: CountDraft, { stage, sitting, table }: SheetPlace, book: Pick<BookForTable, 'winner'>): Played {
  return { stage, sitting, table, game: draft.game, ...endOf(draft, book) };
}
