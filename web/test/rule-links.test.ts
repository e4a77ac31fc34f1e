/** What a fault cites is found on the rules pages, in either language. */
import { expect, test } from 'vitest';

import { clauseAnchor, clauseLink, clauseOfTerm, citationLinks, rulingLink } from '../src/ui/rule-links';

test.each([
  ['#9', 'clause-9'],
  ['G1', 'clause-g1'],
  ['l.25-31', 'clause-l-25-31'],
  ['The Play', 'clause-the-play'],
])('the anchor of %s', (clause, anchor) => expect(clauseAnchor(clause)).toBe(anchor));

test('a term has the same clause in both languages', () => {
  expect(clauseOfTerm('The Play (l.12-13, FR l.56-57)')).toBe('The Play');
  expect(clauseOfTerm('Le jeu («\u00a0The Play\u00a0», l.12-13, FR l.56-57)')).toBe('The Play');
  expect(clauseOfTerm('#4')).toBe('#4');
});

test('a fault links to its clause', () => {
  const book = { id: 'wrc11', label: 'WRC 11' };
  expect(clauseLink(book, 'WRC 11 #9')).toBe('/rules/wrc11#clause-9');
  expect(clauseLink(book, 'WRC 11 #9, #10')).toBe('/rules/wrc11#clause-9');
  expect(clauseLink(book, '')).toBe('/rules/wrc11');
  expect(rulingLink('R20')).toBe('/rules/rulings/R20');
});

test('a citation is a row of links', () => {
  const here = new Map([['#7', '#clause-7']]);
  expect(citationLinks(['#7', 'R24'], here)).toEqual([
    { text: '#7', href: '#clause-7' },
    { text: 'R24', href: '/rules/rulings/R24' },
  ]);
  expect(citationLinks(['G6', 'Le jeu'], new Map(), 'wrc9')).toEqual([
    { text: 'G6', href: '/rules/wrc9#clause-g6' },
    { text: 'Le jeu', href: null },
  ]);
  expect(citationLinks([], here)).toEqual([]);
});
