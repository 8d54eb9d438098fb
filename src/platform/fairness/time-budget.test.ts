import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createSharedRateLimits } from '../http/redis-rate-limiter.ts';
import { createTimeBudget } from './time-budget.ts';

const { createLimiter } = createSharedRateLimits(undefined);

test('rejects only the owner whose work used the seconds of the minute', async () => {
  const budget = createTimeBudget({ name: 'test', seconds: 1, createLimiter });
  await budget.charge('a', 900);
  assert.equal((await budget.check('a')).ok, true);
  await budget.charge('a', 100);
  const rejection = await budget.check('a');
  assert.ok(!rejection.ok && rejection.retryAfter > 0 && rejection.retryAfter <= 60);
  assert.equal((await budget.check('b')).ok, true);
});

test('adds up work that is shorter than a unit', async () => {
  const budget = createTimeBudget({ name: 'test', seconds: 1, createLimiter });
  for (let index = 0; index < 99; index += 1) await budget.charge('a', 10);
  assert.equal((await budget.check('a')).ok, true);
  await budget.charge('a', 10);
  assert.equal((await budget.check('a')).ok, false);
});

test('uses the whole budget when work timed out', async () => {
  const budget = createTimeBudget({ name: 'test', seconds: 1, createLimiter });
  await budget.exhaust('a');
  assert.equal((await budget.check('a')).ok, false);
});
