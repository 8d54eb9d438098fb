import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'vitest';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import type { TestScope } from '../../../test/support/test-scope.ts';
import { createLogger } from '../http/logger.ts';
import { logOriginMismatches } from './log-origin-mismatches.ts';

const BASE_URL = 'https://tally.example';

/** Returns a function that sends requests from pages of the service at these origins, and returns the logged ones. */
async function createApp(t: TestScope) {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await createTestHttpApp({ logger: createLogger('error', sink) });
  t.onTestFinished(() => app.close());
  logOriginMismatches(app, BASE_URL);
  app.get('/', async () => ({}));
  return async (origins: readonly string[]): Promise<(string | undefined)[]> => {
    for (const origin of origins)
      assert.equal((await app.inject({ url: '/', headers: { origin, host: new URL(origin).host } })).statusCode, 200);
    return lines.join('').match(/(?<="origin":")[^"]+/g) ?? [];
  };
}

test('logs each origin of a wrong address once when several differ from BASE_URL', async (t) => {
  const send = await createApp(t);
  const scanned = 'http://192.0.2.1';
  const real = 'https://www.tally.example';
  assert.deepEqual(await send([BASE_URL, scanned, scanned, real, scanned, real]), [scanned, real]);
});

test('logs ten origins at most', async (t) => {
  const send = await createApp(t);
  const origins = Array.from({ length: 12 }, (_, index) => `http://192.0.2.${index}`);
  assert.deepEqual(await send(origins), origins.slice(0, 10));
});
