import { expect, test } from 'vitest';
import { forgetAccount } from '../forget-account';

function storage(names: string[]): Storage {
  const kept = new Map(names.map((name) => [name, '1']));
  return {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
  };
}

test('what belongs to the account goes, what belongs to the device stays', () => {
  const own = ['meldroom.draft.abcd', 'meldroom.rack.abcd', 'meldroom.muted', 'meldroom.push'];
  const device = ['meldroom.settings', 'meldroom.offline.draft.abcd', 'meldroom.offline.rack.abcd', 'meldroom.push.declined', 'meldroom.device'];
  const place = storage([...own, ...device]);
  forgetAccount(() => place);
  expect(own.filter((name) => place.getItem(name))).toEqual([]);
  expect(device.filter((name) => !place.getItem(name))).toEqual([]);
  expect(() => forgetAccount(() => { throw new Error('no storage'); })).not.toThrow();
});
