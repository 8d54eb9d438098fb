/**
 * `npx node test/regression/write-counts.ts [--check]`: rewrites test/regression/counts.jsonl, our own requests with
 * the counts of our counter, and prints the changes. With `--check` it writes nothing and exits with 1 if it would
 * change the file.
 */
import { countLocally, readRecords, type RegressionRecord, writeRecords } from './records.ts';
import { writeRequests } from './write-requests.ts';

const records: RegressionRecord[] = [];
for (const { name, request } of writeRequests()) {
  const complete = request as unknown as RegressionRecord['request'];
  records.push({ name, tokens: await countLocally(complete), request: complete });
}

const before = new Map(readExistingRecords().map((record) => [record.name, record]));
const changes: string[] = [];
for (const { name, tokens, request } of records) {
  const old = before.get(name);
  before.delete(name);
  if (!old) changes.push(`new      ${name}: ${tokens}`);
  else if (JSON.stringify(old.request) !== JSON.stringify(request))
    changes.push(`request  ${name}: ${old.tokens} → ${tokens}`);
  else if (old.tokens !== tokens)
    changes.push(
      `count    ${name}: ${old.tokens} → ${tokens} (${tokens > old.tokens ? '+' : ''}${tokens - old.tokens})`,
    );
}
for (const name of before.keys()) changes.push(`gone     ${name}`);

for (const change of changes) console.log(change);
console.log(`${records.length} records, ${changes.length} changed`);
if (!process.argv.includes('--check')) writeRecords(records);
else if (changes.length > 0) process.exitCode = 1;

function readExistingRecords(): RegressionRecord[] {
  try {
    return readRecords();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
