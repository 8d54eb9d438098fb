/**
 * Measures the counter on recorded requests and writes docs/accuracy.md:
 * `npx node packages/token-counter/research/accuracy.ts [records.jsonl[.gz] …] [--stdout]`. Named records, or `--stdout`, print the page and write
 * nothing; of named records those that differ stand first, one by one. The records are others' test data and stay
 * outside the repository (docs/how-to/test.md gives the place); without them nothing is written, and it ends with 1.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countInputTokens } from '../src/index.ts';
import { countByRules } from '../src/prompt/count-request.ts';
import { recordingAt } from '../../../test/support/recordings.ts';
import { cleanRecords, firstCalls, readRecords } from './accuracy/records.ts';
import { readPdfs } from './accuracy/pdf-facts.ts';
import { loadPeers } from './accuracy/peers.ts';
import { leaveOneOut } from './accuracy/leave-one-out.ts';
import { OUTSIDE } from './accuracy/outside-evidence.ts';
import { type Column, differencesTable } from './accuracy/report-rows.ts';
import { residualsOf, uncertaintyData } from './accuracy/uncertainty.ts';
import { report } from './accuracy/report.ts';

/** Both sets of records; the second was closed until the first was fitted. */
const SETS = ['calibration.jsonl.gz', 'calibration-2.jsonl.gz'];

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const paths = named.length > 0 ? named : SETS.map((set) => recordingAt(set));
const absent = paths.find((path) => !existsSync(path));
if (absent !== undefined) {
  console.error(`no recorded requests at ${absent}: nothing measured, docs/accuracy.md left as it is`);
  process.exit(1);
}

const recorded = paths.map((path) => readRecords(path));
const records = recorded.flatMap(cleanRecords);
const witnesses = recorded.flatMap(firstCalls);
const pdf = await readPdfs(records);
const { peers, missing } = loadPeers();
for (const name of missing) console.log(`${name} is not installed in bench/: its rows are left out`);
const columns: Column[] = [
  { name: '**ours**', counts: records.map(({ request }) => countInputTokens(request, { pdf })) },
  ...peers.map((peer) => ({ name: peer.name, counts: records.map(({ request }) => peer.count(request)) })),
];
const leftOut = leaveOneOut(records, ({ request }, rules) => countByRules(request, rules, { pdf }), witnesses, OUTSIDE);
const residuals = residualsOf(records, leftOut.counts, { pdf });
const page = report(records, columns, missing, leftOut, residuals);
if (named.length > 0) console.log(differencesTable(records, columns[0] as Column).join('\n'));
if (named.length > 0 || process.argv.includes('--stdout')) console.log(page);
else {
  const data = join(import.meta.dirname, '../data/uncertainty-data.ts');
  writeFileSync(data, uncertaintyData(residuals));
  const target = join(import.meta.dirname, '../../../docs/accuracy.md');
  writeFileSync(target, page);
  console.log(page.split('\n').slice(0, 60).join('\n'));
  console.log(`written: ${target}`);
}
