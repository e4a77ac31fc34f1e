/** How a clause or a ruling that something cites is found on the rules pages. */

import { to } from '../base';

const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The anchor of a clause on its book's page: "#9" is clause-9, "The Play" is clause-the-play. */
export const clauseAnchor = (clause: string): string => `clause-${slug(clause)}`;

export const rulingAnchor = (ruling: string): string => `ruling-${slug(ruling)}`;

/** A heading's own anchor. */
export const headingAnchor = (text: string): string => slug(text) || 'part';

/** A clause as its book writes it, out of a term of the page: "Le jeu (« The Play », l.12)" is "The Play". */
export function clauseOfTerm(term: string): string {
  const quoted = /«\s*([^»]+?)\s*»/.exec(term);
  return quoted ? quoted[1] : term.replace(/\s*\([^)]*\)\s*$/, '');
}

/** Where a ruling stands. */
export const rulingLink = (ruling: string): string => to(`/rules/rulings/${ruling}`);

/**
 * Where a clause stands, as a fault cites it: `clauseLink({ id: 'wrc11', label: 'WRC 11' }, 'WRC 11 #9')`.
 * Of several clauses the first counts.
 */
export function clauseLink(book: { id: string; label: string }, clause: string): string {
  const own = clause.startsWith(`${book.label} `) ? clause.slice(book.label.length + 1) : clause;
  const first = own.split(/,\s*/)[0];
  return to(`/rules/${book.id}${first ? `#${clauseAnchor(first)}` : ''}`);
}

/** A part of a citation: where it leads, if that is known. */
export interface Cited {
  text: string;
  href: string | null;
}

/** A clause by its number or lines, which every language has alike: "#7", "G6", "l.25-31". */
const NUMBERED = /^(#\d+|[A-Z]\d+|l\.[\d-]+)$/;

/**
 * Citations ("#7", "R24") as parts that can be links. `clauses` says which anchor a clause has on this page; `elsewhere` is
 * the book whose own page has it.
 */
export function citationLinks(
  citations: readonly string[],
  clauses: ReadonlyMap<string, string>,
  elsewhere?: string,
): Cited[] {
  return citations.map((text) => {
    if (/^R\d+$/.test(text)) return { text, href: rulingLink(text) };
    const own = clauses.get(text);
    if (own) return { text, href: own };
    return { text, href: elsewhere && NUMBERED.test(text) ? to(`/rules/${elsewhere}#${clauseAnchor(text)}`) : null };
  });
}
