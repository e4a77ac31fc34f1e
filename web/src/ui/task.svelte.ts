/** One thing at a time that takes a while: whether it goes on, and why it failed. */
export class Task {
  busy = $state(false);
  error: unknown = $state.raw(null);
  #last: (() => Promise<unknown>) | null = null;

  /** Do it; true if it succeeded. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.#last = work;
    this.busy = true;
    this.error = null;
    try {
      await work();
      return true;
    } catch (failure) {
      this.error = failure;
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Do once more what was done last. */
  async again(): Promise<boolean> {
    return this.#last === null ? false : this.run(this.#last);
  }
}
