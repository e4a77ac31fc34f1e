/** What is half done at a table: the running turn and the count being entered; a reload loses neither. */
import type { SheetPlace } from '../../api/generated/http';
import type { CountDraft } from '../../referee/count/draft';
import { type ServerClock, steadyNow } from '../../api/steady-clock';
import { type Moment, resumed, type Turn } from './clock/turn-clock';

interface Stored {
  place: string;
  turn: Turn | null;
  draft: CountDraft | null;
  kept?: Moment;
}

/** Without the laptop a turn from before a reload goes by the wall's clock after so long. */
const SURE_AFTER = 5000;

const placeOf = (address: SheetPlace): string => `${address.stage}/${address.sitting}/${address.table}`;

export class Work {
  turn: Turn | null = $state(null);
  draft: CountDraft | null = $state(null);
  readonly #name: string;
  readonly #place: string;
  readonly #clock: ServerClock;
  /** The turn as it was stored, until the laptop has said what time it is. */
  #stored: { turn: Turn; kept: Moment; shown: Turn } | null = null;
  unsure = $state(false);

  constructor(code: string, address: SheetPlace, clock: ServerClock) {
    this.#clock = clock;
    this.#name = `meldroom.work.${code}.${address.table}`;
    this.#place = placeOf(address);
    const stored = this.#read();
    if (stored?.place !== this.#place) return;
    this.draft = stored.draft;
    this.turn = stored.turn;
    if (!stored.turn || !stored.kept) return;
    const shown = resumed(stored.turn, stored.kept, this.#moment());
    this.turn = shown;
    this.#stored = { turn: stored.turn, kept: stored.kept, shown };
    this.unsure = true;
    setTimeout(() => (this.unsure = false), SURE_AFTER);
    this.resync();
  }

  #moment(): Moment {
    const own = steadyNow();
    return { own, wall: Date.now(), server: this.#clock.now(own), clock: this.#clock.id };
  }

  /** The laptop's time is known: a turn from before a reload is put right by it. */
  resync(): void {
    if (!this.#stored || this.#clock.offset === null) return;
    const { turn, kept, shown } = this.#stored;
    this.#stored = null;
    this.unsure = false;
    if (this.turn?.endsAt === shown.endsAt && this.turn.turn === shown.turn) this.turn = resumed(turn, kept, this.#moment());
  }

  #read(): Stored | null {
    try {
      return JSON.parse(localStorage.getItem(this.#name) ?? 'null') as Stored | null;
    } catch {
      return null;
    }
  }

  /** Call it in an effect: it reads everything that it keeps. */
  keep(): void {
    const stored: Stored = { place: this.#place, turn: this.turn, draft: this.draft, kept: this.#moment() };
    const text = JSON.stringify(stored);
    try {
      localStorage.setItem(this.#name, text);
    } catch {
      // Without storage it lasts as long as the page.
    }
  }
}
