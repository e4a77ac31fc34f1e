// A memory as long as a lesson: what the table would keep in the browser must not outlive it.

import type { Memory } from '../table/board/rack-order';

export class NotebookMemory implements Memory {
  private readonly lines = new Map<string, string>();

  getItem(key: string): string | null {
    return this.lines.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.lines.set(key, value);
  }

  removeItem(key: string): void {
    this.lines.delete(key);
  }
}
