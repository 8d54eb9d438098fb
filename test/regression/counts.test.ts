// @module-tag alone
import assert from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { countTokensRequest } from '../../src/features/token-api/validation/contract.ts';
import { listModels } from '../../packages/token-counter/src/index.ts';
import { startCountServer } from '../support/count-server.ts';
import type { TestScope } from '../support/test-scope.ts';
import { startUntrustedHost } from '../support/untrusted-host.ts';
import { collectFeatures } from './contract-features.ts';
import { files } from './files.ts';
import { countLocally, readRecords, type RegressionRecord } from './records.ts';

// Runs in a process of its own, because the PDF reader adds globals.

/**
 * The records contain the counts of our counter at the time of writing. A difference is a change, not necessarily an
 * error.
 */
const RENEW =
  'If the change is meant, `npx node test/regression/write-counts.ts` writes the records anew; ' +
  'its output belongs into the review.';

function hasLoneSurrogate(request: unknown): boolean {
  let found = false;
  JSON.stringify(request, (_key, value: unknown) => {
    found ||= typeof value === 'string' && !value.isWellFormed();
    return value;
  });
  return found;
}

let records: RegressionRecord[];
beforeAll(() => {
  records = readRecords();
});

test('returns the recorded count of every record from the library', async () => {
  assert.ok(records.length >= 300, `${records.length} records`);
  const different: string[] = [];
  for (const { name, tokens, request } of records) {
    const counted = await countLocally(request);
    if (counted !== tokens) different.push(`${name}: ${tokens} → ${counted}`);
  }
  assert.deepEqual(different, [], RENEW);
});

/** Posts records to the endpoint and asserts the recorded count of each. */
async function assertCountsOfEndpoint(posted: readonly RegressionRecord[], t: TestScope): Promise<void> {
  const host = await startUntrustedHost(t, (request, response) => {
    response.end(files[`http://files.test${request.url}`]?.bytes);
  });
  const server = await startCountServer({ fetchUrls: true, urlNetwork: host.network }, t);
  const different: string[] = [];
  for (const { name, tokens, request } of posted) {
    const answer = await (
      await server.post(request, { headers: { 'anthropic-beta': 'structured-outputs-2025-11-13' } })
    ).text();
    // The library counts text with a lone surrogate, which the endpoint rejects like the real service.
    const asWritten = hasLoneSurrogate(request)
      ? /"invalid_request_error","message":"The request body is not valid JSON: no (low|high) surrogate/.test(answer)
      : answer === JSON.stringify({ input_tokens: tokens });
    if (!asWritten) different.push(`${name}: ${tokens} → ${answer}`);
  }
  assert.deepEqual(different, [], RENEW);
}

test('returns the recorded count of every record from the endpoint', { tags: ['slow'] }, (t) =>
  assertCountsOfEndpoint(records, t),
);

test('returns the recorded count of every tenth record from the endpoint', (t) =>
  assertCountsOfEndpoint(
    records.filter((_, at) => at % 10 === 0),
    t,
  ));

test('covers every feature of the request contract', () => {
  const requests = records.map(({ request }) => countTokensRequest.parse(request));
  const features = collectFeatures(countTokensRequest, requests);
  assert.ok(features.length > 300, `${features.length} features`);
  assert.deepEqual(
    features.filter(({ isCovered: coveredByPath }) => !coveredByPath).map(({ path: place }) => place),
    [],
    'add a request with each to test/regression/counts.jsonl',
  );
});

test('has records of every model by each of its names', () => {
  const counted = new Set(records.map(({ request }) => request.model));
  const names = listModels().flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.deepEqual(
    names.filter((name) => !counted.has(name)),
    [],
  );
});

test('gives each record a name of its own', () => {
  assert.equal(new Set(records.map(({ name }) => name)).size, records.length);
});
