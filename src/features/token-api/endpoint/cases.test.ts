/**
 * Sends each case of a folder to the endpoint. A case is a JSON file with a request (or `raw` text), headers and the
 * expected status and message. `COUNT_TOKENS_CASES` names the folder, and without it the test is skipped.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';

interface Case {
  id: string;
  path: string;
  headers: Record<string, string>;
  request?: object;
  raw?: string;
  expected: { status: number; message?: string; message_pattern?: string };
}

const folder = process.env['COUNT_TOKENS_CASES'];
const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));
const cases = files.map((name) => JSON.parse(readFileSync(join(folder!, name), 'utf8')) as Case);

let server: CountServer | undefined;
beforeAll(async () => {
  if (cases.length > 0) server = await startCountServer();
});
afterAll(() => server?.close());

test('finds cases when a folder is named', (t) => {
  if (folder === undefined) return t.skip('COUNT_TOKENS_CASES names no folder');
  assert.ok(cases.length > 0, `${folder} holds no case`);
});

test.each(cases)('returns the expected response for $id', async ({ path, headers, request, raw, expected }) => {
  const response = await fetch(server!.url + path, {
    method: 'POST',
    headers: {
      'x-api-key': server!.key,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      ...headers,
    },
    body: raw ?? JSON.stringify(request),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  assert.equal(response.status, expected.status, error?.message);
  if (expected.message !== undefined) assert.equal(error?.message, expected.message);
  if (expected.message_pattern !== undefined) assert.match(error?.message ?? '', new RegExp(expected.message_pattern));
});
