// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { readWorkerOf, startCitusForTest } from '../support/citus.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { sendRequest, TestBrowser } from '../support/identity.ts';
import { startService, type TestService } from '../support/service.ts';

const READS = [
  '/api/me',
  '/api/home',
  '/api/watchlist',
  '/api/watchlist/earnings',
  '/api/watchlist/ticker/AAPL',
  '/api/accounts',
  '/api/investments/holdings',
  '/api/investments/positions',
  '/api/portfolio/holdings',
  '/api/portfolio/settings',
  '/api/net-worth',
  '/api/dashboard',
  '/api/connections',
  '/api/earnings',
  '/api/news',
  '/api/billing',
  '/api/referrals/stats',
  '/api/assistant/conversations',
];

/** Time in ms after which the session check reads the member again. */
const SESSION_CHECK_MS = 11_000;

/** Time in ms above every timeout of a statement, after which a request counts as hanging. */
const HANGS_AFTER_MS = 60_000;

test.for(['killed', 'frozen'])('answers each request 200 or 503 while the coordinator is %s', async (loss, t) => {
  const citus = await startCitusForTest(t);
  const nodes = citus.cluster.workers!.map((worker) => new URL(worker).host);
  const settings = { SANDBOX: 'on', WORKER: 'off', API_RATE_LIMIT: '9999', DB_READ_NODES: nodes.join(',') };
  const service = await startService(settings, await createTestDatabase());
  t.onTestFinished(() => service.stop());
  const tokenCreators = await signUpOnEachWorker(service, nodes.length);
  const createCalls = async () =>
    Promise.all(tokenCreators.map(async (createToken) => createCall(service.url, await createToken())));
  const readAll = async (calls: readonly ReturnType<typeof createCall>[]) =>
    (await Promise.all(calls.map((call) => Promise.all(READS.map((path) => call('GET', path)))))).flat();
  const listUnexpected = (answers: readonly Answer[], statuses: readonly number[]) =>
    answers.filter(({ status }) => !statuses.includes(status));
  for (const call of await createCalls())
    assert.equal((await call('POST', '/api/watchlist', { symbol: 'AAPL' })).status, 201);

  const calls = await createCalls();
  assert.deepEqual(listUnexpected(await readAll(calls), [200]), []);
  const resume = loss === 'frozen' ? await citus.freezeServer(0) : undefined;
  t.onTestFinished(() => resume?.());
  if (!resume) await citus.killServer(0);
  const lostAt = performance.now();
  const first = await readAll(calls);
  await sleep(Math.max(0, lostAt + SESSION_CHECK_MS - performance.now()));
  const later = await readAll(calls);
  const account = { name: 'More', currency: 'USD', balance: 1 };
  const writes = await Promise.all(calls.map((call) => call('POST', '/api/accounts', account)));
  console.table(
    READS.map((path) => ({
      path,
      [`just ${loss}`]: formatAnswers(first, path),
      'after 11 s': formatAnswers(later, path),
    })),
  );
  console.log('writes:', formatAnswers(writes));
  assert.deepEqual(listUnexpected([...first, ...later], [200, 503]), []);
  for (const path of ['/api/accounts', '/api/investments/holdings'])
    assert.deepEqual(
      listUnexpected(
        [...first, ...later].filter((answer) => answer.path === path),
        [200],
      ),
      [],
    );
  assert.deepEqual(listUnexpected(writes, [503]), []);

  if (resume) resume();
  else citus.restartServer(0);
  await eventually(async () => {
    const newCalls = await createCalls().catch(() => undefined);
    return newCalls !== undefined && listUnexpected(await readAll(newCalls), [200]).length === 0;
  });
  const after = await Promise.all((await createCalls()).map((call) => call('POST', '/api/accounts', account)));
  assert.deepEqual(listUnexpected(after, [201]), []);
});

/** Signs up a member on each of the workers. Returns a function for each that creates a session token. */
async function signUpOnEachWorker(service: TestService, workers: number): Promise<(() => Promise<string>)[]> {
  const byWorker = new Map<string, () => Promise<string>>();
  while (byWorker.size < workers) {
    const browser = new TestBrowser(service.url, service.url);
    const { userId, sessionId } = await browser.signUp();
    byWorker.set(await readWorkerOf(service.database, userId), () => browser.token(sessionId));
  }
  return [...byWorker.values()];
}

interface Answer {
  path: string;
  /** 0 if the request hung. */
  status: number;
  ms: number;
  body: unknown;
}

const createCall =
  (url: string, token: string) =>
  async (method: string, path: string, body?: object): Promise<Answer> => {
    const started = performance.now();
    const request = sendRequest(url + path, method, body, { authorization: `Bearer ${token}` });
    const hangs = sleep(HANGS_AFTER_MS, { status: 0, body: undefined }, { ref: false });
    const answer = await Promise.race([request, hangs]);
    return { path, status: answer.status, ms: Math.round(performance.now() - started), body: answer.body };
  };

/** Returns the status and time of each answer, of one path or of all. */
const formatAnswers = (answers: readonly Answer[], path?: string): string =>
  answers.flatMap((answer) => (path && answer.path !== path ? [] : `${answer.status} ${answer.ms} ms`)).join(', ');
