// What a person does by hand: choosing tiles, moving them, undoing it. Nothing here is final.

import type { Tile } from '../../api/types';
import { arranged, DraftError, meantAs, onRack, setOf, split, toNewSet, toRack, toSet, type Draft, type Kind } from '../draft/draft';
import { isJoker } from '../../ui/tiles/faces';
import { changed, redone, undone } from '../draft/undo';
import { Position } from './position-model.svelte';
import type { FreePlace } from '../input/drag.svelte';
import { moved, movedTo, remember, rememberSorting, shifted, spaced, sorted } from '../board/rack-order';

/** How long a passing remark stays in the line. */
const REMARK_TIME = 4_000;

export abstract class Desk extends Position {
  /** The draft lies otherwise than before: it is kept, and the server is told. */
  protected abstract draftChanged(): void;

  // Selecting

  select(tile: Tile, on = !this.selected.includes(tile)): void {
    this.selected = on ? [...this.selected.filter((one) => one !== tile), tile] : this.selected.filter((one) => one !== tile);
    const name = this.tileName(tile);
    this.said = on ? this.say('said.selected', { tile: name, count: this.selected.length }) : this.say('said.unselected', { tile: name });
  }

  selectSet(tile: Tile): void {
    const set = setOf(this.draft, tile);
    if (set !== null) this.selected = [...set.tiles];
  }

  unselect(): void {
    this.selected = [];
  }

  /** A tap on a tile: it is chosen, or is the place for what is chosen. */
  tap(tile: Tile, adding: boolean): void {
    const here = setOf(this.draft, tile);
    const chosen = this.selected;
    if (tile === this.discard) return this.chooseDiscard(null);
    if (adding || chosen.length === 0 || chosen.includes(tile)) return this.select(tile);
    const mine = chosen.every((one) => this.draft.held.includes(one) && setOf(this.draft, one) !== null);
    if (here === null) {
      if (mine) return void this.takeBack(chosen);
      return this.select(tile);
    }
    if (chosen.some((one) => here.tiles.includes(one))) return this.select(tile);
    if (!this.mayDraft) return this.select(tile);
    this.putBeside(tile, chosen);
  }

  /** Into the set of a tile of the table. A joker goes to the end that was pointed at: nothing else tells where. */
  putBeside(tile: Tile, tiles: readonly Tile[]): boolean {
    const set = setOf(this.draft, tile);
    if (set === null) return false;
    const at = set.tiles.indexOf(tile);
    const jokers = tiles.every((one) => isJoker(this.book.tiles, one));
    return this.putInto(set.id, tiles, set.fixed ? at : jokers && at === 0 ? 0 : null);
  }

  // Changing the draft

  protected apply(make: (draft: Draft) => Draft, said: (after: Draft) => string): boolean {
    if (!this.mayDraft) {
      this.tellWhyNot();
      return false;
    }
    this.showing = null;
    this.misfits = [];
    try {
      const after = make(this.draft);
      this.history = changed(this.history, after);
      this.settleChange();
      this.said = said(after);
      return true;
    } catch (error) {
      if (!(error instanceof DraftError)) throw error;
      this.remark(this.say(`draft.${error.key}`));
      return false;
    }
  }

  protected tellWhyNot(): void {
    const phase = this.game?.phase;
    const key = !this.myTurn ? 'not_your_turn' : phase === 'take' ? 'take_first' : phase === 'opening_discard' ? 'only_discard' : 'not_your_turn';
    this.remark(this.say(`draft.${key}`));
  }

  protected remark(text: string): void {
    const note = { kind: 'plain', text, faults: [] } as const;
    this.note = note;
    this.said = text;
    setTimeout(() => {
      if (this.note === note) this.note = null;
    }, REMARK_TIME);
  }

  private settleChange(): void {
    this.selected = [];
    this.asking = null;
    this.note = null;
    if (this.discard !== null && this.laid.includes(this.discard)) this.discard = null;
    this.changedDraft();
  }

  private changedDraft(): void {
    this.mover = null;
    this.moves += 1;
    if (!this.touched && this.discard === null) this.judgement = null;
    this.draftChanged();
  }

  putInto(id: number, tiles: readonly Tile[], at: number | null): boolean {
    const number = this.draft.sets.findIndex((set) => set.id === id) + 1;
    return this.apply((draft) => toSet(draft, tiles, id, at, this.box), () => this.say('said.put', { tiles: this.tileNames(tiles), number }));
  }

  newSet(tiles: readonly Tile[] = this.selected): boolean {
    return this.apply(
      (draft) => toNewSet(draft, tiles, this.box),
      (after) => this.say('said.new_set', { tiles: this.tileNames(tiles), number: after.sets.length }),
    );
  }

  /** A whole table at once. */
  arrange(table: readonly (readonly Tile[])[]): boolean {
    return this.apply((draft) => arranged(draft, table, this.box), () => this.say('said.arranged'));
  }

  takeBack(tiles: readonly Tile[] = this.selected, before: Tile | null = null): boolean {
    const done = this.apply((draft) => toRack(draft, tiles, this.box), () => this.say('said.back', { tiles: this.tileNames(tiles) }));
    if (done && before !== null) this.reorder(tiles, before);
    return done;
  }

  /** The selection goes to the rack: what was laid comes back, the rest is put in another order. */
  putOnRack(before: Tile | null): void {
    const chosen = this.selected;
    const back = chosen.filter((tile) => setOf(this.draft, tile) !== null);
    if (back.length > 0) this.takeBack(back, before);
    else {
      this.reorder(chosen, before);
      this.selected = [];
    }
  }

  splitBefore(tile: Tile): boolean {
    const set = setOf(this.draft, tile);
    const number = set === null ? 0 : this.draft.sets.indexOf(set) + 1;
    return this.apply(
      (draft) => split(draft, set?.id ?? -1, set?.tiles.indexOf(tile) ?? 0),
      () => this.say('said.split', { number }),
    );
  }

  meant(id: number, kind: Kind): void {
    this.apply((draft) => meantAs(draft, id, kind), () => '');
  }

  undo(): void {
    if (this.history.past.length === 0) return this.remark(this.say('draft.nothing_to_undo'));
    this.history = undone(this.history);
    this.settleChange();
    this.said = this.say('said.undone');
  }

  redo(): void {
    if (this.history.future.length === 0) return this.remark(this.say('draft.nothing_to_redo'));
    this.history = redone(this.history);
    this.settleChange();
    this.said = this.say('said.redone');
  }

  reset(): void {
    const first = this.history.past[0] ?? this.draft;
    this.history = changed(this.history, first);
    this.discard = null;
    this.settleChange();
    this.said = this.say('said.reset');
  }

  chooseDiscard(tile: Tile | null): void {
    const phase = this.game?.phase;
    if (!this.layingOff || !this.myTurn || (phase !== 'play' && phase !== 'opening_discard')) return this.tellWhyNot();
    if (tile !== null && !onRack(this.draft).includes(tile)) return this.remark(this.say('draft.one_discard'));
    this.discard = tile;
    this.selected = [];
    this.note = null;
    if (tile !== null) this.said = this.say('said.discard', { tile: this.tileName(tile) });
    this.changedDraft();
  }

  // The rack

  reorder(tiles: readonly Tile[], before: Tile | null, free: FreePlace | null = null): void {
    this.order = free === null ? moved(this.order, tiles, before) : movedTo(this.order, tiles, free.place, this.rack, free.of);
    this.keepOrder();
  }

  sort(sorting: 'runs' | 'groups'): void {
    this.order = sorted(this.order, this.book.tiles, sorting);
    rememberSorting(this.memory, sorting);
    this.said = this.say(`said.sorted_${sorting}`);
    this.keepOrder();
  }

  shift(tile: Tile, step: -1 | 1): void {
    this.order = shifted(this.order, tile, this.rack, step);
    this.keepOrder();
  }

  /** One free place more or less before a tile of the rack. */
  space(tile: Tile, step: -1 | 1): void {
    if (!this.rack.includes(tile)) return;
    this.order = spaced(this.order, tile, step);
    this.said = this.say('said.space', { count: this.order.gaps[tile] ?? 0, tile: this.tileName(tile) });
    this.keepOrder();
  }

  private keepOrder(): void {
    this.mover = null;
    this.moves += 1;
    remember(this.memory, this.room, this.order);
  }
}
