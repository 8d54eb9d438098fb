// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runConformance } from '../support/mcp-conformance.ts';

test('returns the expected results in the MCP conformance suite', async () => {
  const { code, output } = await runConformance();
  assert.equal(code, 0, output);
});
