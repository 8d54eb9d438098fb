/**
 * Leads every loop and branch of counting once through short texts. Otherwise the first long text has its loops
 * compiled in mid-run, before what follows them was ever seen: measured, each later chunk then fell back to the
 * interpreter once (1,100 times in 5 MB).
 */
import type { ChunkCounter } from './chunk-counter.ts';
import { frameByFamily } from './families.ts';
import { firstSplitPoint, lastSplitPoint } from './split-points.ts';

/** The engine starts to take notes of a function after some calls, so a few are not enough. */
const ROUNDS = 40;

const samples: readonly string[] = [
  'a',
  '\n\n\n\n\n\n\n\n',
  'It\'s (a) test! 12 x\n\n  foo_bar += "internationalisation"; ====\t',
  'THE QUICK brown-fox... \u2019s\r\n',
  'counterrevolutionaries',
  '\u4e2d\u6587\uff0c\u{1f600} e\u0301 \u2019s \u00a0 \u00b2 \u00e9t\u00e9 \u0434\u0430, \u0e19\u0e49\u0e33',
  '\ud800 caf\u00e9\u0301!',
  // A word too long for the cache, so that every round segments it.
  'aGVsbGgdbHXybGQqZnJvbSBhbXVzZW'.repeat(8),
];

/** Some milliseconds. */
export function warmUp(counter: ChunkCounter): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (const sample of samples) {
      counter.countBoundary(sample, frameByFamily.v3, { first: true, last: true });
      counter.countInterior(sample, 0, sample.length);
      firstSplitPoint(sample, 0, sample.length);
      lastSplitPoint(sample, 0, sample.length);
    }
  }
}
