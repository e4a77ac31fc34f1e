// A puzzle on the table: it speaks the server's language to the table's model, has every draft judged, and hands what is
// declared done to whoever keeps the score.

import { Refusal } from '../api/live';
import type { Done, Fault, Judgement, Outcome, RoomView, View } from '../api/generated/live';
import type { BookCard, CheckAnswer, CheckRequest, JudgedAttempt, PuzzleCard, TurnStanding } from '../api/generated/http';
import type { Tile, Unsent } from '../api/types';
import { room } from '../tutorial/teacher';

/** What somebody does: lays sets, takes a tile, or holds. */
export interface Move {
  readonly sets: Tile[][] | null;
  readonly take: 'stock' | 'discard' | null;
}

export interface Host {
  check(turn: CheckRequest): Promise<CheckAnswer & { standing: TurnStanding }>;
  /** A turn that is declared done. */
  judge(move: Move): Promise<JudgedAttempt>;
  /** What the judge said; the table stays as it is unless it is solved. */
  judged(answer: JudgedAttempt, move: Move): void;
}

export class PuzzleVoice {
  /** The table as it is now; a solution changes it. */
  view: RoomView;

  private readonly book: BookCard;
  private readonly host: Host;
  private readonly first: View;

  constructor(card: PuzzleCard, names: readonly string[], book: BookCard, host: Host) {
    this.book = book;
    this.host = host;
    const game = card.game as unknown as View;
    this.first = { ...game, players: [...names], commitment: card.id };
    const made = room(this.first, card.book);
    const me = this.first.me ?? 0;
    const seats = made.seats.map((seat, index) => ({ ...seat, kind: index === me ? ('person' as const) : ('bot' as const), level: index === me ? null : 'club' }));
    this.view = { ...made, me, seats, settings: { ...made.settings, hints: false } };
  }

  now(): number {
    return Date.now();
  }

  async send(command: Unsent): Promise<Done> {
    const done: Done = { type: 'done', id: '', now: this.now() };
    if (command.do === 'draft') {
      const sets = command.melds?.map((meld) => meld.tiles) ?? command.table ?? null;
      if (sets === null) return done;
      const owners = command.melds?.map((meld) => meld.owner) ?? null;
      return { ...done, judgement: this.judgement(await this.host.check(this.request(sets, owners, command.discard ?? null)), sets) };
    }
    if (command.do === 'act') await this.act(command.action);
    return done;
  }

  private async act(action: Extract<Unsent, { do: 'act' }>['action']): Promise<void> {
    switch (action.action) {
      case 'lay':
        return this.declare(action.table, null, null);
      case 'play':
        return this.declare(
          action.melds.map((meld) => meld.tiles),
          action.melds.map((meld) => meld.owner),
          action.discard,
        );
      case 'take':
        return this.offer({ sets: null, take: action.source });
      default:
        return this.offer({ sets: null, take: null });
    }
  }

  private async declare(sets: Tile[][], owners: number[] | null, discard: Tile | null): Promise<void> {
    const answer = await this.host.check(this.request(sets, owners, discard));
    if (!answer.legal) {
      const faults = faultsOf(answer);
      throw new Refusal({ code: 'illegal', message: faults[0]?.message ?? '', faults });
    }
    await this.offer({ sets, take: null });
  }

  private async offer(move: Move): Promise<void> {
    this.host.judged(await this.host.judge(move), move);
  }

  /** The table as the solution leaves it; nobody is to move any more. */
  solved(table: Tile[][]): RoomView {
    const laid = new Set(table.flat());
    const layingOff = this.book.family === 'laying_off';
    const fresh = table.slice(this.first.melds.length).map((tiles) => ({
      tiles,
      owner: this.first.me ?? 0,
      holders: tiles.map(() => this.first.me ?? 0),
      reading: { kind: 'group' as const, low: 0, high: 0, colour: -1 },
    }));
    const grown = this.first.melds.map((meld, index) => ({ ...meld, tiles: table[index] ?? meld.tiles, holders: (table[index] ?? meld.tiles).map(() => meld.owner) }));
    const rack = this.first.rack.filter((tile) => !laid.has(tile));
    const old = new Set([...this.first.table.flat(), ...this.first.melds.flatMap((meld) => meld.tiles)]);
    const game: View = {
      ...this.first,
      table: layingOff ? [] : table,
      melds: layingOff ? [...grown, ...fresh] : [],
      rack,
      rack_sizes: this.first.rack_sizes.map((size, seat) => (seat === this.first.me ? rack.length : size)),
      seat: -1,
    };
    this.view = { ...this.view, game, rev: this.view.rev + 1, changed: table.flat().filter((tile) => !old.has(tile)) };
    return this.view;
  }

  private request(sets: readonly Tile[][], owners: readonly number[] | null, discard: Tile | null): CheckRequest {
    const faces = (tiles: readonly Tile[]): string[] => tiles.map((tile) => this.book.tiles[tile] ?? '');
    const { first } = this;
    const layingOff = this.book.family === 'laying_off';
    const before = layingOff ? first.melds.map((meld) => meld.tiles) : first.table;
    const left = discard ?? first.rack.find((tile) => !sets.flat().includes(tile)) ?? -1;
    const extra = {
      player: String(first.me ?? 0),
      owners_before: first.melds.map((meld) => String(meld.owner)),
      owners_after: (owners ?? []).map(String),
      discard: this.book.tiles[left] || null,
    };
    return {
      rulebook: this.book.id,
      table_before: before.map(faces),
      rack: faces(first.rack),
      table_after: sets.map(faces),
      has_melded: first.melded[first.me ?? 0] ?? true,
      ...(layingOff ? { extra } : {}),
    };
  }

  private judgement(answer: CheckAnswer & { standing: TurnStanding }, sets: readonly Tile[][]): Judgement {
    const { marks, points, needed } = answer.standing;
    const mine = new Set(this.first.rack);
    return {
      legal: answer.legal,
      marks,
      unplaced: sets.flatMap((set, index) => (marks[index] === false ? set : [])),
      laid: sets.flat().filter((tile) => mine.has(tile)).length,
      points,
      needed,
      faults: faultsOf(answer),
      outcome: answer.outcome as Outcome | null,
    };
  }
}

const faultsOf = (answer: CheckAnswer): Fault[] => answer.violations.map(({ code, clause, ruling, message }) => ({ code, clause, ruling, message }));
