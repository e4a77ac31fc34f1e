import { describe, expect, it } from 'vitest';
import { cutAround, placeFor, standsFor, tidy } from '../board/tile-order';
import { faces, named, text } from './box';

function tidied(names: string): string {
  return text([tidy(faces, named(names))]);
}

describe('the order in which tiles look right', () => {
  it('puts a row in rising order', () => {
    expect(tidied('R7 R5 R6')).toBe('R5 R6 R7');
    expect(tidied('R13 R1 R12')).toBe('R12 R13 R1');
  });

  it('puts jokers into gaps first, the rest where they were', () => {
    expect(tidied('R5 R7 *')).toBe('R5 * R7');
    expect(tidied('R5 R6 *')).toBe('R5 R6 *');
    expect(tidied('* R6 R5')).toBe('* R5 R6');
    expect(tidied('* R1 R2')).toBe('R1 R2 *');
    expect(tidied('R12 R13 *')).toBe('* R12 R13');
  });

  it('leaves everything else as it was laid', () => {
    expect(tidied('O9 K9 R9')).toBe('O9 K9 R9');
    expect(tidied('R2 K9 R1')).toBe('R2 K9 R1');
    expect(tidied('R2 R9 R1')).toBe('R2 R9 R1');
  });

  it('finds the place for one more tile', () => {
    expect(placeFor(faces, named('R5 R6 R7'), named('R4')[0] as number)).toBe(0);
    expect(placeFor(faces, named('R5 R6 R7'), named('R8')[0] as number)).toBe(3);
    expect(placeFor(faces, named('K9 R9'), named('O9')[0] as number)).toBe(2);
    expect(placeFor(faces, named('* R6 R7'), named('R4')[0] as number)).toBe(0);
  });

  it('cuts a long run around its double, and only when both halves are long enough', () => {
    const cut = cutAround(faces, named('R3 R4 R5 R6 R7'), named('R5', 1)[0] as number, 3);
    expect(text(cut ?? [])).toBe('R3 R4 R5 | R5 R6 R7');
    expect(cutAround(faces, named('R3 R4 R5 R6'), named('R5', 1)[0] as number, 3)).toBeNull();
    expect(cutAround(faces, named('K9 R9 O9'), named('R9', 1)[0] as number, 3)).toBeNull();
  });

  it('tells what a joker in a row stands for', () => {
    expect(standsFor(faces, named('R5 * R7'), 1)).toBe(6);
    expect(standsFor(faces, named('R5 R6 *'), 2)).toBe(7);
    expect(standsFor(faces, named('K9 R9 *'), 2)).toBeNull();
    expect(standsFor(faces, named('R12 R13 *'), 2)).toBe(1);
  });
});
