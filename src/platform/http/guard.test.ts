import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test, type TestContext } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { runGuards } from './guard.ts';

const BODY = '{"symbol":"KO"}';
const DECISION_MS = 20;

/** Sends the head of a request, revokes the caller's access after the guard has run, and then sends the body. */
async function sendLate(t: TestContext, { path, wait }: { path: string; wait: number }) {
  const app = Fastify() as unknown as HttpApp;
  t.onTestFinished(() => app.close());
  let isAllowed = true;
  const checked = Promise.withResolvers<void>();
  const check = async (): Promise<void> => {
    checked.resolve();
    if (!isAllowed) throw new AppError('UNAUTHENTICATED');
  };
  runGuards(app, { decisionMs: DECISION_MS });
  let writes = 0;
  const write = async (): Promise<object> => {
    writes += 1;
    return { writes };
  };
  app.post('/guarded', { config: { guard: { description: 'a test', check } } }, write);
  app.post('/without-guard', { onRequest: check }, write);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
  const sending = request(url + path, { method: 'POST', headers });
  sending.flushHeaders();
  await checked.promise;
  isAllowed = false;
  await sleep(wait);
  sending.end(BODY);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  answer.resume();
  return { ok: answer.statusCode === 200, writes };
}

test('rejects a caller who loses access before a late body is complete', async (t) => {
  assert.deepEqual(await sendLate(t, { path: '/guarded', wait: 10 * DECISION_MS }), { ok: false, writes: 0 });
});

test('accepts a late body on a route without a guard', async (t) => {
  assert.deepEqual(await sendLate(t, { path: '/without-guard', wait: 10 * DECISION_MS }), { ok: true, writes: 1 });
});
