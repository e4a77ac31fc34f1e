// A game in words: its sets, racks, players and piles, for whoever hears it.

import type { DraftSet } from '../table/draft/draft';
import { t } from '../locales/text';
import { tidy } from '../table/board/tile-order';
import type { Entry } from '../table/model/chronicle';
import { rebuilt } from '../table/model/lay-text';
import type { TableModel } from '../table/model/table-model.svelte';
import { inWords, partsOf } from '../ui/tiles/tile-message';
import { setName } from '../ui/tiles/tile-names';

export class GameWords {
  constructor(private readonly model: TableModel) {}

  readonly name = (faces: readonly string[]): string => setName(faces, this.model.book.colours);

  /** A text whose tiles are marked. */
  text(marked: string): string {
    return inWords(partsOf(marked), this.name);
  }

  /** The line under the table without the last move, which was told when it was made. */
  get line(): string {
    const text = this.text(this.model.line.text);
    const last = this.model.chronicle.entries.map((entry) => this.text(entry.texts.join(' '))).findLast((each) => each !== '' && text.startsWith(each));
    return last === undefined ? text : text.slice(last.length).replace(/^[\s·]+/, '') || text;
  }

  faces(tiles: readonly number[]): string[] {
    return tiles.map((tile) => this.model.book.tiles[tile] ?? '');
  }

  set(set: Pick<DraftSet, 'tiles' | 'owner'>, index: number): string {
    const { marks, me, names, book } = this.model;
    const values = { number: index + 1, tiles: this.name(this.faces(tidy(book.tiles, set.tiles))) };
    const bad = marks?.[index] === false ? `, ${t('set.broken')}` : '';
    if (set.owner === null || set.owner < 0) return t('set', values) + bad;
    return (set.owner === me ? t('set.of_you', values) : t('set.of', { ...values, name: names[set.owner] ?? '' })) + bad;
  }

  /** Sets that a move put together from others: its sentence only counts them. */
  rebuilt({ before, after }: Entry): string[] {
    const places = rebuilt(before.map(({ tiles }) => tiles), after.map(({ tiles }) => tiles));
    return places.map((place) => t('set.now', { number: place + 1, tiles: this.name(this.faces(tidy(this.model.book.tiles, after[place]?.tiles ?? []))) }));
  }

  get rack(): string {
    const { rack } = this.model;
    if (rack.length === 0) return t('rack.empty');
    return `${t('part.rack', { count: rack.length })}. ${this.faces(rack).map((face) => this.name([face])).join(', ')}`;
  }

  player(seat: number): string {
    const { game, me, names } = this.model;
    const held = game?.rack_sizes[seat] ?? 0;
    const who = seat === me ? t('player.you', { count: held }) : t('player', { name: names[seat] ?? '', count: held });
    return [who, ...(game?.melded[seat] ? [t('player.opened')] : []), ...(game?.seat === seat ? [t('player.turn')] : [])].join(', ');
  }

  get pool(): string {
    return t(this.model.layingOff ? 'stock' : 'pool', { count: this.model.game?.pool_size ?? 0 });
  }

  get discard(): string {
    const top = this.model.game?.discards.at(-1);
    return top === undefined ? t('discard.none') : t('discard', { tile: this.model.tileName(top) });
  }
}
