/** The desk's form of categories, prizes, teams, fees and days: what is arranged comes back as it was. */
import { expect, test } from 'vitest';

import { cents, definitionOf, draftOf, freshId } from '../desk/arranged/draft';

const name = (text: string): { en: string; fr: string } => ({ en: text, fr: text });

test('what is arranged comes back as it was', () => {
  const draft = draftOf({
    categories: [
      { id: 'junior', name: name('junior'), born_from: '2008-01-01' },
      { id: 'new', name: name('new'), newcomer: true },
      { id: 'c3', name: name('these'), players: [3, 7] },
    ],
    prizes: [
      { name: name('First'), amount: '€50' },
      { name: name('Junior'), category: 'junior', not_first: 3 },
      { name: name('Team'), to: 'teams' },
    ],
    teams: { best: 3 },
    fees: { amount: 1250, reduced: { junior: 500 } },
    days: [{ date: '2026-11-15', sittings: [['evening', 1]] }],
  });
  expect(definitionOf(draft)).toEqual({
    categories: [
      { id: 'junior', name: 'junior', born_from: '2008-01-01' },
      { id: 'new', name: 'new', newcomer: true },
      { id: 'c3', name: 'these', players: [3, 7] },
    ],
    prizes: [
      { name: 'First', amount: '€50', category: '', not_first: 0, again: false },
      { name: 'Junior', amount: '', category: 'junior', not_first: 3, again: false },
      { name: 'Team', amount: '', to: 'teams', not_first: 0, again: false },
    ],
    teams: { best: 3, stage: '' },
    fees: { currency: 'EUR', amount: 1250, reduced: { junior: 500 } },
    days: [{ date: '2026-11-15', sittings: ['evening 1'] }],
  });
  expect(freshId(draft)).toBe('c4');
});

test('nothing arranged is an empty form, and amounts are read with a comma too', () => {
  expect(definitionOf(draftOf({}))).toEqual({ categories: [], prizes: [], days: [] });
  expect(cents('12,5')).toBe(1250);
  expect(cents('')).toBe(0);
});
