// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runConformance } from '../support/mcp-conformance.ts';

test('the whole conformance suite of the Model Context Protocol ends as expected', async () => {
  const { code, output } = await runConformance();
  assert.equal(code, 0, output);
});
