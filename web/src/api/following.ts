/** How a list is kept up to date: sent over the live connection, and asked for while that does not bring it. */
import type { Topic } from './generated/live';
import type { Live } from './live';

/** Without the live connection a list is asked for after so many milliseconds, then again and again after so many. */
export const PATIENCE = 1_500;
export const SELDOM = 30_000;

export class Following<Value> {
  private told = 0;

  constructor(
    private readonly ask: () => Promise<Value>,
    private readonly show: (value: Value | null) => void,
    private readonly fail: (error: unknown) => void,
  ) {}

  /** Ask for it now. */
  async again(): Promise<void> {
    const before = this.told;
    try {
      const found = await this.ask();
      // What was sent meanwhile is newer.
      if (this.told === before) this.show(found);
    } catch (failure) {
      if (this.told === before) this.fail(failure);
    }
  }

  /** Show nothing, whatever is still on its way. */
  forget(): void {
    this.told += 1;
    this.show(null);
  }

  /** Follow it; the answer ends that. */
  start(live: Pick<Live, 'follow' | 'sends'>, topic: Topic, of: string): () => void {
    const askUnlessSent = (): void => {
      if (document.visibilityState === 'visible' && !live.sends(topic, of)) void this.again();
    };
    const end = live.follow(topic, of, {
      news: (value) => {
        this.told += 1;
        this.show(value as Value);
      },
      // Over HTTP there is an answer for people.
      refused: () => void this.again(),
    });
    const first = setTimeout(askUnlessSent, PATIENCE);
    const timer = setInterval(askUnlessSent, SELDOM);
    return () => {
      end();
      clearTimeout(first);
      clearInterval(timer);
    };
  }
}
