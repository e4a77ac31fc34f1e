// A plan on a table that has changed underneath: what still fits stays, the rest comes back.

import { setOf, toSet, DraftError, type Box, type Draft, type DraftSet } from './draft';
import type { Tile } from '../../ui/tiles/faces';

export interface Rebased {
  readonly draft: Draft;
  /** Tiles of the rack that no longer fit where they were planned. */
  readonly lost: readonly Tile[];
}

/** A plan laid on a fresh draft of the table as it is now. */
export function rebased(plan: Draft, fresh: Draft, box: Box): Rebased {
  return plan.before.some((set) => set.fixed) || fresh.before.some((set) => set.fixed) || plan.me >= 0 ? melds(plan, fresh, box) : sets(plan, fresh, box);
}

const key = (tiles: readonly Tile[]): string => [...tiles].sort((a, b) => a - b).join(' ');

/** Planned sets that share tiles of old sets belong together: all of them fit, or none. */
function components(plan: Draft): { readonly made: DraftSet[]; readonly old: DraftSet[] }[] {
  const untouched = new Set(plan.before.map((set) => key(set.tiles)));
  const found: { made: DraftSet[]; old: DraftSet[] }[] = [];
  for (const set of plan.sets.filter((one) => !untouched.has(key(one.tiles)))) {
    const old = plan.before.filter((one) => one.tiles.some((tile) => set.tiles.includes(tile)));
    const joined = found.filter((one) => one.old.some((each) => old.includes(each)));
    for (const one of joined) found.splice(found.indexOf(one), 1);
    const all = new Set([...joined.flatMap((one) => one.old), ...old]);
    found.push({ made: [...joined.flatMap((one) => one.made), set], old: [...all] });
  }
  return found;
}

function sets(plan: Draft, fresh: Draft, box: Box): Rebased {
  const lost: Tile[] = [];
  let now = fresh;
  for (const { made, old } of components(plan)) {
    const own = made.flatMap((set) => set.tiles.filter((tile) => plan.held.includes(tile)));
    if (own.some((tile) => !fresh.held.includes(tile))) continue;
    const there = old.map((set) => fresh.sets.find((one) => key(one.tiles) === key(set.tiles)));
    if (there.every((set) => set !== undefined)) now = exchanged(now, there as DraftSet[], made);
    else now = joinedTo(now, made, old, own, box) ?? (lost.push(...own), now);
  }
  return { draft: now, lost };
}

/** With some sets of the table replaced by planned ones, in their place. */
function exchanged(draft: Draft, old: readonly DraftSet[], made: readonly DraftSet[]): Draft {
  let { nextId } = draft;
  const free = old.map((set) => set.id);
  const fresh = made.map((set) => ({ ...set, id: free.shift() ?? nextId++ }));
  const at = Math.min(...old.map((set) => draft.sets.findIndex((one) => one.id === set.id)), draft.sets.length);
  const rest = draft.sets.filter((set) => !old.some((one) => one.id === set.id));
  return { ...draft, nextId, sets: [...rest.slice(0, at), ...fresh, ...rest.slice(at)] };
}

/** With tiles added to what their set has become; null if more than adding was planned. */
function joinedTo(draft: Draft, made: readonly DraftSet[], old: readonly DraftSet[], own: readonly Tile[], box: Box): Draft | null {
  if (made.length !== 1 || old.length !== 1) return null;
  const tiles = old[0]?.tiles ?? [];
  const homes = [...new Set(tiles.map((tile) => setOf(draft, tile)))];
  return homes.length === 1 && homes[0] ? attempted(() => toSet(draft, own, (homes[0] as DraftSet).id, null, box)) : null;
}

function attempted(make: () => Draft): Draft | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DraftError)) throw error;
    return null;
  }
}

/** Melds only grow and keep their order: tiles are added again where they were, own melds follow. */
function melds(plan: Draft, fresh: Draft, box: Box): Rebased {
  const lost: Tile[] = [];
  let now = fresh;
  const claimed = new Set<Tile>();
  plan.before.forEach((before, index) => {
    const planned = plan.sets[index]?.tiles ?? [];
    const home = fresh.sets[index];
    if (home === undefined || key(planned) === key(before.tiles)) return;
    const own = planned.filter((tile) => !before.tiles.includes(tile) && fresh.held.includes(tile));
    if (key(home.tiles) === key(before.tiles)) {
      for (const tile of before.tiles) if (!planned.includes(tile)) claimed.add(tile);
      now = { ...now, sets: now.sets.map((set) => (set.id === home.id ? { ...set, tiles: planned } : set)) };
      return;
    }
    const adds = before.tiles.every((tile) => planned.includes(tile));
    now = (adds ? attempted(() => toSet(now, own, home.id, null, box)) : null) ?? (lost.push(...own), now);
  });
  for (const set of plan.sets.slice(plan.before.length)) {
    const fits = set.tiles.every((tile) => fresh.held.includes(tile) || claimed.has(tile));
    if (fits) now = { ...now, nextId: now.nextId + 1, sets: [...now.sets, { ...set, id: now.nextId }] };
    else lost.push(...set.tiles.filter((tile) => fresh.held.includes(tile)));
  }
  return { draft: now, lost };
}
