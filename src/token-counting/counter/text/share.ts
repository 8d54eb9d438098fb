/** One thread's share where several count the same prompt: long texts are dealt out to them in stretches, the rest is
 * the first one's. */
import { stretchEnd } from './cuts.ts';

export interface Share {
  /** 0 … `of` − 1. */
  readonly index: number;
  readonly of: number;
}

/** Units that are dealt out at a time. */
const STRETCH = 1 << 14;

/** Deals out the texts of one count, in their order. */
export class Dealer {
  readonly isFirst: boolean;
  private readonly share: Share;
  private dealt = 0;

  constructor(share: Share) {
    this.share = share;
    this.isFirst = share.index === 0;
  }

  /** Which of the next text's stretches are this share's, as a number above 0: by the same number, the same ones. */
  get part(): number {
    const { index, of } = this.share;
    return 1 + (this.dealt % (STRETCH * of)) + STRETCH * of * (index + of * of);
  }

  /** Deals out units of which this share's price is known already. */
  skip(units: number): void {
    this.dealt += units;
  }

  /** Calls `take` for each stretch of `text[from … to)`, which begins and ends at a cut, that is this share's;
   * returns the sum. */
  sumOf(text: string, from: number, to: number, take: (from: number, to: number) => number): number {
    let total = 0;
    for (let start = from; start < to;) {
      const end = stretchEnd(text, start, to, STRETCH);
      if (this.isNext(end - start)) total += take(start, end);
      start = end;
    }
    return total;
  }

  /** By units, not by stretches: these are of any length up to theirs. */
  private isNext(units: number): boolean {
    const turn = Math.floor(this.dealt / STRETCH) % this.share.of;
    this.dealt += units;
    return turn === this.share.index;
  }
}
