/**
 * Leads every loop and branch of counting once through short texts. Otherwise the first long text has its loops
 * compiled in mid-run, before what follows them was ever seen: measured, each later chunk then fell back to the
 * interpreter once (1,100 times in 5 MB).
 */
import { firstCut, lastCut } from './cuts.ts';
import { frames } from './families.ts';
import type { Passage } from './passage.ts';

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
  // A word too long to be remembered, so that tiling is met in every round.
  'aGVsbGgdbHXybGQqZnJvbSBhbXVzZW'.repeat(8),
];

/** Some milliseconds. */
export function warmUp(passage: Passage): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (const sample of samples) {
      passage.outside(sample, frames.v3, true, true);
      passage.inside(sample, 0, sample.length);
      firstCut(sample, 0, sample.length);
      lastCut(sample, 0, sample.length);
    }
  }
}
