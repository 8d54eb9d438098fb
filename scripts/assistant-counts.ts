/**
 * `npm run lab -- assistant-counts [records.jsonl[.gz] …]`: what the assistant's count before a call would have said of
 * recorded conversations with tools (their definitions, calls and results), beside what the service reported. Each
 * repository's records are counted by rules that were fitted without it. Prints how many of a set are exact, and the
 * difference at the median and at p95. The records stay outside the repository.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { countInputTokens } from '../src/token-counting/counter/index.ts';
import { recordingAt } from '../test/support/recordings.ts';
import { leaveOneOut, repositoryOf } from './accuracy/leave-one-out.ts';
import { readPdfs } from './accuracy/pdf-facts.ts';
import { type CleanRecord, cleanRecords, readRecords } from './accuracy/records.ts';

const named = process.argv.slice(2);
const paths =
  named.length > 0 ? named : ['calibration.jsonl.gz', 'calibration-2.jsonl.gz'].map((set) => recordingAt(set));
const absent = paths.find((path) => !existsSync(path));
if (absent !== undefined) {
  console.error(`no recorded requests at ${absent}: nothing measured`);
  process.exit(1);
}

const sets = paths.map((path) => cleanRecords(readRecords(path)).filter(isConversationWithTools));
const records = sets.flat();
const pdf = await readPdfs(records);
const { counts } = leaveOneOut(records, ({ request }) => countInputTokens(request, { pdf }));
let from = 0;
for (const [at, set] of sets.entries()) {
  print(basename(paths[at]!), set, counts.slice(from, from + set.length));
  from += set.length;
}
if (sets.length > 1) print('together', records, counts);

/** Tools, at least one call of them, and its result. */
function isConversationWithTools({ request }: CleanRecord): boolean {
  if ((request.tools?.length ?? 0) === 0) return false;
  const types = new Set(
    request.messages.flatMap(({ content }) => (Array.isArray(content) ? content.map(({ type }) => type) : [])),
  );
  return types.has('tool_use') && types.has('tool_result');
}

function print(name: string, set: readonly CleanRecord[], found: readonly number[]): void {
  const differences = set.map(({ record }, at) => Math.abs(found[at]! - record.true_input_tokens));
  const shares = set.map(({ record }, at) => (100 * differences[at]!) / record.true_input_tokens);
  const exact = differences.filter((difference) => difference === 0).length;
  console.log(
    `${name}: ${set.length} conversations of ${new Set(set.map(repositoryOf)).size} repositories, ${exact} exact; ` +
      `difference at the median ${at(differences, 0.5)} tokens (${at(shares, 0.5).toFixed(2)} %), ` +
      `at p95 ${at(differences, 0.95)} tokens (${at(shares, 0.95).toFixed(2)} %), ` +
      `at most ${Math.max(...differences)} tokens (${Math.max(...shares).toFixed(2)} %)`,
  );
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
