import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'vitest';
import { parse } from 'yaml';
import { listRefusalMessages } from '../../../../test/support/refusal-messages.ts';

type Evidence = { message: string } & Partial<Record<'measured' | 'reported' | 'documented' | 'unavoidable', string>>;

const evidence = parse(readFileSync(new URL('refusal-evidence.yaml', import.meta.url), 'utf8')) as Record<
  string,
  Evidence[]
>;
const folder = dirname(import.meta.dirname);

test('has evidence for each message that refuses a count request, and none for another', () => {
  const inCode = listRefusalMessages(`${folder}/{validation,pdf}/*.ts`)
    .filter(({ message }) => message !== '…')
    .map(({ file, message }) => `${file.slice(folder.length + 1)}: ${message}`);
  const known = Object.entries(evidence).flatMap(([file, rows]) => rows.map(({ message }) => `${file}: ${message}`));
  assert.ok(inCode.length > 50);
  assert.deepEqual(known.toSorted(), [...new Set(inCode)].toSorted());
});

test('names one kind of evidence with its source for each message', () => {
  for (const { message, ...kinds } of Object.values(evidence).flat()) {
    const [kind = '', ...others] = Object.keys(kinds);
    assert.match(kind, /^(?:measured|reported|documented|unavoidable)$/, message);
    assert.deepEqual(others, [], message);
    assert.ok(Object.values(kinds)[0]!.length > 8, message);
  }
});
