import { describe, expect, it } from 'vitest';

import { hidden, inWords, marked, partsOf, partsSeen } from './tile-message';
import { setName } from './tile-names';

const COLOURS = [
  { letter: 'K', name: 'black' },
  { letter: 'R', name: 'red' },
];

describe('a sentence with tiles', () => {
  it('is cut into words and tiles', () => {
    expect(partsOf(`Ada added ${marked(['R4'])} to ${marked(['R1', 'R2', 'R3'])}.`)).toEqual(['Ada added ', { tiles: ['R4'] }, ' to ', { tiles: ['R1', 'R2', 'R3'] }, '.']);
    expect(partsOf('R4 in plain words')).toEqual(['R4 in plain words']);
  });

  it('is read in words', () => {
    const parts = partsOf(`Look at ${marked(['K7'])}.`);
    expect(inWords(parts, (tiles) => setName(tiles, COLOURS))).toBe('Look at black 7.');
  });

  it('hides what somebody may not know', () => {
    expect(hidden(['drew ', { tiles: ['R4'] }])).toEqual(['drew ', { tiles: ['?'] }]);
  });
});

describe('the name of a set', () => {
  it('gives a run by its ends and everything else tile by tile', () => {
    expect(setName(['R1', 'R2', 'R3', 'R4'], COLOURS)).toBe('red 1 to 4');
    expect(setName(['R1', 'R2'], COLOURS)).toBe('red 1, red 2');
    expect(setName(['R1', '*', 'R3'], COLOURS)).toBe('red 1, joker, red 3');
    expect(setName(['K9', 'R9', 'R10'], COLOURS)).toBe('black 9, red 9, red 10');
    expect(setName(['*', '*', '*'], COLOURS)).toBe('joker, joker, joker');
  });
});

describe('a step of a game', () => {
  const drew = { seat: 0, kind: 'drew', parts: ['Ada draws ', { tiles: ['R7'] }, '.'], changed: [5] };
  const unknown = ['Ada draws ', { tiles: ['?'] }, '.'];

  it('does not tell one player what another draws', () => {
    expect(partsSeen(drew, [], 1)).toEqual(unknown);
    expect(partsSeen(drew, [], 0)).toBe(drew.parts);
    expect(partsSeen(drew, [], null)).toBe(drew.parts);
    expect(partsSeen({ ...drew, kind: 'laid' }, [], 1)).toBe(drew.parts);
  });

  it('tells everybody which discard was taken', () => {
    const took = { ...drew, kind: 'took' };
    expect(partsSeen(took, [3, 5], 1)).toBe(took.parts);
    expect(partsSeen(took, [3], 1)).toEqual(unknown);
  });
});
