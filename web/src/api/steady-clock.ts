/** A clock that no time sync moves: what turns and deadlines are measured by. */

/** Milliseconds since 1970 as the device knew it when the page was opened, and from then on only forwards. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** Messages may be this late; more means that this device slept, and its own clock with it. */
const LATEST = 2500;

/** The server's clock, as far as its answers tell it. */
export class ServerClock {
  /** What to add to this device's clock; null until the server has said something. */
  offset: number | null = null;
  /** Changes when the server starts anew: its clock then begins anew too. */
  id = '';

  /** The server's time; how long this device's own clock stood still meanwhile, in milliseconds. */
  hear(now: number, id: string, own = steadyNow()): number {
    const offset = now - own;
    const known = this.id === id ? this.offset : null;
    this.id = id;
    // A message can only be late, so the largest difference seen is the best one.
    this.offset = known === null ? offset : Math.max(known, offset);
    return known !== null && offset - known > LATEST ? offset - known : 0;
  }

  /** The server's time now, if it is known. */
  now(own = steadyNow()): number | null {
    return this.offset === null ? null : own + this.offset;
  }
}
