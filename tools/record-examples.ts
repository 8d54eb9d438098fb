/**
 * `npm run record-examples -- TEST…` runs tests and writes what they send and receive to the examples of the OpenAPI
 * document, for each route without an example. To record one anew, delete it from the file first.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Example, examples } from '../src/platform/http/openapi/examples.ts';
import { formatJson } from './format-json.ts';
import { parseOptions } from './run/parse-options.ts';

/** Largest response of an example, in characters of JSON, if there is a choice. */
const READABLE_LENGTH = 4_000;

const { positionals } = parseOptions({
  usage: 'npm run record-examples -- TEST… writes examples of the OpenAPI document from what tests receive.',
  options: {},
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), 'examples-'));
try {
  const file = join(folder, 'recorded');
  const env = { ...process.env, RECORD_EXAMPLES: file };
  spawnSync(process.execPath, ['tools/test.ts', ...positionals], { stdio: 'inherit', env });
  if (!existsSync(file)) throw new Error(`No test of ${positionals.join(' ')} received a response.`);
  const recorded = readFileSync(file, 'utf8').trimEnd().split('\n');
  const byId = Map.groupBy(
    recorded.map((line) => JSON.parse(line) as { id: string; example: Example }),
    ({ id }) => id,
  );
  const merged: Record<string, Example> = { ...examples };
  for (const [id, [first, ...others]] of byId) {
    merged[id] ??= others.reduce(
      (best, other) => (compare(best.example, other.example) < 0 ? other : best),
      first!,
    ).example;
  }
  const sorted = Object.fromEntries(Object.entries(merged).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(new URL('../src/platform/http/openapi/examples.json', import.meta.url), `${formatJson(sorted)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

/** Compares two examples: the longest readable response shows the most fields. */
function compare(a: Example, b: Example): number {
  const [lengthA, lengthB] = [a, b].map(({ response }) => JSON.stringify(response ?? null).length) as [number, number];
  const score = (length: number): number => (length > READABLE_LENGTH ? -length : length);
  return score(lengthA) - score(lengthB);
}
