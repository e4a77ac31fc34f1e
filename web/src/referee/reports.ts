/** What a tool found, as plain text for a message, a score sheet or a dispute; tiles are in words. */
import type { BookForTable, ChargeAnswer, CountedSheet, Fault, LeftoversAnswer, Melds, Opening, SetRead } from '../api/generated/http';
import { t } from '../locales/referee';
import { localized, signed } from '../ui/format';
import type { CountDraft } from './count/draft';
import type { ChargeDraft, LeftoversDraft, PositionDraft } from './drafts';
import { inWords, namesOf } from './tiles/names';

type Book = Pick<BookForTable, 'id' | 'label' | 'name' | 'tiles'>;

/** What every check of a position answers; a championship's says less than the tools. */
export interface PositionRuled {
  legal: boolean;
  text: string;
  faults: Fault[];
  sets?: SetRead[];
  opening?: Opening | null;
  outcome?: string | null;
}
export type ChargeRuled = Pick<ChargeAnswer, 'points' | 'text' | 'clause' | 'ruling' | 'at_end' | 'at_last_turn'>;
export type LeftoversRuled = Pick<LeftoversAnswer, 'text' | 'clause' | 'ruling'>;

const cited = (clause: string, ruling: string): string => [clause, ruling].filter(Boolean).join(', ');

/** A sentence and where it stands: "… (WRC 11 #9, R20)". */
function told(book: Book, text: string, clause: string, ruling: string): string {
  const where = cited(clause, ruling);
  return inWords(text, book) + (where && ` (${where})`);
}

const line = (what: string, text: string): string => t('report.line', { what, text });

const tilesLine = (book: Book, what: string, tiles: readonly string[]): string =>
  line(what, tiles.length ? namesOf(tiles, book.id) : t('report.none'));

function setLines(book: Book, what: string, sets: readonly string[][]): string[] {
  if (!sets.length) return [line(what, t('report.none'))];
  return [line(what, ''), ...sets.map((set, place) => `  ${place + 1}. ${namesOf(set, book.id)}`)];
}

const headed = (book: Book, title: string, lines: readonly string[]): string =>
  [`${title} · ${localized(book.name)}`, ...lines.map((one) => one.trimEnd())].join('\n');

export function positionReport(book: Book, draft: PositionDraft, found: PositionRuled): string {
  const asked = draft.turn
    ? [
        ...setLines(book, t('turn.before'), draft.before),
        tilesLine(book, t('turn.rack'), draft.rack),
        ...setLines(book, t('turn.after'), draft.after),
        t(draft.melded ? 'turn.melded' : 'turn.opening'),
      ]
    : setLines(book, t('check.table'), draft.table);
  const faults = found.faults.map(({ message, clause, ruling, set }) => {
    const text = told(book, message, clause, ruling);
    return `- ${set === null ? text : line(t('set.number', { number: set + 1 }), text)}`;
  });
  return headed(book, t('tool.position'), [...asked, found.text, ...faults]);
}

function meldLine(book: Book, what: string, melds: Melds): string {
  const sets = melds.sets.map((set) => namesOf(set, book.id)).join(' | ');
  return line(what, sets ? `${sets} (${t('count.points', { count: melds.points })})` : t('count.no_set'));
}

export function chargeReport(book: Book, draft: ChargeDraft, found: ChargeRuled): string {
  const asked = [
    tilesLine(book, t('turn.rack'), draft.tiles),
    ...(draft.hadTurn ? [tilesLine(book, t('charge.drawn'), draft.drawn)] : [t('count.no_turn')]),
  ];
  const proof = found.at_end ? [meldLine(book, t(draft.drawn.length ? 'count.with_last' : 'count.best'), found.at_end)] : [];
  if (found.at_last_turn && draft.drawn.length) proof.push(meldLine(book, t('count.without_last'), found.at_last_turn));
  const sum = line(t('charge.points'), String(found.points));
  return headed(book, t('charge.title'), [...asked, sum, told(book, found.text, found.clause, found.ruling), ...proof]);
}

export function leftoversReport(book: Book, draft: LeftoversDraft, found: LeftoversRuled): string {
  return headed(book, t('leftovers.title'), [namesOf(draft.tiles, book.id), told(book, found.text, found.clause, found.ruling)]);
}

export function countReport(book: Book, draft: CountDraft, nameOf: (seat: number) => string, found: CountedSheet): string {
  const end = typeof draft.end === 'number' ? t('count.out', { name: nameOf(draft.end) }) : t('count.pool');
  const lines = found.lines.flatMap((one) => [
    line(nameOf(one.seat), signed(one.score)),
    ...(one.tiles ? [`  ${tilesLine(book, t('count.rack'), draft.racks[one.seat]?.tiles ?? [])}`] : []),
    `  ${told(book, one.charge && one.why ? one.why : one.reason, one.clause, one.ruling)}`,
  ]);
  return headed(book, t('tool.count'), [end, ...lines, found.check, ...found.notes]);
}
