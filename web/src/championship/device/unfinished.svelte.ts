/** What is half done at a table: the running turn and the count being entered; a reload loses neither. */
import type { SheetPlace } from '../../api/generated/http';
import type { CountDraft } from '../../referee/count/draft';
import type { Turn } from './clock/turn-clock';

interface Stored {
  place: string;
  turn: Turn | null;
  draft: CountDraft | null;
}

const placeOf = (address: SheetPlace): string => `${address.stage}/${address.sitting}/${address.table}`;

export class Work {
  turn: Turn | null = $state(null);
  draft: CountDraft | null = $state(null);
  readonly #name: string;
  readonly #place: string;

  constructor(code: string, address: SheetPlace) {
    this.#name = `meldroom.work.${code}.${address.table}`;
    this.#place = placeOf(address);
    const stored = this.#read();
    if (stored?.place !== this.#place) return;
    this.turn = stored.turn;
    this.draft = stored.draft;
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
    const stored: Stored = { place: this.#place, turn: this.turn, draft: this.draft };
    const text = JSON.stringify(stored);
    try {
      localStorage.setItem(this.#name, text);
    } catch {
      // Without storage it lasts as long as the page.
    }
  }
}
