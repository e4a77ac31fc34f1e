/** A table's device: its page, and over it what has been entered here and waits for the laptop. */
import { newId } from '../../api/championships';
import type { Call, Sheet, SheetPlace, TablePage } from '../../api/generated/http';
import type { Played } from '../../api/types';
import { lastPages } from './storage/indexed-db';
import { HallDevice } from './hall-device.svelte';

export class TableDevice extends HallDevice {
  override readonly table: number;
  page: TablePage | null = $state.raw(null);

  constructor(code: string, key: string, table: number) {
    super(code, key, table);
    this.table = table;
  }

  get sheet(): Sheet | null {
    return this.page?.sheet ?? null;
  }

  get address(): SheetPlace | null {
    return this.sheet && { stage: this.sheet.stage, sitting: this.sheet.sitting, table: this.table };
  }

  override get referees(): string[] {
    return this.rights?.table === null ? [] : (this.page?.referees ?? []);
  }

  /** Whether this device works for the table, as far as anybody knows. */
  get bound(): boolean {
    return this.page?.binding?.device === this.device;
  }

  override async refresh(): Promise<void> {
    if (!this.rights || this.problem) this.takeRights(await this.api.desk());
    const page = await this.api.table(this.table);
    this.take(page);
    this.problem = null;
    await lastPages.put(`${this.code}/${this.table}`, page).catch(() => undefined);
  }

  private take(page: TablePage): void {
    if (this.page && page.version < this.page.version) return;
    this.page = page;
    this.version = page.version;
  }

  protected override async recall(): Promise<void> {
    const page = await lastPages.get<TablePage>(`${this.code}/${this.table}`);
    if (page && !this.page) this.take(page);
  }

  async bind(label: string, takeOver: boolean): Promise<void> {
    await this.api.bind(this.table, { id: newId(), device: this.device, label, take_over: takeOver });
    this.blocked = '';
    await this.refresh();
    void this.flush();
  }

  /** What waits of one kind, for this sitting's sheet. */
  #waitingPlays(): Map<number, { played: Played; at: number }> {
    const { address } = this;
    const plays = new Map<number, { played: Played; at: number }>();
    for (const { request, at } of this.waiting) {
      const { command } = request;
      if (command.do !== 'enter_result' && command.do !== 'correct_result') continue;
      if (command.stage === address?.stage && command.sitting === address.sitting) plays.set(command.game, { played: command, at });
    }
    return plays;
  }

  /** Results that were entered here and wait for the laptop, by game. */
  readonly plays = $derived.by(() => this.#waitingPlays());

  /** The signatures that wait. */
  readonly signing = $derived.by(() => {
    const { address } = this;
    const found = this.waiting.find(
      ({ request: { command } }) =>
        command.do === 'sign_sheet' && command.stage === address?.stage && command.sitting === address.sitting,
    );
    return found?.request.command.do === 'sign_sheet' ? found.request.command : null;
  });

  /** The first game without a result, here or there; null when all are entered. */
  readonly currentGame = $derived.by(() => {
    const open = this.sheet?.games.find(({ game, result, void: out }) => !result && !out && !this.plays.has(game));
    return open?.game ?? null;
  });

  get locked(): boolean {
    return this.sheet?.signed != null || this.signing !== null;
  }

  get calls(): Call[] {
    return this.sheet?.calls ?? [];
  }

  nameOf(seat: number): string {
    return this.sheet?.seats[seat]?.name ?? '';
  }
}
