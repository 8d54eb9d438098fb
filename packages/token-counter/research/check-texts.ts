/**
 * Compares the counter with the recorded counts of whole documents and of 810,000 short strings: `npx node
 * packages/token-counter/research/check-texts.ts`. It reads the recordings (see docs/how-to/test.md). Exits with 1 if
 * the count of a document differs or there are no recordings.
 */
import { existsSync } from 'node:fs';
import { recordingAt } from '../../../test/support/recordings.ts';
import { compareFragments, compareTexts } from './accuracy/recorded-texts.ts';

const folder = recordingAt('texts');
if (!existsSync(folder)) {
  console.error(`no recorded texts in ${folder}: nothing compared`);
  process.exit(1);
}

const documents = compareTexts(folder);
for (const { set, family, model, equal, misses } of [
  ...documents,
  compareFragments(recordingAt('fragments_opus47.jsonl.gz')),
]) {
  console.log(`${set} ${family} (${model}): ${equal} of ${equal + misses.length} equal`);
  for (const miss of misses.slice(0, 20)) console.log(`  ${miss}`);
}
process.exit(documents.every(({ misses }) => misses.length === 0) ? 0 : 1);
