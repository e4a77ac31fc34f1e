import { describe, expect, it } from 'vitest';

import { Refusal } from '../../api/live';
import type { Fault, RoomView } from '../../api/generated/live';
import type { BookCard, CheckAnswer, CheckRequest } from '../../api/generated/http';
import { finishedLessons, LESSON_IDS, LESSONS, rememberFinished } from '../lessons';
import { NotebookMemory } from '../lesson-storage';
import { Teacher, type Aside } from '../teacher';
import { holds, laidWith, TileBox } from '../tiles';

const FACES = ['K', 'R', 'B', 'O'].flatMap((colour) => Array.from({ length: 26 }, (_, n) => `${colour}${(n % 13) + 1}`)).concat('*', '*');
const book = (id: string): BookCard =>
  ({ id, version: '1', family: id === 'rummyo' ? 'laying_off' : 'rearranging', tiles: FACES, opening_points: 30 }) as unknown as BookCard;
const lesson = (id: string) => LESSONS.find((one) => one.id === id)!;

interface Heard {
  reached: RoomView[];
  asides: Aside[];
  refused: (readonly Fault[])[];
  asked: CheckRequest[];
}

function seat(id: string, answer: Partial<CheckAnswer>): { teacher: Teacher; heard: Heard } {
  const heard: Heard = { reached: [], asides: [], refused: [], asked: [] };
  const judge = (turn: CheckRequest) => {
    heard.asked.push(turn);
    const standing = { marks: turn.table_after.map(() => true), points: 15, needed: 30 };
    return Promise.resolve({ id: null, legal: true, outcome: null, violations: [], ...answer, standing });
  };
  const teacher = new Teacher(lesson(id), book(lesson(id).book), judge, {
    names: ['You', 'Bo'],
    reached: (view) => heard.reached.push(view),
    aside: (key) => heard.asides.push(key),
    refused: (faults) => heard.refused.push(faults),
    hint: () => 'a hint',
  });
  return { teacher, heard };
}

const tilesOf = (teacher: Teacher, faces: string[]): number[] => {
  const rack = [...(teacher.view.game?.rack ?? [])];
  return faces.map((face) => rack.splice(rack.findIndex((tile) => FACES[tile] === face), 1)[0] as number);
};
const head = { do: 'act', room: 'tutorial', rev: 1 } as const;
const SHORT = { code: 'MELD_LT_30', clause: 'WRC 11 #4', ruling: 'R7', message: '15 points.' };

describe('a lesson', () => {
  it('exists for every id, in order, with tiles of the box', () => {
    expect(LESSONS.map((one) => one.id)).toEqual([...LESSON_IDS]);
    for (const one of LESSONS) expect(seat(one.id, {}).teacher.view.game?.rack).toHaveLength(one.rack.length);
  });

  it('is reached by laying what it asks for, and then lies still', async () => {
    const { teacher, heard } = seat('group', {});
    const table = [tilesOf(teacher, ['R9', 'B9', 'K9'])];
    await teacher.send({ ...head, action: { action: 'lay', seat: 0, table } });
    const [view] = heard.reached;
    expect(view?.game?.table).toEqual(table);
    expect(view?.game?.rack).toHaveLength(4);
    expect(view?.game?.seat).toBe(-1);
    expect(view?.rev).toBe(2);
    expect(heard.asked[0]).toMatchObject({ rulebook: 'wrc11', table_before: [], has_melded: true, table_after: [['R9', 'B9', 'K9']] });
  });

  it('says so gently when something legal is not enough, and changes nothing', async () => {
    const { teacher, heard } = seat('add', {});
    const before = teacher.view;
    const table = [...(before.game?.table ?? [])];
    await teacher.send({ ...head, action: { action: 'lay', seat: 0, table: [table[0]!, table[1]!, [...table[2]!, ...tilesOf(teacher, ['R4'])]] } });
    expect(heard.asides).toEqual(['not_yet']);
    await teacher.send({ ...head, action: { action: 'draw', seat: 0 } });
    expect(heard.asides).toEqual(['not_yet', 'no_draw']);
    expect(teacher.view).toBe(before);
    expect(teacher.reached).toBe(false);
  });

  it('is told of a refusal with the real violation', async () => {
    const { teacher, heard } = seat('group', { legal: false, violations: [SHORT] });
    const sent = teacher.send({ ...head, action: { action: 'lay', seat: 0, table: [tilesOf(teacher, ['R9', 'B9'])] } });
    await expect(sent).rejects.toBeInstanceOf(Refusal);
    expect(heard.refused[0]?.[0]?.clause).toBe('WRC 11 #4');
  });

  it('may want to be refused once; the turn then goes on', async () => {
    const { teacher, heard } = seat('refused', { legal: false, violations: [SHORT] });
    const sent = teacher.send({ ...head, action: { action: 'lay', seat: 0, table: [tilesOf(teacher, ['R5', 'B5', 'O5'])] } });
    await expect(sent).rejects.toBeInstanceOf(Refusal);
    expect(heard.reached).toHaveLength(1);
    expect(heard.refused).toHaveLength(0);
    expect(teacher.view.game?.seat).toBe(0);
  });

  it('may want a draw', async () => {
    const { teacher, heard } = seat('draw', {});
    await teacher.send({ ...head, action: { action: 'draw', seat: 0 } });
    expect(FACES[heard.reached[0]?.game?.rack.at(-1) ?? -1]).toBe('R4');
  });

  it('judges a draft and shows its play at the second hint', async () => {
    const { teacher } = seat('opening', { legal: false, violations: [SHORT] });
    const fives = tilesOf(teacher, ['R5', 'B5', 'O5']);
    const done = await teacher.send({ do: 'draft', room: 'tutorial', rev: 1, table: [fives] });
    expect(done.judgement).toMatchObject({ legal: false, points: 15, needed: 30, laid: 3, marks: [true] });
    expect((await teacher.send({ do: 'hint', room: 'tutorial', rev: 1, step: 1 })).hint).toMatchObject({ text: 'a hint', table: null });
    const shown = (await teacher.send({ do: 'hint', room: 'tutorial', rev: 1, step: 2 })).hint?.table;
    expect(shown?.map((set) => set.map((tile) => FACES[tile]))).toEqual(lesson('opening').solution);
  });
});

describe('a lesson of Rummy-O', () => {
  it('lets the discard be taken, and nothing else', async () => {
    const { teacher, heard } = seat('take', {});
    expect(teacher.view.game?.phase).toBe('take');
    await teacher.send({ ...head, action: { action: 'take', seat: 0, source: 'stock' } });
    expect(heard.asides).toEqual(['other_source']);
    await teacher.send({ ...head, action: { action: 'take', seat: 0, source: 'discard' } });
    expect(FACES[heard.reached[0]?.game?.rack.at(-1) ?? -1]).toBe('R9');
  });

  it('measures a play by its outcome and tells the server whose melds they are', async () => {
    const { teacher, heard } = seat('layoff', { outcome: 'OPEN_RUMMY' });
    const melds = (teacher.view.game?.melds ?? []).map((meld) => ({ tiles: [...meld.tiles], owner: meld.owner }));
    melds[1]!.tiles.push(...tilesOf(teacher, ['R13']));
    melds[2]!.tiles.push(...tilesOf(teacher, ['K8']));
    const [discard] = tilesOf(teacher, ['O2']);
    await teacher.send({ ...head, action: { action: 'play', seat: 0, melds, discard: discard! } });
    expect(heard.asked[0]?.extra).toEqual({ player: '0', owners_before: ['0', '0', '1'], owners_after: ['0', '0', '1'], discard: 'O2' });
    expect(heard.reached[0]?.game?.rack).toEqual([]);
  });
});

describe('tiles', () => {
  it('are handed out once', () => {
    const box = new TileBox(['R1', 'R1', '*']);
    expect(box.takeAll(['R1', 'R1'])).toEqual([0, 1]);
    expect(() => box.take('R1')).toThrow();
  });

  it('are found again in a solution', () => {
    expect(laidWith([['R1', 'R1']], [[1]], [0], ['R1', 'R1'])).toEqual([[1, 0]]);
    expect(() => laidWith([['R2']], [], [], ['R1'])).toThrow();
    expect(holds(['R1', 'R2'], ['R2'])).toBe(true);
    expect(holds(['R1'], ['R1', 'R1'])).toBe(false);
  });
});

it('remembers finished lessons, and takes strange memories for none', () => {
  const memory = new NotebookMemory();
  rememberFinished(memory, new Set(['group', 'run']));
  expect([...finishedLessons(memory)]).toEqual(['group', 'run']);
  memory.setItem('meldroom.tutorial', '{"x":');
  expect(finishedLessons(memory).size).toBe(0);
});
