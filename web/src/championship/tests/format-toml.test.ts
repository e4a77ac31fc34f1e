/** The form's formats are the TOML that the command line reads. */
import { expect, test } from 'vitest';

import { formatToml, newStage, pointsIn, timeAfter } from '../create/format-toml';

test('a format of two stages with a cut', () => {
  const fields = {
    name: 'Our "open"',
    book: 'wrc11',
    citizens: false,
    stages: [{ ...newStage('Round'), sittings: 3 }, { ...newStage('Final'), takes: 4, cut: 'table_winners' as const, carry: 'all' as const }],
    ranking: ['wins' as const, 'score' as const],
    points: '',
  };
  expect(formatToml(fields)).toBe(`id = "own"
version = "1"
name = "Our \\"open\\""
book = "wrc11"
conditions = {}
ranking = ["wins", "score"]

[[stages]]
id = "stage1"
name = "Round"
sittings = 3
games = 4
seating = "raffle"

[[stages]]
id = "stage2"
name = "Final"
sittings = 1
games = 4
seating = "raffle"
takes = 4
cut = "table_winners"
carry = "all"
`);
});

test('points for places, only where they count', () => {
  const fields = { name: 'P', book: 'wrc11', citizens: true, stages: [newStage('R')], ranking: ['points' as const, 'score' as const], points: '4 / 3 / 1 / 0' };
  expect(formatToml(fields)).toContain('placement = { points = [4, 3, 1, 0], each = "sitting" }');
  expect(formatToml(fields)).toContain('conditions = { citizens_only = true, not_twice_running = true, per_country = 1 }');
  expect(pointsIn('none')).toEqual([]);
});

test('times of day go on after midnight', () => {
  expect(timeAfter('10:00', 135)).toBe('12:15');
  expect(timeAfter('23:30', 45)).toBe('00:15');
});
