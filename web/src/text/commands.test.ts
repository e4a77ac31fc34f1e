import { describe, expect, it } from 'vitest';

import { helpFor, read, resolve, resolveTable, VERBS, vocabulary } from './commands';

const words = vocabulary((key) => {
  if (key === 'fillers') return 'to set from';
  return { 'pile.stock': 'stock', 'pile.discard': 'discard pile', 'verb.add': 'add a', 'verb.lay': 'lay l', 'verb.takeback': 'take-back' }[key as string] ?? key.replace('verb.', '');
});

describe('what is typed', () => {
  it('has a verb, tiles and numbers of sets', () => {
    expect(read('Lay R4 r5 R6 | K9 b9 o9', words)).toMatchObject({ verb: 'lay', notation: 'r4 r5 r6 | k9 b9 o9', numbers: [] });
    expect(read('a r7 to set 2', words)).toMatchObject({ verb: 'add', notation: 'r7', numbers: [2] });
    expect(read('move r4, r5 from 1 to 3', words)).toMatchObject({ verb: 'move', notation: 'r4 r5', numbers: [1, 3] });
    expect(read('take discard', words)).toMatchObject({ verb: 'take', pile: 'discard', notation: '' });
    expect(read('take back', words)).toMatchObject({ verb: 'takeback', pile: null, notation: '' });
    expect(read('discard k13', words)).toMatchObject({ verb: 'discard', notation: 'k13' });
  });

  it('may be tiles alone', () => {
    expect(read('* K3 k4', words)).toMatchObject({ verb: 'lay', notation: '* k3 k4' });
  });

  it('is not understood without a verb', () => {
    expect(read('sing a song', words).verb).toBeNull();
    expect(read('', words).verb).toBeNull();
  });

  it('knows a word for every verb', () => {
    expect(new Set(words.verbs.values())).toEqual(new Set(VERBS));
  });
});

const table = { faces: ['R4', 'R4', 'R5', 'R6', 'K9', '*'], rack: [1, 4], sets: [{ tiles: [0, 2, 3] }, { tiles: [5] }] };

describe('faces as tiles', () => {
  it('are looked for in the order of places, each tile once', () => {
    expect(resolve(['R4'], table, ['rack', 0])).toEqual({ tiles: [1] });
    expect(resolve(['R4'], table, [0, 'rack'])).toEqual({ tiles: [0] });
    expect(resolve(['R4', 'R4'], table, ['rack', 0])).toEqual({ tiles: [1, 0] });
    expect(resolve(['B1'], table, ['rack', 0])).toEqual({ missing: 'B1' });
  });

  it('of a whole table keep the sets that stay, and forget no tile', () => {
    expect(resolveTable([['R5', 'R6', 'R4'], ['*', 'K9']], table)).toEqual({ sets: [[0, 2, 3], [5, 4]] });
    expect(resolveTable([['R4', 'R5', 'R6']], table)).toEqual({ missing: '*' });
    expect(resolveTable([['R4', 'R5', 'R6'], ['*', 'K9', 'K9']], table)).toEqual({ missing: 'K9' });
  });
});

describe('help', () => {
  it('leaves out what the other family of books has', () => {
    expect(helpFor('rearranging')).toContain('help.draw');
    expect(helpFor('rearranging')).not.toContain('help.take');
    expect(helpFor('laying_off')).not.toContain('help.draw');
    expect(new Set(helpFor(null))).toEqual(new Set([...helpFor('rearranging'), ...helpFor('laying_off')]));
  });
});
