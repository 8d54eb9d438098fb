// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { runConformance } from './support/mcp-conformance.ts';

test('the official conformance suite passes in short: handshake, list of tools, hosts and origins', async () => {
  const { code, output } = await runConformance(['server-initialize', 'tools-list', 'dns-rebinding-protection']);
  assert.equal(code, 0, output);
  assert.equal(output.match(/SUCCESS/g)?.length, 4, output);
});
