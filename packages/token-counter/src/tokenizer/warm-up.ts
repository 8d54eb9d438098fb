/**
 * Warms up the JIT with short samples. Otherwise V8 compiles the loops of the first long text without type feedback and
 * deoptimizes once per chunk (1,100 times in 5 MB).
 */
import type { ChunkCounter } from './chunk-counter.ts';
import { frameByFamily } from './families.ts';
import { firstSplitPoint, lastSplitPoint } from './split-points.ts';

/** Number of rounds. V8 collects type feedback only after some calls, so a few rounds are not enough. */
const ROUNDS = 40;

const samples: readonly string[] = [
  'a',
  '\n\n\n\n\n\n\n\n',
  'It\'s (a) test! 12 x\n\n  foo_bar += "internationalisation"; ====\t',
  'THE QUICK brown-fox... \u2019s\r\n',
  'counterrevolutionaries',
  '\u4e2d\u6587\uff0c\u{1f600} e\u0301 \u2019s \u00a0 \u00b2 \u00e9t\u00e9 \u0434\u0430, \u0e19\u0e49\u0e33',
  '\ud800 caf\u00e9\u0301!',
  // A word that is too long for the cache, so that every round segments it.
  'aGVsbGgdbHXybGQqZnJvbSBhbXVzZW'.repeat(8),
];

/** Runs the warm-up, which takes some milliseconds. */
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
