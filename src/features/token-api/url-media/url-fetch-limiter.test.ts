import assert from 'node:assert/strict';
import { test } from 'vitest';
import { BodyMemoryBudget } from '../endpoint/body-memory-budget.ts';
import { getOutcome, createFetcher, createGif, startUntrustedHost } from '../../../../test/support/untrusted-host.ts';
import { type FetchPermit, UrlFetchLimiter } from './url-fetch-limiter.ts';

const LIMITS = { maxConcurrentPerOrg: 2, maxConcurrent: 3, bytesPerMinute: 1000, minConnectionBytes: 100 };

function acquire(budget: UrlFetchLimiter, organisation: string): FetchPermit {
  const permit = budget.acquire(organisation);
  assert.ok(typeof permit === 'object', JSON.stringify(permit));
  return permit;
}

test('limits concurrent fetches per organization and in total', () => {
  const budget = new UrlFetchLimiter(LIMITS);
  const first = acquire(budget, 'a');
  acquire(budget, 'a');
  assert.equal(budget.acquire('a'), 'minute');
  acquire(budget, 'b');
  assert.equal(budget.acquire('c'), 'busy');
  first.release();
  first.release();
  acquire(budget, 'c');
  assert.equal(budget.acquire('b'), 'busy', 'leaving twice frees one place');
});

test('limits bytes and connections per minute of an organization and refills evenly', () => {
  let now = 0;
  const budget = new UrlFetchLimiter(LIMITS, () => now);
  const [one, two] = [acquire(budget, 'a'), acquire(budget, 'a')];
  assert.equal(one.tryConsume(0), true);
  assert.equal(one.tryConsume(500), true);
  assert.equal(two.tryConsume(401), false);
  assert.equal(two.tryConsume(400), true);
  one.release();
  assert.equal(budget.acquire('a'), 'minute');
  assert.equal(acquire(budget, 'b').tryConsume(1000), true, 'another organisation has its own');
  now = 30_000;
  assert.equal(acquire(budget, 'a').tryConsume(500), true, 'half a minute, half the bytes');
  now = 3_600_000;
  assert.equal(two.tryConsume(1001), false, 'an hour adds up to no more than a minute');
  assert.equal(two.tryConsume(1000), true);
});

test('tracks a bounded number of organizations and evicts only idle ones', () => {
  let now = 0;
  const budget = new UrlFetchLimiter({ ...LIMITS, maxConcurrent: 1_000_000 }, () => now);
  for (let index = 0; index < 10_000; index += 1) acquire(budget, `organisation ${index}`).tryConsume(1000);
  assert.equal(budget.acquire('one more'), 'busy');
  assert.equal(budget.size, 10_000);
  now = 61_000;
  assert.equal(budget.acquire('one more'), 'busy', 'all are still inside');
  const newLimiter = new UrlFetchLimiter(LIMITS, () => now);
  for (let index = 0; index < 10_000; index += 1) {
    const permit = acquire(newLimiter, `organisation ${index}`);
    if (index === 7) permit.tryConsume(1000);
    permit.release();
  }
  acquire(newLimiter, 'one more').release();
  assert.equal(newLimiter.size, 2);
  assert.equal(newLimiter.acquire('organisation 7'), 'minute');
});

test("rejects a request over the organization's limit or the server's limit", async (t) => {
  const { network, requests } = await startUntrustedHost(
    t,
    (_request, response) => void response.writeHead(200, { 'content-type': 'image/gif' }).end(createGif(9, 9, 200_000)),
  );
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
  assert.equal(requests.length, 2, 'nothing is opened without a share');
});

test('frees memory after the files are counted', async (t) => {
  const { network } = await startUntrustedHost(
    t,
    (_request, response) => void response.writeHead(200, { 'content-type': 'image/gif' }).end(createGif(9, 9, 60_000)),
  );
  const memory = new BodyMemoryBudget(200_000);
  const media = await createFetcher(network, ['http://files.test/a'], 'image', { memory });
  assert.ok(media.ok);
  assert.equal(memory.createReservation('organisation').tryReserve(50_000), false);
  media.release();
  assert.equal(memory.createReservation('organisation').tryReserve(100_000), true);
});
