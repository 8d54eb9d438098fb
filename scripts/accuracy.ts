/**
 * Measures the counter on recorded requests and writes docs/accuracy.md:
 * `npm run lab -- accuracy [records.jsonl[.gz]] [--stdout]`. The records are others' test data and stay outside the
 * repository (CONTRIBUTING.md says where); without them nothing is written, and it ends with 1.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countInputTokens } from '../src/token-counting/counter/index.ts';
import { recordingAt } from '../test/support/recordings.ts';
import { cleanRecords, readRecords } from './accuracy/records.ts';
import { readPdfs } from './accuracy/pdf-facts.ts';
import { loadPeers } from './accuracy/peers.ts';
import { report, type Column } from './accuracy/report.ts';

const [path = recordingAt('calibration.jsonl.gz')] = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'));
if (!existsSync(path)) {
  console.error(`no recorded requests at ${path}: nothing measured, docs/accuracy.md left as it is`);
  process.exit(1);
}

const records = cleanRecords(readRecords(path));
const pdf = await readPdfs(records);
const { peers, missing } = loadPeers();
for (const name of missing) console.log(`${name} is not installed in bench/: its rows are left out`);
const columns: Column[] = [
  { name: '**ours**', counts: records.map(({ request }) => countInputTokens(request, { pdf })) },
  ...peers.map((peer) => ({ name: peer.name, counts: records.map(({ request }) => peer.count(request)) })),
];
const page = report(records, columns, missing);
if (process.argv.includes('--stdout')) console.log(page);
else {
  const target = join(import.meta.dirname, '../docs/accuracy.md');
  writeFileSync(target, page);
  console.log(page.split('\n').slice(0, 60).join('\n'));
  console.log(`written: ${target}`);
}
