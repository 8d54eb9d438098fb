/**
 * Compares the counter with the recorded counts of whole documents: `npx node
 * packages/token-counter/research/check-texts.ts [folder]`. The folder contains `<set>.jsonl.gz` and
 * `<set>_counts.json`. The default is the `texts` folder of the recordings (see docs/how-to/test.md). Exits with 1 if
 * any count differs or the folder is empty.
 */
import { existsSync } from 'node:fs';
import { recordingAt } from '../../../test/support/recordings.ts';
import { compareTexts } from './accuracy/recorded-texts.ts';

const folder = process.argv[2] ?? recordingAt('texts');
if (!existsSync(folder)) {
  console.error(`no recorded texts in ${folder}: nothing compared`);
  process.exit(1);
}

let differenceCount = 0;
for (const { set, family, model, equal, misses } of compareTexts(folder)) {
  differenceCount += misses.length;
  console.log(`${set} ${family} (${model}): ${equal} of ${equal + misses.length} equal`);
  for (const miss of misses.slice(0, 20)) console.log(`  ${miss}`);
}
process.exit(differenceCount === 0 ? 0 : 1);
