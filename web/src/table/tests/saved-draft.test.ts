import { describe, expect, it } from 'vitest';
import { keep, kept } from '../draft/saved-draft';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('a draft that outlives a reload', () => {
  const draft = { rev: 7, table: [[1, 2, 3]], melds: null, discard: null };

  it('comes back on the same revision only', () => {
    const place = memory();
    keep(place, 'abcd', draft);
    expect(kept(place, 'abcd', 7)).toEqual(draft);
    expect(kept(place, 'abcd', 8)).toBeNull();
    keep(place, 'abcd', null);
    expect(kept(place, 'abcd', 7)).toBeNull();
  });

  it('is nothing when it cannot be read', () => {
    const place = memory();
    place.setItem('meldroom.draft.abcd', '{"rev": 7, "table": [["x"]], "melds": null, "discard": null}');
    expect(kept(place, 'abcd', 7)).toBeNull();
    place.setItem('meldroom.draft.abcd', 'nonsense');
    expect(kept(place, 'abcd', 7)).toBeNull();
  });
});
