/** Both languages say the same things: placeholders agree, plurals are plurals, French is spaced as French. */
import { expect, test } from 'vitest';

import { fill, frenchSpaces, type Text, type WordList } from '../src/lib/words';
import enDevice from '../src/words/en/device';
import enEvent from '../src/words/en/event';
import enReplay from '../src/words/en/replay';
import enShell from '../src/words/en/shell';
import enTable from '../src/words/en/table';
import enTutorial from '../src/words/en/tutorial';
import frDevice from '../src/words/fr/device';
import frEvent from '../src/words/fr/event';
import frReplay from '../src/words/fr/replay';
import frShell from '../src/words/fr/shell';
import frTable from '../src/words/fr/table';
import frTutorial from '../src/words/fr/tutorial';

const areas: [string, WordList, WordList][] = [
  ['shell', enShell, frShell],
  ['table', enTable, frTable],
  ['replay', enReplay, frReplay],
  ['tutorial', enTutorial, frTutorial],
  ['device', enDevice, frDevice],
  ['event', enEvent, frEvent],
];

const texts = (text: Text): string[] => (typeof text === 'string' ? [text] : [text.one, text.other]);

function placeholders(text: Text): string[] {
  const names = texts(text).flatMap((one) => [...one.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));
  // A plural needs not say its number: "one tile".
  return [...new Set(names)].filter((name) => name !== 'count').sort();
}

test.each(areas)('%s: the same keys and placeholders in both languages', (_area, en, fr) => {
  expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en)) {
    expect([key, placeholders(fr[key])]).toEqual([key, placeholders(en[key])]);
    expect([key, typeof fr[key]]).toEqual([key, typeof en[key]]);
  }
});

test.each(areas)('%s: no text is empty', (_area, en, fr) => {
  for (const text of [...Object.values(en), ...Object.values(fr)].flatMap(texts)) expect(text.trim()).not.toBe('');
});

test('French counts nothing as one, English as many', () => {
  const en = { one: '{count} tile', other: '{count} tiles' };
  const fr = { one: '{count} tuile', other: '{count} tuiles' };
  expect([0, 1, 2].map((count) => fill(en, { count }, 'en'))).toEqual(['0 tiles', '1 tile', '2 tiles']);
  expect([0, 1, 2].map((count) => fill(fr, { count }, 'fr'))).toEqual(['0 tuile', '1 tuile', '2 tuiles']);
});

test('French never breaks a line before its high punctuation', () => {
  expect(frenchSpaces('Quoi ? « Oui » : non !')).toBe('Quoi\u202f? «\u00a0Oui\u00a0»\u00a0: non\u202f!');
});

test('what a player typed is not touched by the typography', () => {
  expect(fill('Bonjour {name} !', { name: 'a ? b' }, 'fr')).toBe('Bonjour a ? b\u202f!');
});

test('an unknown placeholder stays visible instead of vanishing', () => {
  expect(fill('{name} plays', {}, 'en')).toBe('{name} plays');
});
