/** Settings survive whatever a browser's storage holds. */
import { afterEach, expect, test, vi } from 'vitest';

import { parsePreferences, shownTheme } from '../src/ui/settings.svelte';

afterEach(() => vi.unstubAllGlobals());

const prefers = (...wanted: string[]): void =>
  void vi.stubGlobal('matchMedia', (query: string) => ({ matches: wanted.some((one) => query.includes(one)) }));

test('nothing stored: defaults that follow the device', () => {
  prefers('reduced-motion');
  expect(parsePreferences(null)).toMatchObject({ theme: 'system', tiles: 'book', large: false, calm: true, sound: true, volume: 60, notify: false });
});

test('what was chosen comes back', () => {
  const chosen = { language: 'fr', theme: 'contrast', tiles: 'mahjong', large: true, calm: true, sound: false, volume: 25, notify: true, speed: 'slow' };
  expect(parsePreferences(JSON.stringify(chosen))).toEqual(chosen);
});

test.each(['', 'nonsense', 'null', '[]', '7', '{"theme":"pink","large":"yes","language":"de","volume":101,"notify":1}'])('%s is no harm', (text) => {
  prefers();
  expect(parsePreferences(text)).toMatchObject({ theme: 'system', tiles: 'book', large: false, sound: true, volume: 60, notify: false });
});

test('the system theme is what the device asks for; contrast comes before darkness', () => {
  prefers('color-scheme: dark');
  expect(shownTheme('system')).toBe('dark');
  prefers('color-scheme: dark', 'contrast: more');
  expect(shownTheme('system')).toBe('contrast');
  prefers();
  expect(shownTheme('system')).toBe('light');
  expect(shownTheme('dark')).toBe('dark');
});
