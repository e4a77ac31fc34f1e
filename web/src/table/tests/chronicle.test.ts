import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../../api/generated/live';
import { settings } from '../../ui/settings.svelte';
import { inWords, partsOf } from '../../ui/tiles/tile-message';
import { setName } from '../../ui/tiles/tile-names';
import { t } from '../../locales/table';
import { fromHistory, showable, type Reader } from '../model/chronicle';
import type { Say } from '../model/event-text';
import { faces, named } from './box';
import { book } from './room';

const reader: Reader = { me: 1, players: ['Ada', 'Bo'], faces, colours: book().colours, language: 'en', asDrawn: false, say: t as Say };
const start: GameEvent[] = [
  { event: 'starter_chosen', seat: 0 },
  { event: 'dealt', number: 1, racks: [[-1], [1]], pool: [-1] },
];
const laid = (seat: number, sets: string[], tiles: string): GameEvent[] => [
  { event: 'turn_began', seat },
  { event: 'laid', seat, table: sets.map((set) => named(set)), tiles: named(tiles) },
];
const said = (...events: GameEvent[]): string => {
  settings.language = 'en';
  const last = fromHistory([...start, ...events], reader).entries.at(-1);
  return inWords(partsOf(last?.texts.join(' ') ?? ''), (tiles) => setName(tiles, reader.colours));
};

describe('the last move', () => {
  const opened = laid(0, ['R1 R2 R3'], 'R1 R2 R3');

  it('is an opening, a tile added, a new set, or sets taken apart', () => {
    expect(said(...opened)).toBe('Ada opened with red 1 to 3.');
    expect(said(...opened, ...laid(0, ['R1 R2 R3 R4'], 'R4'))).toBe('Ada added red 4 to red 1 to 3.');
    expect(said(...opened, ...laid(0, ['R1 R2 R3', 'K9 R9 O9'], 'K9 R9 O9'))).toBe('Ada played black 9, red 9, orange 9.');
    expect(said(...opened, ...laid(0, ['R1 R2 R3 R4', 'K9 R9 O9'], 'R4 K9 R9 O9'))).toBe(
      'Ada played black 9, red 9, orange 9 and added red 4 to red 1 to 3.',
    );
    expect(said(...opened, ...laid(0, ['R1 B1 K1', 'R2 R3 R4'], 'B1 K1 R4'))).toMatch(/^Ada played blue 1, black 1, red 4 and rearranged 1 set\.$/);
  });

  it('tells the takes and discards of one turn together', () => {
    const turn: GameEvent[] = [
      { event: 'turn_began', seat: 0 },
      { event: 'took', seat: 0, source: 'discard', tile: named('R4')[0] as number },
      { event: 'discarded', seat: 0, tile: named('K9')[0] as number },
    ];
    expect(said(...turn)).toBe('Ada took the discard red 4. Ada discarded black 9.');
  });

  it('can be shown if it changed the table', () => {
    const { entries } = fromHistory([...start, ...opened, { event: 'turn_began', seat: 1 }, { event: 'drew', seat: 1, tile: 4 }], reader);
    expect(entries.filter(showable).map((entry) => [entry.seat, entry.before.length, entry.after.length])).toEqual([[0, 0, 1]]);
    expect(entries.at(-1)?.seat).toBe(1);
  });
});
