/**
 * Measures the counter on recorded requests and writes docs/reference/accuracy.md: `npx node
 * packages/token-counter/research/accuracy.ts [records.jsonl[.gz] …] [--stdout]`. With named records or `--stdout` it
 * prints the page and writes nothing. For named records it first lists those that differ. The records are test data of
 * others and stay outside the repository (see docs/how-to/test.md). Without records it writes nothing and exits with 1.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countInputTokens } from '../src/index.ts';
import { countWithRules } from '../src/prompt/count-request.ts';
import { readPdfs } from '../../../test/support/recorded-pdfs.ts';
import { recordingAt } from '../../../test/support/recordings.ts';
import { selectCleanRecords, listFirstCalls, readRecords } from './accuracy/records.ts';
import { loadPeers } from './accuracy/peers.ts';
import { leaveOneOut } from './accuracy/cross-validation.ts';
import { OUTSIDE_EVIDENCE } from './accuracy/outside-evidence.ts';
import { type Column, differencesTable } from './accuracy/report-rows.ts';
import { computeResiduals, formatUncertaintyData } from './accuracy/uncertainty.ts';
import { formatReport } from './accuracy/report.ts';

/** The sets of records. Each was used only after the rules were fitted on those before it. */
const SETS = ['calibration.jsonl.gz', 'calibration-2.jsonl.gz', 'calibration-3.jsonl.gz'];

const namedPaths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const paths = namedPaths.length > 0 ? namedPaths : SETS.map((set) => recordingAt(set));
const missingPath = paths.find((path) => !existsSync(path));
if (missingPath !== undefined) {
  console.error(`no recorded requests at ${missingPath}: nothing measured, docs/reference/accuracy.md left as it is`);
  process.exit(1);
}

const recorded = paths.map((path) => readRecords(path));
const records = recorded.flatMap(selectCleanRecords);
const firstCallRecords = recorded.flatMap(listFirstCalls);
const pdf = await readPdfs(records);
const { peers, missing } = loadPeers();
for (const name of missing) console.log(`${name} is not installed in bench/: its rows are left out`);
/** Earlier thinking counts, because the recorded service keeps it. Only the rows of `earlierThinking` have any. */
const options = { pdf, keepsEarlierThinking: true };
const countColumns: Column[] = [
  {
    name: '**ours**',
    counts: records.map(({ request, betas = [] }) => countInputTokens(request, { ...options, betas })),
  },
  ...peers.map((peer) => ({ name: peer.name, counts: records.map(({ request }) => peer.count(request)) })),
];
const crossValidated = leaveOneOut(
  records,
  ({ request, betas = [] }, rules) => countWithRules(request, rules, { ...options, betas }),
  firstCallRecords,
  OUTSIDE_EVIDENCE,
);
// Most earlier thinking was recorded without its signature, so its error would be that of a lost text.
const residuals = computeResiduals(records, crossValidated.counts, { pdf });
const page = formatReport(records, countColumns, missing, crossValidated, residuals);
if (namedPaths.length > 0) console.log(differencesTable(records, countColumns[0] as Column).join('\n'));
if (namedPaths.length > 0 || process.argv.includes('--stdout')) console.log(page);
else {
  const data = join(import.meta.dirname, '../data/uncertainty-data.ts');
  writeFileSync(data, formatUncertaintyData(residuals));
  const target = join(import.meta.dirname, '../../../docs/reference/accuracy.md');
  writeFileSync(target, page);
  console.log(page.split('\n').slice(0, 60).join('\n'));
  console.log(`written: ${target}`);
}
