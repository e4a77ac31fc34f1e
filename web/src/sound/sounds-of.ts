/** What an update of a room sounds like, and what a second of the clock does. */
import type { RoomView, Update } from '../api/generated/live';
import type { Sound } from './synth';

export interface Heard {
  readonly sound: Sound;
  readonly tiles: number;
}

/** Whose turn it is, as one person is concerned: theirs or not. */
export function isTurnOf(view: RoomView): boolean {
  return view.stage === 'playing' && view.me !== null && view.game?.seat === view.me && view.seats[view.me]?.stand_in == null;
}

/** Whether one's own turn has just begun. */
export function turnBegins(before: RoomView | null, after: RoomView): boolean {
  return before !== null && isTurnOf(after) && (!isTurnOf(before) || before.game?.game !== after.game?.game);
}

/**
 * The sounds of an update, in order. What a page only catches up with is silent. Who wants it calm hears what they must not miss, and
 * nothing of the tiles.
 */
export function soundsOf(before: RoomView | null, update: Update, calm: boolean): Heard[] {
  if (update.snapshot || before === null) return [];
  const played = update.events.flatMap((event) => (event.kind === 'game_played' || event.kind === 'game_started' ? event.events : []));
  const end = played.find((event) => event.event === 'game_ended');
  if (end !== undefined) {
    const me = update.view.me;
    const won = me !== null && end.winners.includes(me);
    return [{ sound: won ? 'win' : 'end', tiles: 0 }];
  }
  const heard: Heard[] = [];
  if (!calm) {
    for (const event of played) {
      if ((event.event === 'laid' || event.event === 'played') && event.tiles.length > 0) heard.push({ sound: 'lay', tiles: event.tiles.length });
      else if (event.event === 'discarded') heard.push({ sound: 'lay', tiles: 1 });
      else if (event.event === 'drew' || event.event === 'took') heard.push({ sound: 'draw', tiles: 1 });
    }
  }
  // A turn is at most one sound of tiles: laying covers what was taken before.
  const tiles = heard.find(({ sound }) => sound === 'lay') ?? heard[0];
  return [...(tiles ? [tiles] : []), ...(turnBegins(before, update.view) ? [{ sound: 'turn', tiles: 0 } as const] : [])];
}

/** The sound of a second that is left of one's own turn; null for none. Who wants it calm is told at ten and at three. */
export function soundOfSecond(seconds: number, calm: boolean): Sound | null {
  if (seconds <= 0 || seconds > 10 || (calm && seconds !== 10 && seconds !== 3)) return null;
  return seconds <= 3 ? 'last' : 'tick';
}
