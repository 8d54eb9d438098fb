/**
 * Compares the counter with the reference on every string of up to 4 edge symbols in all families: `npx node
 * packages/token-counter/research/check-edge-strings.ts [longest]`. These are about 820,000 comparisons. `npm test`
 * compares strings of up to 3.
 */
import { countContent } from '../src/tokenizer/index.ts';
import { edgeStrings } from '../test/edge-strings.ts';
import { countContent as referenceCount } from '../src/tokenizer/reference.ts';

const maxLength = Number(process.argv[2] ?? 4);
let compared = 0;
const misses: string[] = [];
for (const text of edgeStrings(maxLength)) {
  for (const family of ['v3', 'v4.7', 'v5', 'v5-sonnet'] as const) {
    compared++;
    const fast = countContent(text, family);
    const reference = referenceCount(text, family);
    if (fast !== reference) misses.push(`${family} ${JSON.stringify(text)}: counter ${fast}, reference ${reference}`);
  }
}
console.log(`${compared} compared, ${misses.length} different`);
for (const miss of misses.slice(0, 20)) console.log(`  ${miss}`);
process.exit(misses.length === 0 ? 0 : 1);
