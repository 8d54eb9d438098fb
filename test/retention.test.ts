import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('docs/database.md says of each table how it grows and what ends it, once', () => {
  const section = /## What grows, and what ends it\n(.*?)\n## /s.exec(read('docs/database.md'))![1]!;
  const [table, rest] = section.split('\nOf one row a member');
  assert.ok(table && rest);
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = [
    ...rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name!)),
    ...[...rest.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => name!).filter((name) => !name.endsWith('.md')),
  ];
  const tables = [...read('db/schema.sql').matchAll(/^create table ([\w.]+) \(/gm)].map(([, name]) => name!);
  assert.ok(tables.length > 50);
  assert.deepEqual(named.toSorted(), tables.toSorted());
});
