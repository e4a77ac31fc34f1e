/** The referee's own device: the desk's view of the hall, kept for when the network fails. */
import type { BookForTable, Desk } from '../../../api/generated/http';
import { lastPages } from '../storage/indexed-db';
import { HallDevice } from '../hall-device.svelte';

export class RefereeDevice extends HallDevice {
  desk: Desk | null = $state.raw(null);
  /** The championship's book in numbers; it comes with a table's page. */
  book: BookForTable | null = $state.raw(null);

  constructor(code: string, key: string) {
    super(code, key, null);
  }

  override async refresh(): Promise<void> {
    const desk = await this.api.desk();
    this.take(desk);
    this.takeRights(desk);
    await lastPages.put(`${this.code}/referee`, desk).catch(() => undefined);
    if (!this.book) {
      this.book = (await this.api.table(1)).book;
      await lastPages.put(`${this.code}/book`, this.book).catch(() => undefined);
    }
  }

  private take(desk: Desk): void {
    if (this.desk && desk.championship.version < this.desk.championship.version) return;
    this.desk = desk;
    this.version = desk.championship.version;
  }

  protected override async recall(): Promise<void> {
    const desk = await lastPages.get<Desk>(`${this.code}/referee`);
    if (desk && !this.desk) this.take(desk);
    this.book ??= await lastPages.get<BookForTable>(`${this.code}/book`);
  }

  nameOf(number: number): string {
    return this.desk?.championship.people.find((one) => one.number === number)?.name ?? String(number);
  }
}
