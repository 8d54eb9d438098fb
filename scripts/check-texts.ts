/**
 * Compares the counter with the recorded counts of whole documents: `npm run lab -- check-texts [folder]`.
 * The folder holds `<set>.jsonl.gz` and `<set>_counts.json`; by default ../shared/data/token-counts/texts beside the checkout.
 * Ends with 1 where any count differs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { countContent, type TextFamily } from '../src/token-counting/counter/text/index.ts';

interface Recorded {
  readonly model?: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Overhead of a one-message request, and the frame, by the family name that the recordings use. */
const overheads: Readonly<Record<string, { family: TextFamily; overhead: number }>> = {
  v3: { family: 'v3', overhead: 7 },
  'v4.7': { family: 'v4.7', overhead: 11 },
  v47: { family: 'v4.7', overhead: 11 },
  v5: { family: 'v5', overhead: 6 },
};

const folder =
  process.argv[2] ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'shared/data/token-counts/texts');
if (!existsSync(folder)) {
  console.log(`no recorded texts in ${folder}: nothing compared`);
  process.exit(0);
}

let different = 0;
for (const file of readdirSync(folder)
  .filter((name) => name.endsWith('_counts.json'))
  .sort()) {
  const set = file.slice(0, -'_counts.json'.length);
  const documents = new Map<string, string>();
  for (const line of gunzipSync(readFileSync(join(folder, `${set}.jsonl.gz`)))
    .toString('utf8')
    .split('\n')) {
    if (line === '') continue;
    const record = JSON.parse(line) as { id?: string; f?: string; lang?: string; text: string };
    documents.set(record.id ?? record.f ?? record.lang ?? '', record.text);
  }
  const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, Recorded>>;
  for (const [name, { counts, model }] of Object.entries(recorded)) {
    const rule = overheads[name];
    if (rule === undefined) {
      console.log(`${set} ${name}: no such family here`);
      continue;
    }
    let equal = 0;
    const misses: string[] = [];
    for (const [id, tokens] of Object.entries(counts)) {
      const text = documents.get(id);
      if (text === undefined) continue;
      const counted = countContent(text, rule.family) + rule.overhead;
      if (counted === tokens) equal++;
      else misses.push(`${id}: counted ${counted}, recorded ${tokens}`);
    }
    different += misses.length;
    console.log(`${set} ${name} (${model ?? 'model not named'}): ${equal} of ${equal + misses.length} equal`);
    for (const miss of misses.slice(0, 20)) console.log(`  ${miss}`);
  }
}
process.exit(different === 0 ? 0 : 1);
