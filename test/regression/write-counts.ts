/**
 * `npx node test/regression/write-counts.ts [--check]`: counts the requests of test/regression/counts.jsonl anew, adds a
 * request for each model name without one, and prints the changes. With `--check` it writes nothing and exits with 1 if
 * it would change the file.
 */
import { describeModel, listModels } from '../../packages/token-counter/src/index.ts';
import { countLocally, readRecords, type RegressionRecord, writeRecords } from './records.ts';

const before = readRecords();
const records: RegressionRecord[] = [];
const changes: string[] = [];
for (const { name, tokens: old, request } of before) {
  const tokens = await countLocally(request);
  records.push({ name, tokens, request });
  if (tokens !== old) changes.push(`count    ${name}: ${old} → ${tokens} (${tokens > old ? '+' : ''}${tokens - old})`);
}
// Models differ in the parts of this request.
const { request: everything } = before.find(({ name }) => name.startsWith('something of everything'))!;
const counted = new Set(before.map(({ request }) => request.model));
for (const model of listModels().flatMap(({ id, aliases }) => [id, ...aliases])) {
  if (counted.has(model)) continue;
  const type = describeModel(model)!.forcedToolChoice === false ? 'auto' : 'any';
  const request = { ...everything, model, tool_choice: { type } } as typeof everything;
  const record = { name: `something of everything, ${model}`, tokens: await countLocally(request), request };
  records.push(record);
  changes.push(`new      ${record.name}: ${record.tokens}`);
}

for (const change of changes) console.log(change);
console.log(`${records.length} records, ${changes.length} changed`);
if (!process.argv.includes('--check')) writeRecords(records);
else if (changes.length > 0) process.exitCode = 1;
