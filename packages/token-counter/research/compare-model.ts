/**
 * Finds the rules by which a new model counts differently from a known one: `npx node
 * packages/token-counter/research/compare-model.ts RECORDS … --model NEW [--like KNOWN]`. RECORDS are recordings in the
 * format of the accuracy report. Without `--like` the nearest known model is used. It prints each difference with its
 * evidence and the row to paste, and writes nothing. Without recordings of the model it exits with 1.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listModels, resolveModel } from '../src/index.ts';
import { readPdfs } from '../../../test/support/recorded-pdfs.ts';
import { readRecords } from './accuracy/records.ts';
import { compareRecords, findNearestModel, selectRecords } from './compare-model/compare-records.ts';
import { findDifferences } from './compare-model/find-differences.ts';
import { formatComparison } from './compare-model/format-comparison.ts';

const { values, positionals } = parseArgs({
  options: { model: { type: 'string' }, like: { type: 'string' } },
  allowPositionals: true,
});
const { model: id, like: likeId } = values;
if (id === undefined || positionals.length === 0) fail('names recordings and the new model: RECORDS … --model NEW');
const named = likeId === undefined ? undefined : resolveModel(likeId);
if (likeId !== undefined && named === undefined) fail(`--like ${likeId} is not known`);

const recorded = positionals.flatMap((path) => readRecords(path));
const newest = listModels()[0]!;
const records = selectRecords(recorded, id, named ?? newest);
if (records.length === 0) fail(`no usable recordings of ${id}`);
/** Earlier thinking counts, because the recorded service keeps it. */
const options = { pdf: await readPdfs(records), keepsEarlierThinking: true };
const like = named ?? findNearestModel(records, id, options);
const rows = compareRecords(selectRecords(recorded, id, like), like, options);
const modelsSource = readFileSync(join(import.meta.dirname, '../src/models/models-data.ts'), 'utf8');
console.log(formatComparison({ id, like }, rows, findDifferences(rows), modelsSource));

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
