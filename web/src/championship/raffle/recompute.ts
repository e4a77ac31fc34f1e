/** A raffle computed again from what was published: the same as the script in docs/seating.md, in the reader's browser. */
import type { DrawPage } from '../../api/generated/http';
import { hex, hmac, sha256 } from './sha256';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const ATTEMPTS = 5;
const EXCHANGES = 400;
const RESTING = 30;
/** Draws of which the best counts, where earlier opponents or short tables are avoided. */
const DRAWS = 100;

/** Whether a seed and the digest of the list give the commitment that was published before. */
export const fits = (digest: string, seed: string, commitment: string): boolean =>
  hex(sha256(text(`${digest} ${seed}`))) === commitment;

type Order = <Item>(label: string, items: readonly Item[]) => Item[];

/** Orders from a seed: shuffled from the last place down by 64-bit words; uneven words are passed over. */
export function orders(seed: string, contributions: readonly string[]): Order {
  const key = text(seed);
  return (label, items) => {
    const message = text(JSON.stringify([...contributions, label]));
    const shuffled = [...items];
    let counter = 0;
    let block = new DataView(new ArrayBuffer(0));
    let at = 0;
    function word(): bigint {
      if (at >= block.byteLength) {
        const count = new DataView(new ArrayBuffer(8));
        count.setBigUint64(0, BigInt(counter));
        block = new DataView(hmac(key, message, new Uint8Array(count.buffer)).buffer as ArrayBuffer);
        counter += 1;
        at = 0;
      }
      at += 8;
      return block.getBigUint64(at - 8);
    }
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const limit = BigInt(last + 1);
      const fair = 2n ** 64n - (2n ** 64n % limit);
      let drawn = word();
      while (drawn >= fair) drawn = word();
      const other = Number(drawn % limit);
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  };
}

/** The tables of every sitting by entrants' numbers; null if no draw keeps the groups apart. */
export function redraw({ draw, numbers, plan }: DrawPage): number[][][] | null {
  if (draw.seed === null) return null;
  const order = orders(draw.seed, [draw.digest, ...draw.words]);
  const everybody = numbers.map((_, index) => index);
  const groups = draw.apart.map((group) => group.map((number) => numbers.indexOf(number)));
  const met = everybody.map(() => new Set<number>());
  for (const sitting of draw.apart_in === 'all' ? plan : plan.slice(0, 1)) {
    for (const table of sitting) for (const one of table) for (const other of table) if (one !== other) met[one].add(other);
  }
  const apart = everybody.map((player) => {
    const others = new Set(groups.filter((group) => group.includes(player)).flat());
    others.delete(player);
    return others;
  });
  const avoids = Boolean(draw.met?.length || draw.short?.length);
  let best: { tables: number[][][]; again: [number, number] } | null = null;
  for (let attempt = 0; attempt < (avoids ? DRAWS : ATTEMPTS); attempt += 1) {
    const drawn = order(`numbers ${attempt}`, everybody);
    if (!settled(drawn, met, apart, order, attempt)) continue;
    const tables = plan.map((sitting) => sitting.map((table) => table.map((number) => numbers[drawn[number]])));
    const again: [number, number] = avoids ? avoided(tables.flat(), draw.met ?? [], draw.short ?? []) : [0, 0];
    if (!best || again[0] < best.again[0] || (again[0] === best.again[0] && again[1] < best.again[1])) best = { tables, again };
    if (!again[0] && !again[1]) break;
  }
  return best?.tables ?? null;
}

/** How many sit at a short table again, and how many pairs who met before meet again. */
function avoided(tables: number[][], met: readonly (readonly number[])[], short: readonly number[]): [number, number] {
  const full = Math.max(...tables.map((table) => table.length));
  const earlier = met.map((table) => new Set(table));
  const again = tables.filter((table) => table.length < full).flat().filter((number) => short.includes(number)).length;
  const pairs = tables.flatMap((table) => table.flatMap((one, place) => table.slice(place + 1).map((two) => [one, two])));
  return [again, pairs.filter(([one, two]) => earlier.some((table) => table.has(one) && table.has(two))).length];
}

/** Exchange numbers, two at a time, until nobody meets one they must be kept apart from. */
function settled(drawn: number[], met: Set<number>[], apart: Set<number>[], order: Order, attempt: number): boolean {
  const clashes = (number: number): number => {
    let count = 0;
    for (const other of met[number]) if (apart[drawn[number]].has(drawn[other])) count += 1;
    return count;
  };
  const exchange = (one: number, two: number): void => {
    [drawn[one], drawn[two]] = [drawn[two], drawn[one]];
  };
  const change = (one: number, two: number): number => {
    const before = clashes(one) + clashes(two);
    exchange(one, two);
    const after = clashes(one) + clashes(two);
    exchange(one, two);
    return after - before;
  };
  let resting: number[] = [];
  for (let step = 0; step < EXCHANGES; step += 1) {
    const clashing = drawn.map((_, number) => number).filter((number) => clashes(number) > 0);
    if (!clashing.length) return true;
    const one = order(`clash ${attempt} ${step}`, clashing)[0];
    const changes = drawn
      .map((_, two) => two)
      .filter((two) => two !== one && !resting.includes(two))
      .map((two) => ({ two, by: change(one, two) }));
    const least = Math.min(...changes.map(({ by }) => by));
    const best = changes.filter(({ by }) => by === least).map(({ two }) => two);
    const two = order(`exchange ${attempt} ${step}`, best)[0];
    exchange(one, two);
    const rest = Math.floor(drawn.length / 3);
    resting = rest ? [...resting, one, two].slice(-rest).slice(-RESTING) : [...resting, one, two].slice(-RESTING);
  }
  return !drawn.some((_, number) => clashes(number) > 0);
}
