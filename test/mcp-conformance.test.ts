// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runConformance } from './support/mcp-conformance.ts';

test('passes the short official conformance suite', async () => {
  const { code, output } = await runConformance(['server-initialize', 'tools-list', 'dns-rebinding-protection']);
  assert.equal(code, 0, output);
  assert.equal(output.match(/SUCCESS/g)?.length, 4, output);
});
