// The keyboard alone plays the whole table: where the focus is, and what each key does there.

import { tick } from 'svelte';
import type { Drag } from './drag.svelte';
import { intentOf, target, type Direction, type Intent } from './keyboard';
import type { TableModel } from '../model/table-model.svelte';
import { doInTurn, isTurnAction } from './turn-actions';

export interface Surroundings {
  readonly model: () => TableModel;
  readonly root: () => HTMLElement | undefined;
  readonly drag: Drag;
  readonly showKeys: () => void;
  /** Escape was pressed and nothing of the table's own was left to close. */
  readonly nothingLeft: () => void;
}

/** What somebody who only looks on may still do. */
const LOOKING: ReadonlySet<Intent['do']> = new Set(['go', 'keys', 'cancel']);

export class Hands {
  private readonly around: Surroundings;

  constructor(around: Surroundings) {
    this.around = around;
  }

  private get model(): TableModel {
    return this.around.model();
  }

  keydown(event: KeyboardEvent): void {
    const at = event.target as HTMLElement;
    const root = this.around.root();
    // After a change of page the focus is on what surrounds the table: keys pressed there are for the table too.
    const ours = root != null && (at.contains(root) || root.contains(at));
    if (!ours || at.matches('input, textarea, select')) return;
    const intent = intentOf(event);
    if (intent === null) return;
    // A button or a link that is no place of the table keeps the keys that buttons have.
    const button = at.closest('button, a') !== null && !at.hasAttribute('data-spot');
    if (button && (intent.do === 'select' || intent.do === 'put' || intent.do === 'go')) return;
    if (this.model.me === null && !LOOKING.has(intent.do)) return;
    event.preventDefault();
    if (intent.do === 'go') this.go(intent.to);
    else void this.holdFocus(() => this.perform(intent));
  }

  private spots(zone?: string): HTMLElement[] {
    const all = [...(this.around.root()?.querySelectorAll<HTMLElement>('[data-spot]:not(:disabled)') ?? [])];
    return zone === undefined ? all : all.filter((element) => element.dataset.spot === zone);
  }

  private go(to: Direction): void {
    const all = this.spots();
    const from = all.indexOf(document.activeElement as HTMLElement);
    const places = all.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { zone: element.dataset.spot ?? '', x: left + width / 2, y: top + height / 2, height };
    });
    if (from < 0) (this.spots('rack')[0] ?? all[0])?.focus();
    else all[target(places, from, to)]?.focus();
  }

  /** Keep a place for the keyboard when the element that had it has moved elsewhere. */
  private async holdFocus(act: () => void): Promise<void> {
    const active = document.activeElement as HTMLElement | null;
    const zone = active?.dataset.spot;
    const index = this.spots(zone).indexOf(active as HTMLElement);
    act();
    await tick();
    if (zone === undefined || this.around.root()?.contains(document.activeElement) === true) return;
    const own = this.spots(zone);
    (own[Math.min(index, own.length - 1)] ?? this.spots()[0])?.focus();
  }

  /** The tile that has the focus. */
  private under(): number | null {
    const text = (document.activeElement as HTMLElement | null)?.dataset.tile;
    return text === undefined ? null : Number(text);
  }

  /** The selection, or without one the tile that has the focus. */
  private meant(): readonly number[] {
    const tile = this.under();
    return this.model.selected.length > 0 || tile === null ? this.model.selected : [tile];
  }

  private put(): void {
    const { model } = this;
    const element = document.activeElement as HTMLElement | null;
    const tile = this.under();
    if (element?.hasAttribute('data-new') === true) model.newSet();
    else if (tile === null || !element?.matches('[data-spot][data-tile]')) element?.click();
    else if (model.selected.length === 0 || (model.selected.length === 1 && model.selected[0] === tile)) model.select(tile);
    else if (element.dataset.spot === 'rack') model.putOnRack(tile);
    else model.putBeside(tile, model.selected);
  }

  private perform(intent: Exclude<Intent, { do: 'go' }>): void {
    const { model } = this;
    if (isTurnAction(intent.do)) return doInTurn(model, intent.do);
    const tile = this.under();
    switch (intent.do) {
      case 'shift':
        return tile === null ? undefined : model.shift(tile, intent.step);
      case 'space':
        return tile === null ? undefined : model.space(tile, intent.step);
      case 'select':
        return tile === null ? (document.activeElement as HTMLElement | null)?.click() : model.select(tile);
      case 'select_set':
        return tile === null ? undefined : model.selectSet(tile);
      case 'put':
        return this.put();
      case 'new_set':
        return void model.newSet(this.meant());
      case 'take_back':
        return void model.takeBack(this.meant());
      case 'split':
        return tile === null ? undefined : void model.splitBefore(tile);
      case 'take_discard':
        return model.layingOff ? model.take('discard') : undefined;
      case 'discard':
        return model.layingOff ? model.chooseDiscard(this.meant()[0] ?? null) : undefined;
      case 'sort_runs':
        return model.sort('runs');
      case 'sort_groups':
        return model.sort('groups');
      case 'keys':
        return this.around.showKeys();
      case 'cancel':
        return this.cancel();
    }
  }

  private cancel(): void {
    const { model } = this;
    if (this.around.drag.active) this.around.drag.cancel();
    else if (model.asking !== null) model.ask(null);
    else if (model.selected.length > 0) model.unselect();
    else if (model.note !== null) model.note = null;
    else this.around.nothingLeft();
  }
}
