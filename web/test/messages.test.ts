/** Every language says the same things: placeholders agree, plurals are plurals, typography touches only our own texts. */
import { describe, expect, test } from 'vitest';

import { LANGUAGES } from '../src/locales/languages';
import { t } from '../src/locales/shell';
import { fill, type Text, type Texts } from '../src/ui/messages.svelte';
import { settings } from '../src/ui/settings.svelte';

const files = import.meta.glob<{ default: Texts }>('../src/locales/*/*.json', { eager: true });
const areas = Object.keys(files).flatMap((file) => file.match(/locales\/en\/(\w+)\.json$/)?.[1] ?? []);
const texts = (language: string, area: string): Texts => files[`../src/locales/${language}/${area}.json`].default;
const forms = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));

function placeholders(text: Text): string[] {
  const names = forms(text).flatMap((one) => [...one.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));
  // A plural need not say its number: "one tile".
  return [...new Set(names)].filter((name) => name !== 'count').sort();
}

describe.each(LANGUAGES)('$name', ({ code }) => {
  test.each(areas)('%s: the same keys and placeholders as English', (area) => {
    const [english, own] = [texts('en', area), texts(code, area)];
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
    for (const key of Object.keys(english)) {
      expect([key, placeholders(own[key])]).toEqual([key, placeholders(english[key])]);
    }
  });

  test.each(areas)('%s: no text is empty, and every plural has the forms of the language', (area) => {
    const categories = new Set(new Intl.PluralRules(code).resolvedOptions().pluralCategories);
    for (const [key, text] of Object.entries(texts(code, area))) {
      for (const form of forms(text)) expect([key, form.trim()]).not.toEqual([key, '']);
      if (typeof text === 'string') continue;
      expect(text.other, key).toBeTypeOf('string');
      for (const form of Object.keys(text)) expect(categories, key).toContain(form);
    }
  });
});

test('French counts nothing as one, English as many', () => {
  const en = { one: '{count} tile', other: '{count} tiles' };
  const fr = { one: '{count} tuile', other: '{count} tuiles' };
  expect([0, 1, 2].map((count) => fill(en, { count }, 'en'))).toEqual(['0 tiles', '1 tile', '2 tiles']);
  expect([0, 1, 2].map((count) => fill(fr, { count }, 'fr'))).toEqual(['0 tuile', '1 tuile', '2 tuiles']);
});

test('a language with more plural forms uses them all', () => {
  const pl = { one: '{count} kamień', few: '{count} kamienie', other: '{count} kamieni' };
  expect([1, 2, 5].map((count) => fill(pl, { count }, 'pl'))).toEqual(['1 kamień', '2 kamienie', '5 kamieni']);
});

test('French never breaks a line before its high punctuation', () => {
  const french = areas.flatMap((area) => Object.values(texts('fr', area)).flatMap(forms));
  expect(french.filter((text) => / [;!?:»]|« /.test(text))).toEqual([]);
  expect(french.filter((text) => text.includes('\u202f?')).length).toBeGreaterThan(10);
});

test('what a player typed is not touched by the typography', () => {
  expect(fill('Bonjour {name}\u202f!', { name: 'a ? b' }, 'fr')).toBe('Bonjour a ? b\u202f!');
});

test('an unknown placeholder stays visible instead of vanishing', () => {
  expect(fill('{name} plays', {}, 'en')).toBe('{name} plays');
});

test('a message follows the language of the settings', () => {
  const before = settings.language;
  settings.language = 'fr';
  expect(t('tile.name', { colour: 'rouge', number: 7 })).toBe('7 rouge');
  settings.language = 'en';
  expect(t('tile.name', { colour: 'red', number: 7 })).toBe('red 7');
  settings.language = before;
});

const sources = Object.entries(
  import.meta.glob<string>(['../src/**/*.{ts,svelte}', '!../src/locales/**', '!../src/**/tests/**'], {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
);

/** True for a key that the code names, whole or as a template such as `log.${event}`. */
function keysInUse(): (key: string) => boolean {
  const code = sources.map(([, text]) => text).join('\n');
  const whole = new Set([...code.matchAll(/['"]([\w.]+)['"]/g)].map((found) => found[1]));
  const templates = [...code.matchAll(/`([\w.]*\$\{[^`]*)`/g), ...code.matchAll(/\b(?:t|say)\(`([^`]*)`/g)]
    .map(([, template]) => template.split(/\$\{[^}]*\}/))
    .filter((parts) => parts.every((part) => /^[\w.]*$/.test(part)) && parts.some((part) => /[a-z]/.test(part) && part.includes('.')))
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('[\\w.]+')}$`));
  return (key) => whole.has(key) || templates.some((template) => template.test(key));
}

test.each(areas)('%s: every message is used', (area) => {
  // The build shows these before any script runs; `did` adds the end to a key.
  const elsewhere = /^first\.|^log\..*\.(mine|other)$/;
  const used = keysInUse();
  expect(Object.keys(texts('en', area)).filter((key) => !used(key) && !elsewhere.test(key))).toEqual([]);
});
