import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';

const resolveTestFile = (path: string): URL =>
  new URL(path.startsWith('test/') ? `../../../${path}` : path, import.meta.url);

test('each of the seventeen pitfalls in docs/billing.md names a test that exists', () => {
  const table = readFileSync(new URL('../../../docs/billing.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| (\d+)\. .*\| `([^`]+)`: (.+) \|$/gm)];
  assert.deepEqual(
    [...new Set(rows.map(([, number]) => Number(number)))],
    Array.from({ length: 17 }, (_, index) => index + 1),
  );
  for (const [, number, file, title] of rows)
    assert.ok(
      readFileSync(resolveTestFile(file!), 'utf8').includes(`'${title}'`),
      `${number}: ${file} has no test "${title}"`,
    );
});
