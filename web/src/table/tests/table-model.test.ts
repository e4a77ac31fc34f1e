import type { GameEvent } from '../../api/generated/live';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../api/live';
import { asTable } from '../draft/draft';
import { named, text } from './box';
import { legal, memory, table, update, view } from './room';

const R4 = named('R4')[0] as number;
const [K9, R9, O9] = named('K9 R9 O9') as [number, number, number];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(100));

describe('the question whether to resign', () => {
  it('stays while others play, and ends with the game', () => {
    const { model } = table(view());
    model.ask('resign');
    model.receive(update(view({ rev: 6 }, { seat: 1 })));
    expect(model.asking).toBe('resign');
    model.receive(update(view({ rev: 7, stage: 'over' })));
    expect(model.asking).toBeNull();
    model.ask('draw');
    model.receive(update(view({ rev: 8 }, { seat: 1 })));
    expect(model.asking).toBeNull();
  });
});

describe('a player who arranges the table', () => {
  it('taps a tile, then a set: the draft is sent once and judged', async () => {
    const { model, sent } = table();
    sent.answer = () => ({ judgement: legal });
    model.tap(R4, false);
    model.tap(named('R1')[0] as number, false);
    await settle();
    expect(sent.commands).toEqual([{ do: 'draft', room: 'abcd', rev: 5, table: [named('R1 R2 R3 R4')] }]);
    expect(model.judgement).toEqual(legal);
    expect(model.line).toEqual({ text: 'line.ready 1', mood: 'good' });
  });

  it('chooses several tiles for a new set, and takes one back by a tap on the rack', () => {
    const { model } = table();
    for (const tile of [K9, R9, O9]) model.tap(tile, false);
    model.newSet();
    expect(text(asTable(model.draft))).toBe('R1 R2 R3 | K9 R9 O9');
    model.tap(O9, false);
    model.tap(R4, false);
    expect(model.laid).toEqual([K9, R9]);
  });

  it('undoes, redoes and resets; a reset can be undone too', () => {
    const { model } = table();
    model.newSet([K9, R9, O9]);
    model.undo();
    expect(model.touched).toBe(false);
    model.redo();
    expect(model.laid).toHaveLength(3);
    model.reset();
    expect(model.touched).toBe(false);
    model.undo();
    expect(model.laid).toHaveLength(3);
  });

  it('is asked before drawing with a draft on the table', async () => {
    const { model, sent } = table();
    model.newSet([K9]);
    model.draw();
    expect(model.asking).toBe('draw');
    expect(sent.commands).toEqual([]);
    model.answer();
    await settle();
    expect(sent.commands.map((command) => command.do)).toContain('act');
    expect(model.touched).toBe(false);
  });

  it('cannot lay anything when it is not their turn, but may sort their rack', () => {
    const at = view({}, { seat: 1 });
    const { model, sent } = table({ ...at, settings: { ...at.settings, planning: false } });
    expect(model.newSet([K9])).toBe(false);
    expect(model.note?.text).toBe('draft.not_your_turn');
    model.sort('groups');
    expect(text([model.rack])).toBe('R4 K9 R9 O9');
    expect(sent.commands).toEqual([]);
  });

  it('reads every fault of a refused turn', async () => {
    const { model, sent } = table();
    const faults = [{ code: 'SET_INVALID', clause: 'Test #6', ruling: 'R2', message: 'no set', set: 1 }];
    sent.answer = (command) => {
      if (command.do === 'act') throw new Refusal({ code: 'illegal_turn', message: 'no', faults });
      return {};
    };
    model.newSet([K9]);
    model.finish();
    await settle();
    expect(model.note).toEqual({ kind: 'refused', text: 'refused', faults });
    expect(model.laid).toEqual([K9]);
    expect(model.busy).toBe(false);
  });
});

describe('a draft', () => {
  it('survives a reload on the same revision, and goes with the position', () => {
    const place = memory();
    table(view(), 'rearranging', place).model.newSet([K9, R9, O9]);
    expect(table(view(), 'rearranging', place).model.laid).toHaveLength(3);
    expect(table(view({ rev: 6 }), 'rearranging', place).model.touched).toBe(false);
  });

  it('comes from the server on another device', () => {
    const { model } = table(view({ draft: [named('R1 R2 R3 R4')] }));
    expect(model.laid).toEqual([R4]);
  });

  it('of somebody else is watched, and is gone with the next revision', () => {
    const { model } = table(view({}, { seat: 1 }));
    model.drafted({ type: 'drafted', room: 'abcd', rev: 5, seat: 1, table: [named('R2 R3'), named('R1 B1')] });
    expect(model.sets.map((set) => set.tiles)).toEqual([named('R2 R3'), named('R1 B1')]);
    model.drafted({ type: 'drafted', room: 'abcd', rev: 4, seat: 1, table: [] });
    expect(model.sets).toHaveLength(2);
    model.receive(update(view({ rev: 6 })));
    expect(model.watched).toBeNull();
    expect(text(asTable(model.draft))).toBe('R1 R2 R3');
  });

  it('is left alone by chat', () => {
    const { model } = table();
    model.newSet([K9, R9, O9]);
    model.receive(update(view({ chat: [{ at: 0, name: 'Bo', seat: 1, text: 'hm' }] })));
    expect(model.laid).toHaveLength(3);
  });
});

describe('what happened', () => {
  it('is told, and a penalty says what and why with its clause', () => {
    const { model } = table();
    const penalised: GameEvent = { event: 'penalised', seat: 0, cause: 'time', tiles: named('B1 B2 B3'), codes: [] };
    const next = view({ rev: 6, notice_clause: 'Test #7', notice_ruling: 'R25' }, { seat: 1 });
    model.receive(update(next, [{ kind: 'game_played', at: 0, seq: 1, by: 'clock', events: [{ event: 'timed_out', seat: 0, touched: true }, penalised] }]));
    expect(model.chronicle.entries.flatMap((one) => one.texts.map((text) => text.split(' ')[0]))).toEqual(['log.timed_out.mine', 'log.penalised.mine']);
    expect(model.note).toMatchObject({ kind: 'penalty', clause: 'Test #7', ruling: 'R25' });
    expect(model.note?.text).toContain('log.cause.time');
  });

  it('marks new tiles and keeps the rest of the rack in its order', () => {
    const { model } = table();
    model.reorder([O9], R4);
    model.receive(update(view({ rev: 6 }, { rack: named('R4 K9 R9 O9 B1') })));
    expect(text([model.rack])).toBe('O9 R4 K9 R9 B1');
    expect(model.order.fresh).toEqual(named('B1'));
  });

  it('highlights what others changed since the own last turn, by whom, and never what one did oneself', () => {
    const { model } = table(view({}, { seat: 0 }));
    const played = (rev: number, seat: number, next: number, sets: string[], tiles: string): void => {
      const laid: GameEvent = { event: 'laid', seat, table: sets.map((set) => named(set)), tiles: named(tiles) };
      const events: GameEvent[] = [laid, { event: 'turn_began', seat: next }];
      model.receive(update(view({ rev }, { seat: next, table: laid.table }), [{ kind: 'game_played', at: 0, seq: rev, by: 'player', events }]));
    };
    played(6, 0, 1, ['R1 R2 R3'], 'R1 R2 R3');
    expect([...model.highlighted]).toEqual([]);
    played(7, 1, 0, ['R1 R2 R3 R4'], 'R4');
    expect([...model.highlighted]).toEqual([[R4, 1]]);
    played(8, 0, 1, ['R1 R2 R3 R4', 'K9 R9 O9'], 'K9 R9 O9');
    expect([...model.highlighted]).toEqual([]);
    expect(model.lastMove).toBeNull();
  });

  it('shows doubles while the server says that they may be shown, and lets it find them', () => {
    const rack = [...named('R4 K9 R9'), ...named('R4 K9 R9', 1)];
    expect(table(view({ redeal: false }, { rack })).model.doubles).toBe(0);
    expect(table(view({ redeal: true }, { rack: rack.slice(1) })).model.doubles).toBe(0);
    expect(table(view({ redeal: true }, { rack: [...rack.slice(0, 4), ...named('* R1'), ...named('*', 1)] })).model.doubles).toBe(0);
    const { model, sent } = table(view({ redeal: true }, { rack, seat: 1 }));
    expect(model.doubles).toBe(3);
    model.showDoubles();
    expect(sent.commands).toContainEqual({ do: 'act', room: 'abcd', rev: 5, action: { action: 'request_redeal', seat: 0, tiles: [] } });
  });
});

describe('the start phase after a deal', () => {
  const dealt = (ready: number[], seat = 0) => view({ starts_at: 15_000, ready, redeal: true }, { seat, turns: [0, 0], table: [] });
  const ready = { do: 'ready', room: 'abcd', rev: 5 };

  it('says who goes first, and who is waited for', () => {
    expect(table(dealt([])).model.line.text).toBe('line.start_first');
    expect(table(dealt([], 1)).model.line.text).toBe('line.start_other Bo');
    expect(table(dealt([0], 1)).model.line.text).toBe('line.start_ready Bo');
    expect(table({ ...dealt([]), me: null }).model.line.text).toBe('line.start_spectator');
  });

  it('takes the first touch of a tile by the starter as ready, and nobody else’s', () => {
    const starter = table(dealt([]));
    starter.model.select(named('K9')[0] as number);
    expect(starter.sent.commands).toContainEqual(ready);
    const other = table(dealt([], 1));
    other.model.select(named('K9')[0] as number);
    expect(other.sent.commands).not.toContainEqual(ready);
    other.model.finish();
    expect(other.sent.commands).toContainEqual(ready);
  });

  it('says ready once', () => {
    const { model, sent } = table(dealt([0]));
    model.sayReady();
    expect(sent.commands).not.toContainEqual(ready);
    expect(model.mustSayReady).toBe(false);
  });

  it('keeps what was arranged when play begins', () => {
    const { model } = table(dealt([0]));
    model.newSet(named('K9 R9 O9'));
    model.receive(update({ ...dealt([0]), rev: 6, starts_at: null, ready: [], redeal: false }));
    expect(model.laid).toEqual(named('K9 R9 O9'));
    expect(model.said).toBe('said.your_turn Ada');
  });

  it('says that nothing was played while the others are waited for', async () => {
    const { model } = table(dealt([0]));
    model.draw();
    for (let turn = 0; turn < 9; turn += 1) await Promise.resolve();
    expect(model.note?.text).toBe('line.start_ready Bo');
  });

});

describe('a table where melds are only added to', () => {
  const melds = [{ tiles: named('B4 B5 B6'), owner: 1, holders: [1, 1, 1], reading: { kind: 'run' as const, low: 4, high: 6, colour: 2 } }];
  const rack = named('B7 K9 R9 O9 K1');
  const at = (phase: 'take' | 'play') => view({}, { phase, rack, melds, table: [], discards: named('R13'), melded: [true, true] });

  it('takes first', async () => {
    const start = at('take');
    const { model, sent } = table({ ...start, settings: { ...start.settings, planning: false } }, 'laying_off');
    expect(model.newSet([K9])).toBe(false);
    expect(model.note?.text).toBe('draft.take_first');
    model.take('discard');
    await settle();
    expect(sent.commands).toEqual([{ do: 'act', room: 'abcd', rev: 5, action: { action: 'take', seat: 0, source: 'discard' } }]);
  });

  it('plays old melds first, new ones after, and the discard', async () => {
    const { model, sent } = table(at('play'), 'laying_off');
    model.newSet([K9, R9, O9]);
    model.putInto(1, named('B7'), null);
    expect(model.mayFinish).toBe(false);
    model.chooseDiscard(named('K1')[0] as number);
    expect(model.rack).toEqual([]);
    model.finish();
    await settle();
    const action = sent.commands.find((command) => command.do === 'act');
    expect(action).toMatchObject({
      action: {
        action: 'play',
        melds: [{ tiles: named('B4 B5 B6 B7'), owner: 1 }, { tiles: [K9, R9, O9], owner: 0 }],
        discard: named('K1')[0],
      },
    });
  });

  it('only discards when nothing was laid', async () => {
    const { model, sent } = table(at('play'), 'laying_off');
    model.select(K9);
    model.finish();
    await settle();
    expect(sent.commands.at(-1)).toMatchObject({ action: { action: 'discard', tile: K9 } });
  });
});
