/** Opening a room: the request, the visitor's own word for the shuffle, and the way to its page. */
import { api } from '../api/http';
import { Refusal } from '../api/live';
import type { OpenRoom } from '../api/generated/http';
import type { RoomView } from '../api/generated/live';
import { bookCard, levelsOf, listedAs } from '../api/catalogue.svelte';
import { isOffline, navigate } from '../router.svelte';
import { ensureSession, live } from '../api/session.svelte';

const SOUNDS = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'no', 'pe', 'ra', 'si', 'ta', 'vo', 'zu', 'le', 'ro'];

/** A word that nobody can know before: it is this browser's part of the shuffle. */
export function ownWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => SOUNDS[byte % SOUNDS.length]).join('');
}

/** Another game like the one of a room: the same settings, bots where bots sat, and open seats for people. */
export async function openAgain(view: RoomView): Promise<void> {
  const chairs = view.seats.map((seat, index) => (index === view.me ? 'me' : seat.kind === 'bot' ? (seat.level ?? 'open') : 'open'));
  await openRoom({ settings: view.settings, chairs, begin: !chairs.includes('open'), word: ownWord() });
}

/** The level next to one: a step up, or down; at the end of the ladder the other way. */
export function neighbour(level: string, levels: readonly string[], up: boolean): string {
  const at = levels.indexOf(level);
  if (at < 0 || levels.length < 2) return levels[0] ?? level;
  const next = at + (up ? 1 : -1);
  return levels[next] ?? levels[at + (up ? -1 : 1)] ?? level;
}

/**
 * A game like the one of a room against somebody else. Bots are a step stronger after a win, and weaker after a
 * loss, and the game starts at once. With people it is a public table: one that waits for somebody, or a new one.
 */
export async function newOpponent(view: RoomView, inText = false): Promise<void> {
  const people = view.seats.some((seat, index) => index !== view.me && seat.kind === 'person');
  if (people) return anotherTable(view, inText);
  const book = bookCard(view.settings.book);
  const levels = levelsOf(book).map((level) => level.id);
  const won = view.me === null || (view.game?.result?.winners ?? []).includes(view.me);
  const chairs = view.seats.map((seat, index) => (index === view.me ? 'me' : neighbour(listedAs(seat.level ?? '', book), levels, won)));
  const names = view.seats.flatMap((seat) => (seat.kind === 'bot' ? [seat.name] : []));
  await openRoom({ settings: view.settings, chairs, begin: true, word: ownWord(), other_names: names }, inText);
}

/** Sit down at a public table of the same book and size that waits for somebody; else open one. */
async function anotherTable(view: RoomView, inText: boolean): Promise<void> {
  const me = await ensureSession();
  const { open } = await api.lobby();
  const same = open.filter((card) => card.book === view.settings.book && card.seats === view.seats.length && !card.players.includes(me.id));
  for (const card of same) {
    try {
      await live.send({ do: 'sit', room: card.room, seat: card.names.indexOf(''), word: ownWord() });
      return navigate(inText ? `/r/${card.room}/text` : `/r/${card.room}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // Somebody was faster.
    }
  }
  const chairs = view.seats.map((seat, index) => (index === view.me ? 'me' : seat.kind === 'bot' ? (seat.level ?? 'open') : 'open'));
  await openRoom({ settings: { ...view.settings, public: true }, chairs, begin: false, word: ownWord() }, inText);
}

/** Open a room and go to its table. Offline nobody waits for us, so no bot takes our seat while we are away. */
export async function openRoom(request: OpenRoom, inText = false): Promise<void> {
  await ensureSession();
  const settings = isOffline ? { ...request.settings, stand_in_after: 0 } : request.settings;
  const { room } = await api.openRoom({ ...request, settings });
  navigate(inText ? `/r/${room}/text` : `/r/${room}`);
}
