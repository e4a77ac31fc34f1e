/** Entered racks: the limits of the box, and the sums that a device makes by itself. */
import { expect, test } from 'vitest';

import type { BookForTable, SeatLine } from '../../../api/generated/http';
import { countedSeats, emptyDraft, entered, estimate, isWhole, missingSeat, type CountDraft } from '../../../referee/count/draft';
import { estimateOfPlay } from './estimate';
import { playedOf } from './played';
import { doublesOf, leftOf, readTable, rowsOf, sorted, sumOf, tableText, without } from '../../../referee/tiles/racks';

const numbers = Array.from({ length: 13 }, (_, place) => place + 1);
const faces = [...'KRBO'].flatMap((letter) => numbers.map((number) => `${letter}${number}`));
const book: BookForTable = {
  id: 'wrc11',
  version: '1',
  options: {},
  label: 'WRC 11',
  short_name: { en: 'WRC 11', fr: 'WRC 11' },
  name: { en: '', fr: '' },
  turn_seconds: 40,
  penalty_tiles: 3,
  leftovers: 'rack',
  opening_points: 30,
  opening_needs_run: false,
  unmelded: 100,
  unmelded_able: 200,
  charge_test: 'own_turns',
  joker_value: 100,
  winner: 'opponents',
  exhausted: 'deduct_smallest',
  exhausted_unopened: 'counts',
  redeal_doubles: 3,
  tiles: [...faces, '*'],
  values: [...faces.map((face) => Number(face.slice(1))), 100],
  limits: [...faces, '*'].map(() => 2),
  box: 106,
};
const seats: SeatLine[] = [0, 1, 2].map((seat) => ({ seat, number: seat + 1, name: `P${seat}`, country: '', out: false }));
const sheet = { stage: 's', sitting: 1, table: 1 };

function draft(end: CountDraft['end'], ...racks: string[]): CountDraft {
  const made = emptyDraft(1, seats);
  return { ...made, end, racks: made.racks.map((rack, seat) => ({ ...rack, tiles: (racks[seat] ?? '').split(' ').filter(Boolean) })) };
}
const scoresOf = (made: CountDraft, by = book): (number | null)[] => estimate(by, made).map((line) => line.score);

test('the keypad has a row a colour, and the joker apart', () => {
  expect(rowsOf(book).map((row) => [row.letter, row.tiles.length])).toEqual([['K', 13], ['R', 13], ['B', 13], ['O', 13]]);
});

test('never more of a tile than the box holds, wherever the others lie', () => {
  const made = draft(0, '', 'R7 R7', '*');
  expect([leftOf(book, entered(made), 'R7'), leftOf(book, entered(made), '*'), leftOf(book, entered(made), 'K1')]).toEqual([0, 1, 2]);
});

test('tiles are sorted, summed and taken away one at a time', () => {
  expect(sorted(book, ['*', 'O1', 'K13', 'K2'])).toEqual(['K2', 'K13', 'O1', '*']);
  expect(sumOf(book, ['*', 'O1', 'K13'])).toBe(114);
  expect(without(['R1', 'R1', 'K2'], 'R1')).toEqual(['R1', 'K2']);
  expect(doublesOf(['R1', 'R1', 'K2', '*', '*', 'O9', 'O9'])).toEqual(['R1', 'O9']);
});

test('who went out takes what the others have', () => {
  expect(scoresOf(draft(0, '', 'K1 K13 R5 *', 'O3'))).toEqual([122, -119, -3]);
});

test('an exhausted pool: the lowest wins with nothing', () => {
  expect(scoresOf(draft('pool', 'K5', 'K1 K13', 'O3'))).toEqual([-2, -11, 0]);
  expect(scoresOf(draft('pool', 'K5', 'K1 K13', 'O3'), { ...book, exhausted: 'differences' })).toEqual([-2, -11, 13]);
  expect(scoresOf(draft('pool', 'K5', 'K1', 'O3'), { ...book, exhausted: 'all_minus' })).toEqual([-5, -1, -3]);
});

test('an exhausted pool: who never opened wins with the lowest, but not in version 1', () => {
  const flat = { ...book, unmelded: 10, unmelded_able: 10 };
  const made = draft('pool', 'K13', 'K5', 'O12');
  made.racks[1].melded = false;
  expect(scoresOf(made, flat)).toEqual([-3, 0, -2]);
  expect(scoresOf(made, { ...flat, exhausted_unopened: 'cannot_win' })).toEqual([-1, 0, 0]);
});

test('100 or 200 is for the laptop, so the winner stays open too', () => {
  const made = draft(0, '', 'K1', 'O3');
  made.racks[2].melded = false;
  const lines = estimate(book, made);
  expect(lines.map((line) => [line.score, line.open])).toEqual([[null, false], [-1, false], [null, true]]);
  expect(scoresOf(made, { ...book, unmelded_able: 100 })).toEqual([101, -1, -100]);
  expect(scoresOf(made, { ...book, unmelded: 0, unmelded_able: 0 })).toEqual([4, -1, -3]);
});

test('a count is whole when every rack but the winner’s is there', () => {
  const made = draft(0, '', 'K1');
  expect([countedSeats(made), missingSeat(made), isWhole(made, book)]).toEqual([[1, 2], 2, false]);
  made.racks[2].absent = true;
  expect(isWhole(made, book)).toBe(true);
  expect(isWhole({ ...made, end: null }, book)).toBe(false);
});

test('the laptop is told racks, who never melded, and what they drew', () => {
  const made = draft(0, '', 'K1', 'R10 B10 K10');
  Object.assign(made.racks[2], { melded: false, drawn: ['K10'] });
  const played = playedOf(made, sheet, book);
  expect(played).toEqual({
    ...sheet,
    game: 1,
    winner: 0,
    racks: [{}, { tiles: ['K1'] }, { tiles: ['R10', 'B10', 'K10'], melded: false, drawn_in_last_turn: ['K10'] }],
  });
  expect(playedOf(draft('pool', 'K1', 'K2', 'K3'), sheet, book).winner).toBeNull();
});

test('what waits is shown in scores as far as they are known', () => {
  expect(estimateOfPlay(book, seats, playedOf(draft(0, '', 'K1', 'O3'), sheet, book))).toEqual([4, -1, -3]);
  expect(estimateOfPlay(book, seats, { ...sheet, game: 1, scores: [5, -2, -3] })).toEqual([5, -2, -3]);
});

test('a table is read from text', () => {
  expect(readTable(book, 'r1 R2 R3 | k7, b7 O7 joker\n*')).toEqual({ sets: [['R1', 'R2', 'R3'], ['K7', 'B7', 'O7', '*'], ['*']], unknown: [] });
  expect(readTable(book, 'R1 X9 R99').unknown).toEqual(['X9', 'R99']);
  expect(readTable(book, tableText([['R1', 'R2'], ['*']])).sets).toEqual([['R1', 'R2'], ['*']]);
});
