/**
 * Sends each case of a folder to the endpoint. A case is a JSON file with a request (or `raw` text), headers and the
 * expected status and message.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type CountServer, startCountServer } from '../../../../test/support/count-server.ts';
import { CASES_FOLDER, findOrSkip } from '../../../../test/support/recordings.ts';

interface Case {
  id: string;
  path: string;
  headers: Record<string, string>;
  request?: object;
  raw?: string;
  expected: { status: number; message?: string; message_pattern?: string };
}

const files = existsSync(CASES_FOLDER) ? readdirSync(CASES_FOLDER).filter((name) => name.endsWith('.json')) : [];
const cases = files.map((name) => JSON.parse(readFileSync(join(CASES_FOLDER, name), 'utf8')) as Case);

let server: CountServer | undefined;
beforeAll(async () => {
  if (cases.length > 0) server = await startCountServer();
});
afterAll(() => server?.close());

test('finds cases when there is a folder of cases', (t) => {
  if (findOrSkip(t, CASES_FOLDER) !== undefined) assert.ok(cases.length > 0, `${CASES_FOLDER} holds no case`);
});

test.each(cases)('returns the expected response for $id', assertExpectedResponse);

/**
 * Asserts the message of an error. A case has `…` in place of words that are not published, and words in parentheses only
 * describe its message.
 */
function assertMessage(message: string, expected: string): void {
  if (/^\(.*\)$/.test(expected)) return;
  if (!expected.includes('…')) assert.equal(message, expected);
  for (const part of expected.split('…')) assert.ok(message.includes(part.trim()), message);
}

async function assertExpectedResponse({ path, headers, request, raw, expected }: Case): Promise<void> {
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
  if (expected.message !== undefined) assertMessage(error?.message ?? '', expected.message);
  if (expected.message_pattern !== undefined) assert.match(error?.message ?? '', new RegExp(expected.message_pattern));
}
