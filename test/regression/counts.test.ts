import assert from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { countTokensRequest } from '../../src/features/token-api/validation/contract.ts';
import { listModels } from '../../packages/token-counter/src/index.ts';
import { startCountServer } from '../support/count-server.ts';
import { startUntrustedHost } from '../support/untrusted-host.ts';
import { collectFeatures } from './contract-features.ts';
import { countLocally, readRecords, type RegressionRecord } from './records.ts';
import { files } from './requests/files.ts';
import { writeRequests } from './write-requests.ts';

// Runs in a process of its own: the reader of PDF documents leaves globals of its own.

/**
 * The records are what our counter gave when they were written: a difference is a change, for the better or the worse.
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

test('the library counts every record as it is written', async () => {
  assert.ok(records.length >= 300, `${records.length} records`);
  const different: string[] = [];
  for (const { name, tokens, request } of records) {
    const counted = await countLocally(request);
    if (counted !== tokens) different.push(`${name}: ${tokens} → ${counted}`);
  }
  assert.deepEqual(different, [], RENEW);
});

test('the endpoint counts every second record, one of each shape, as it is written', async (t) => {
  const host = await startUntrustedHost(t, (request, response) => {
    response.end(files[`http://files.test${request.url}`]?.bytes);
  });
  const server = await startCountServer({ fetchUrls: true, urlNetwork: host.network }, t);
  const different: string[] = [];
  for (const { name, tokens, request } of records.filter((_, at) => at % 2 === 0)) {
    const answer = await (await server.post(request)).text();
    // The library counts text with half a surrogate pair, which the endpoint refuses as the real service does.
    const asWritten = hasLoneSurrogate(request)
      ? /"invalid_request_error","message":"The request body is not valid JSON: no (low|high) surrogate/.test(answer)
      : answer === JSON.stringify({ input_tokens: tokens });
    if (!asWritten) different.push(`${name}: ${tokens} → ${answer}`);
  }
  assert.deepEqual(different, [], RENEW);
});

test('the records hold everything that the contract of a request names', () => {
  const requests = records.map(({ request }) => countTokensRequest.parse(request));
  const features = collectFeatures(countTokensRequest, requests);
  assert.ok(features.length > 300, `${features.length} features`);
  assert.deepEqual(
    features.filter(({ isCovered: coveredByPath }) => !coveredByPath).map(({ path: place }) => place),
    [],
    'add a request with each to test/regression/requests/',
  );
});

test('every model has records, by each of its names', () => {
  const counted = new Set(records.map(({ request }) => request.model));
  const names = listModels().flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.deepEqual(
    names.filter((name) => !counted.has(name)),
    [],
  );
});

test('the records are of the requests that are written here, each under a name of its own', () => {
  // How a PDF is packed may differ between machines; what it holds is counted all the same.
  const plain = (requests: readonly { name: string; request: unknown }[]): string[] =>
    requests.map(({ name, request }) => `${name}: ${JSON.stringify(request).replaceAll(/"JVBERi0[^"]*"/g, '"a PDF"')}`);
  assert.deepEqual(plain(records), plain(writeRequests()), RENEW);
  assert.equal(new Set(records.map(({ name }) => name)).size, records.length);
});
