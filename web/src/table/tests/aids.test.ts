import { describe, expect, it } from 'vitest';

import { Refusal } from '../../api/live';
import type { Aid, GameEvent } from '../../api/generated/live';
import { oddsLines } from '../aids/odds-text';
import { hiddenCount, rowInWords, sights } from '../aids/tiles-seen';
import { named } from './box';
import { table, update, view } from './room';

const ALL: Aid[] = ['take_back', 'nothing_playable', 'tiles_seen', 'odds'];
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('nothing playable', () => {
  it('is asked of the server once a turn, and said in the line', async () => {
    const { model, sent } = table(view({ aids: [] }));
    sent.answer = () => ({ playable: false });
    model.receive(update(view({ aids: ALL, rev: 6 })));
    await settled();
    expect(sent.commands).toEqual([{ do: 'playable', room: 'abcd', rev: 6 }]);
    expect(model.nothingPlayable).toBe(true);
    expect(model.line.text).toContain('line.nothing');
    model.tap(named('R4')[0] as number, false);
    expect(model.nothingPlayable).toBe(false);
  });

  it('is not asked where the table does not tell, or on another turn', async () => {
    const { model, sent } = table(view({ aids: ['odds'] }));
    model.receive(update(view({ aids: ALL, rev: 6 }, { seat: 1 })));
    await settled();
    expect(sent.commands).toEqual([]);
    expect(model.line.text).not.toContain('line.nothing');
  });
});

describe('taking back a turn', () => {
  it('is what undo asks when there is nothing to undo', async () => {
    const { model, sent } = table(view({ aids: ['take_back'] }));
    model.undo();
    expect(model.asking).toBe('take_back');
    model.answer();
    await settled();
    expect(sent.commands).toEqual([{ do: 'take_back', room: 'abcd', rev: 5 }]);
  });

  it('is not offered before the first turn, nor where the table does not allow it', () => {
    expect(table(view({ aids: ['take_back'] }, { turns: [0, 1] })).model.mayTakeBack).toBe(false);
    expect(table(view({ aids: ['take_back'] }, { turns: [0, 1], phase: 'play' }), 'laying_off').model.mayTakeBack).toBe(true);
    const { model } = table(view());
    model.undo();
    expect(model.asking).toBeNull();
  });

  it('is sent again when a bot has moved meanwhile', async () => {
    const { model, sent } = table(view({ aids: ['take_back'] }));
    sent.answer = (command) => {
      if (command.do === 'take_back' && command.rev === 5) throw new Refusal({ code: 'stale', message: '', rev: 7 });
      return {};
    };
    await model.takeTurnBack();
    expect(sent.commands.map((command) => ('rev' in command ? command.rev : null))).toEqual([5, 7]);
    expect(model.note).toBeNull();
  });

  it('tells the game anew from its history', () => {
    const drew = (seat: number): GameEvent => ({ event: 'drew', seat, tile: -1 });
    const { model } = table(view({ aids: ['take_back'] }));
    const at = { at: 0, seq: 2 };
    model.receive(update(view({ aids: ['take_back'], rev: 6 }), [{ kind: 'game_played', by: 'bot', seat: 1, events: [drew(1), { event: 'turn_began', seat: 0 }], ...at }]));
    expect(model.chronicle.entries).toHaveLength(1);
    const back = update(view({ aids: ['take_back'], rev: 7, taken_back: 1 }), [{ kind: 'turn_taken_back', seat: 0, kept: 3, ...at }]);
    model.receive({ ...back, history: [{ event: 'starter_chosen', seat: 0 }] });
    expect(model.chronicle.entries.map((entry) => entry.texts[0])).toEqual(['log.begins.mine Ada  0']);
    expect(model.note?.text).toBe('take_back.done');
  });
});

describe('tiles seen so far', () => {
  it('are those of the table, the rack and the discards', () => {
    const { model } = table(view({}, { discards: named('B1') }));
    const rows = sights(model);
    const of = (face: string): unknown => rows.flatMap((row) => row.faces).find((one) => one.face === face);
    expect(of('R1')).toMatchObject({ seen: 1 });
    expect(of('R4')).toMatchObject({ seen: 1 });
    expect(of('B1')).toMatchObject({ seen: 1 });
    expect(of('B2')).toMatchObject({ seen: 0 });
    expect(hiddenCount(rows)).toBe(model.book.tiles.length - 3 - 4 - 1);
    expect(rowInWords(rows[0] as (typeof rows)[number])).not.toContain('9, 9');
  });
});

describe('odds', () => {
  it('are told for now and for one more tile, or not at all', () => {
    const { model } = table(view({ aids: ALL }));
    expect(oddsLines(model)).toEqual([]);
    model.odds = { open: null, out: { now: false, draw: { good: 3, unseen: 60, faces: ['R5'] } } };
    const [now, draw] = oddsLines(model);
    expect(now?.text).toBe('Not possible');
    expect(draw).toMatchObject({ text: '5%: 3 of 60 hidden tiles', faces: ['R5'] });
    model.odds = { open: { now: true, draw: null }, out: { now: null, draw: null } };
    expect(oddsLines(model).map((line) => line.text)).toEqual(['Possible', 'Can’t say', 'Can’t say', 'Can’t say']);
  });
});
