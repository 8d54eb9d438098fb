import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { createRateLimiter } from './rate-limit.ts';
import { createMemberLimiters, limitPerMember } from './member-rate-limit.ts';

const newRequest = (): FastifyRequest => ({}) as FastifyRequest;

/** Creates a limiter and records the calls of its inner check. */
function setUp(perMinute: number) {
  const calls: ({ gate?: boolean } | undefined)[] = [];
  const check = limitPerMember(async (_request: FastifyRequest, options?: { gate?: boolean }) => {
    calls.push(options);
    return { idpId: 'user_a' };
  }, createMemberLimiters(perMinute));
  return { check, calls };
}

test('checks and counts a request once when its route checks repeatedly', async () => {
  const { check, calls } = setUp(2);
  const request = newRequest();
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await check(request), { idpId: 'user_a' });
  assert.equal(calls.length, 1);
  await check(newRequest());
  assert.equal(calls.length, 2);
  const third = newRequest();
  for (let i = 0; i < 2; i += 1) await assert.rejects(check(third), { code: 'RATE_LIMITED' }, 'and stays limited');
});

test('does not reuse a partial session check when a full one is required', async () => {
  const { check, calls } = setUp(1);
  const request = newRequest();
  await check(request, { gate: false });
  await check(request);
  await check(request);
  assert.deepEqual(calls, [{ gate: false }, undefined], 'counts as one request');
});

test('limits the writes of a day apart from the requests of a minute', async () => {
  let time = 0;
  const createLimiter: typeof createRateLimiter = (options) => createRateLimiter({ ...options, now: () => time });
  const limiters = createMemberLimiters(2, createLimiter);
  assert.deepEqual(limiters.writes.rate, { limit: 40, windowMs: 86_400_000 });
  const check = limitPerMember(async () => ({ idpId: 'user_a' }), limiters);
  const send = (method: string) => {
    time += 60_000;
    return check({ method } as FastifyRequest);
  };
  for (let count = 0; count < 40; count += 1) await send('POST');
  await assert.rejects(send('POST'), { code: 'RATE_LIMITED' });
  await send('GET');
  time += 86_400_000;
  await send('DELETE');
});
