import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { replaceWorkLimits } from '../tools/describe-work-limits.ts';

test('shows the limits of costly work in the documentation as the code has them', () => {
  const page = readFileSync(new URL('../docs/explanation/security.md', import.meta.url), 'utf8');
  assert.equal(replaceWorkLimits(page), page, 'run npm run generate');
});
