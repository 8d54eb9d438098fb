import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('lists each table once in docs/reference/data-and-retention.md', () => {
  const sections = /## Tables that grow\n(.*?)\n## Export/s.exec(read('docs/reference/data-and-retention.md'))![1]!;
  const lines = sections.split('\n').filter((line) => /^(\| `|- )/.test(line));
  const named = lines.flatMap((line) =>
    [...(line.split('|')[1] ?? line).matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name!),
  );
  const tables = [...read('db/schema.sql').matchAll(/^create table ([\w.]+) \(/gm)].map(([, name]) => name!);
  assert.ok(tables.length > 50);
  assert.deepEqual(named.toSorted(), tables.toSorted());
});
