import assert from 'node:assert/strict';
import { test } from 'vitest';
import { BodyBudget } from '../endpoint/body-budget.ts';
import { endOf, fetchFrom, gifOf, startUntrustedHost } from '../../../../test/support/untrusted-host.ts';
import { type UrlAllowance, UrlBudget } from './url-budget.ts';

const LIMITS = { requestsEach: 2, requestsAll: 3, bytesAMinute: 1000, connectionBytes: 100 };

function enter(budget: UrlBudget, organisation: string): UrlAllowance {
  const allowance = budget.enter(organisation);
  assert.ok(typeof allowance === 'object', JSON.stringify(allowance));
  return allowance;
}

test('one organisation has two requests fetching, all together three; a place that was left is free again', () => {
  const budget = new UrlBudget(LIMITS);
  const first = enter(budget, 'a');
  enter(budget, 'a');
  assert.equal(budget.enter('a'), 'minute');
  enter(budget, 'b');
  assert.equal(budget.enter('c'), 'busy');
  first.leave();
  first.leave();
  enter(budget, 'c');
  assert.equal(budget.enter('b'), 'busy', 'leaving twice frees one place');
});

test('bytes and connections of a minute are spent by all requests of an organisation, and come back evenly', () => {
  let now = 0;
  const budget = new UrlBudget(LIMITS, () => now);
  const [one, two] = [enter(budget, 'a'), enter(budget, 'a')];
  assert.equal(one.spend(0), true);
  assert.equal(one.spend(500), true);
  assert.equal(two.spend(401), false);
  assert.equal(two.spend(400), true);
  one.leave();
  assert.equal(budget.enter('a'), 'minute');
  assert.equal(enter(budget, 'b').spend(1000), true, 'another organisation has its own');
  now = 30_000;
  assert.equal(enter(budget, 'a').spend(500), true, 'half a minute, half the bytes');
  now = 3_600_000;
  assert.equal(two.spend(1001), false, 'an hour adds up to no more than a minute');
  assert.equal(two.spend(1000), true);
});

test('remembers a bounded number of organisations, and never forgets one that has spent or is inside', () => {
  let now = 0;
  const budget = new UrlBudget({ ...LIMITS, requestsAll: 1_000_000 }, () => now);
  for (let index = 0; index < 10_000; index += 1) enter(budget, `organisation ${index}`).spend(1000);
  assert.equal(budget.enter('one more'), 'busy');
  assert.equal(budget.size, 10_000);
  now = 61_000;
  assert.equal(budget.enter('one more'), 'busy', 'all are still inside');
  const fresh = new UrlBudget(LIMITS, () => now);
  for (let index = 0; index < 10_000; index += 1) {
    const allowance = enter(fresh, `organisation ${index}`);
    if (index === 7) allowance.spend(1000);
    allowance.leave();
  }
  enter(fresh, 'one more').leave();
  assert.equal(fresh.size, 2);
  assert.equal(fresh.enter('organisation 7'), 'minute');
});

test("a request over its organisation's share is told to come back; so is one that finds no room", async (t) => {
  const { network, requests } = await startUntrustedHost(
    t,
    (_request, response) => void response.writeHead(200, { 'content-type': 'image/gif' }).end(gifOf(9, 9, 200_000)),
  );
  const over = fetchFrom(network, ['http://files.test/a'], 'image', {
    budget: new UrlBudget({ ...LIMITS, bytesAMinute: 100_000 }),
  });
  assert.match(await endOf(over), /limit of files fetched from URLs/);
  const media = await over;
  assert.ok(!media.ok && media.status === 429 && media.retryAfter >= 1);
  const full = await fetchFrom(network, ['http://files.test/a'], 'image', { memory: new BodyBudget(200_000) });
  assert.ok(!full.ok && full.status === 529 && full.retryAfter >= 1);
  assert.equal(requests.length, 2);
  const budget = new UrlBudget({ ...LIMITS, bytesAMinute: 50 });
  assert.match(
    await endOf(fetchFrom(network, ['http://files.test/a'], 'image', { budget })),
    /limit of files fetched from URLs/,
  );
  assert.equal(requests.length, 2, 'nothing is opened without a share');
});

test('memory is given back when the files were counted', async (t) => {
  const { network } = await startUntrustedHost(
    t,
    (_request, response) => void response.writeHead(200, { 'content-type': 'image/gif' }).end(gifOf(9, 9, 60_000)),
  );
  const memory = new BodyBudget(200_000);
  const media = await fetchFrom(network, ['http://files.test/a'], 'image', { memory });
  assert.ok(media.ok);
  assert.equal(memory.open('organisation').take(50_000), false);
  media.release();
  assert.equal(memory.open('organisation').take(100_000), true);
});
