import assert from 'node:assert/strict';
import { test } from 'vitest';
import { BodyMemoryBudget } from '../endpoint/body-memory-budget.ts';
import { getOutcome, createFetcher, createGif, startUntrustedHost } from '../../../../test/support/untrusted-host.ts';
import { type FetchPermit, UrlFetchLimiter } from './url-fetch-limiter.ts';

const LIMITS = { maxConcurrentPerOrg: 2, maxConcurrent: 3, bytesPerMinute: 1000, minConnectionBytes: 100 };

function acquire(budget: UrlFetchLimiter, organisation: string): FetchPermit {
  const acquired = budget.acquire(organisation);
  assert.ok(acquired.ok, JSON.stringify(acquired));
  return acquired.permit;
}

const ORGANISATION_LIMIT = { ok: false, reason: 'organisation' };
const BUSY = { ok: false, reason: 'busy' };

test('limits concurrent fetches per organization and in total', () => {
  const budget = new UrlFetchLimiter(LIMITS);
  const first = acquire(budget, 'a');
  acquire(budget, 'a');
  assert.deepEqual(budget.acquire('a'), ORGANISATION_LIMIT);
  acquire(budget, 'b');
  assert.deepEqual(budget.acquire('c'), BUSY);
  first.release();
  first.release();
  acquire(budget, 'c');
  assert.deepEqual(budget.acquire('b'), BUSY, 'releasing twice frees one permit');
});

test('limits bytes and connections per minute of an organization and refills evenly', () => {
  let now = 0;
  const budget = new UrlFetchLimiter(LIMITS, () => now);
  const one = acquire(budget, 'a');
  const two = acquire(budget, 'a');
  assert.equal(one.tryConsume(0), true);
  assert.equal(one.tryConsume(500), true);
  assert.equal(two.tryConsume(401), false);
  assert.equal(two.tryConsume(400), true);
  one.release();
  assert.deepEqual(budget.acquire('a'), ORGANISATION_LIMIT);
  assert.equal(acquire(budget, 'b').tryConsume(1000), true, 'another organization has its own limit');
  now = 30_000;
  assert.equal(acquire(budget, 'a').tryConsume(500), true, 'half of the bytes are refilled after half a minute');
  now = 3_600_000;
  assert.equal(two.tryConsume(1001), false, 'an idle hour refills one minute of bytes');
  assert.equal(two.tryConsume(1000), true);
});

test('tracks a bounded number of organizations and evicts only idle ones', () => {
  let now = 0;
  const budget = new UrlFetchLimiter({ ...LIMITS, maxConcurrent: 1_000_000 }, () => now);
  for (let index = 0; index < 10_000; index += 1) acquire(budget, `organisation ${index}`).tryConsume(1000);
  assert.deepEqual(budget.acquire('one more'), BUSY);
  assert.equal(budget.size, 10_000);
  now = 61_000;
  assert.deepEqual(budget.acquire('one more'), BUSY, 'all permits are still in use');
  const newLimiter = new UrlFetchLimiter(LIMITS, () => now);
  for (let index = 0; index < 10_000; index += 1) {
    const permit = acquire(newLimiter, `organisation ${index}`);
    if (index === 7) permit.tryConsume(1000);
    permit.release();
  }
  acquire(newLimiter, 'one more').release();
  assert.equal(newLimiter.size, 2);
  assert.deepEqual(newLimiter.acquire('organisation 7'), ORGANISATION_LIMIT);
});

test("rejects a request over the organization's limit or the server's limit", async (t) => {
  const { network, requests } = await startUntrustedHost(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/gif' }).end(createGif(9, 9, 200_000));
  });
  const overLimit = createFetcher(network, ['http://files.test/a'], 'image', {
    budget: new UrlFetchLimiter({ ...LIMITS, bytesPerMinute: 100_000 }),
  });
  assert.match(await getOutcome(overLimit), /limit of files fetched from URLs/);
  const media = await overLimit;
  assert.ok(!media.ok && media.status === 429 && media.retryAfter >= 1);
  const full = await createFetcher(network, ['http://files.test/a'], 'image', {
    memory: new BodyMemoryBudget(200_000),
  });
  assert.ok(!full.ok && full.status === 529 && full.retryAfter >= 1);
  assert.equal(requests.length, 2);
  const budget = new UrlFetchLimiter({ ...LIMITS, bytesPerMinute: 50 });
  assert.match(
    await getOutcome(createFetcher(network, ['http://files.test/a'], 'image', { budget })),
    /limit of files fetched from URLs/,
  );
  assert.equal(requests.length, 2, 'no connection is opened above the limit');
});

test('frees memory after the files are counted', async (t) => {
  const { network } = await startUntrustedHost(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/gif' }).end(createGif(9, 9, 60_000));
  });
  const memory = new BodyMemoryBudget(200_000);
  const media = await createFetcher(network, ['http://files.test/a'], 'image', { memory });
  assert.ok(media.ok);
  assert.equal(memory.createReservation('organisation').tryReserve(50_000), false);
  media.release();
  assert.equal(memory.createReservation('organisation').tryReserve(100_000), true);
});
