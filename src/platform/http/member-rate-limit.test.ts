import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { limitPerMember } from './member-rate-limit.ts';

const newRequest = (): FastifyRequest => ({}) as FastifyRequest;

/** The check behind a limit, and how often and with which options it was made. */
function setUp(perMinute: number) {
  const calls: ({ gate?: boolean } | undefined)[] = [];
  const check = limitPerMember(async (_request: FastifyRequest, options?: { gate?: boolean }) => {
    calls.push(options);
    return { idpId: 'user_a' };
  }, perMinute);
  return { check, calls };
}

test('a request is checked and counted once, however often its route checks; the next one anew', async () => {
  const { check, calls } = setUp(2);
  const request = newRequest();
  for (let i = 0; i < 3; i += 1) assert.deepEqual(await check(request), { idpId: 'user_a' });
  assert.equal(calls.length, 1);
  await check(newRequest());
  assert.equal(calls.length, 2);
  const third = newRequest();
  for (let i = 0; i < 2; i += 1) await assert.rejects(check(third), { code: 'RATE_LIMITED' }, 'and stays refused');
});

test('a check that leaves something out does not stand for the whole one', async () => {
  const { check, calls } = setUp(1);
  const request = newRequest();
  await check(request, { gate: false });
  await check(request);
  await check(request);
  assert.deepEqual(calls, [{ gate: false }, undefined], 'and all of it counts as one request');
});
