// Keeps somebody's progress where it belongs: a guest's in this browser, an account's on the server.

import type { JudgedAttempt, PuzzleProgress } from '../api/generated/http';
import { api } from '../api/http';
import { peekSession } from '../api/session.svelte';
import { afterTry, handOvers, NOTHING, ofAccount, remember, remembered, type Progress, type Tried } from './progress';

export class Keeper {
  progress = $state.raw<Progress>(remembered(localStorage));
  /** True while the server keeps it. */
  account = $state(false);

  /** Find out who is here; what this browser kept for a guest goes to the account that signs in. */
  async load(): Promise<void> {
    const me = await peekSession();
    const kept = remembered(localStorage);
    if (!me?.account) {
      this.account = false;
      this.progress = kept;
      return;
    }
    let answer: PuzzleProgress | null = null;
    for (const piece of handOvers(kept)) answer = await api.puzzles.handOver(piece);
    if (answer) remember(localStorage, NOTHING);
    this.progress = ofAccount(answer ?? (await api.puzzles.progress()));
    this.account = true;
  }

  /** A first try; true if it counts. */
  add(tried: Tried, answer: JudgedAttempt): boolean {
    if (this.account && !answer.first) return false;
    const before = this.progress;
    this.set(afterTry(before, tried, answer.player));
    return this.progress !== before;
  }

  /** A streak or a timed round that ended. */
  ended(mode: 'streak' | 'round', count: number): void {
    const best = mode === 'streak' ? 'bestStreak' : 'bestRound';
    if (count <= this.progress[best]) return;
    this.set({ ...this.progress, [best]: count });
    // Kept here until the next visit if it does not arrive.
    if (this.account) void api.puzzles.handOver(mode === 'streak' ? { best_streak: count } : { best_round: count }).catch(() => remember(localStorage, { ...NOTHING, [best]: count }));
  }

  private set(progress: Progress): void {
    this.progress = progress;
    if (!this.account) remember(localStorage, progress);
  }
}
