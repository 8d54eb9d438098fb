// @module-tag slow
// @module-tag alone
// Runs in a process of its own, because it freezes and resumes a database server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { FirstRun } from '../../src/installation/first-run.ts';
import { start } from '../../src/main.ts';
import { RESPONSE_TIMEOUT_MS, UNRESPONSIVE_AFTER_MS } from '../../src/platform/database/server-watch.ts';
import { eventuallyEquals } from '../support/eventually.ts';
import { SITE, TestBrowser } from '../support/identity.ts';

/** Returns the process ids of the server on this data directory and its children. */
async function listProcesses(dataDir: string): Promise<number[]> {
  const main = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
  const isChild = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) \S /s, '')
        .startsWith(`${main} `);
    } catch {
      return false;
    }
  };
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return [main, ...pids.filter(isChild).map(Number)];
}

type Request = [method: string, path: string, body?: object];

/** Starts a service on its own database server, with a member who has a list of two and an account. */
async function startServiceToFreeze(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-frozen-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const settings = { PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, BASE_URL: SITE, SANDBOX: 'on' };
  const service = await start(loadConfig(settings), { seed: true });
  t.onTestFinished(() => service.stop());
  const { api_key: apiKey } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
  const browser = new TestBrowser(service.url);
  const { sessionId } = await browser.signUp();
  const memberHeaders = { authorization: `Bearer ${await browser.token(sessionId)}` };
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = memberHeaders) => {
    const sent = { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } };
    const response = await fetch(`${service.url}${path}`, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      text: await response.text(),
    };
  };
  const readList = async () =>
    (JSON.parse((await call('GET', '/api/watchlist')).text) as { items: { id: string; symbol: string }[] }).items;
  assert.equal((await call('POST', '/api/watchlist', { symbol: 'AAPL' })).status, 201);
  assert.equal((await call('POST', '/api/watchlist', { symbol: 'MSFT' })).status, 201);
  const { text } = await call('POST', '/api/accounts', { name: 'Savings' });
  const { account } = JSON.parse(text) as { account: { id: string } };
  return { dataDir, apiKey, call, readList, accountId: account.id };
}

/** Returns a write of each kind. `ids` is the new order of the list, whose first entry is removed. */
const createWrites = (ids: readonly string[], accountId: string): Request[] => [
  ['POST', '/api/watchlist', { symbol: 'NVDA' }],
  ['PUT', '/api/watchlist/order', { ids }],
  ['DELETE', `/api/watchlist/${ids[0]}`],
  ['POST', '/api/investments/holdings', { account_id: accountId, symbol: 'AAPL', quantity: 2 }],
  ['PATCH', `/api/accounts/${accountId}`, { balance: 5 }],
  ['POST', '/api/accounts', { name: 'Pension' }],
  ['POST', '/api/api-keys', { name: 'Laptop' }],
  ['POST', '/api/assistant/tokens', { name: 'Desk', scopes: ['sql'], expires_in_days: 30 }],
  ['POST', '/api/connections/start', { kind: 'bank' }],
  ['POST', '/api/billing/checkout', { tier: 'pro' }],
  ['POST', '/api/referrals/track-signup', { referred_idp_id: 'user_unknown', referrer_idp_id: 'user_unknown' }],
];

const READS: readonly Request[] = [
  ['GET', '/api/watchlist'],
  ['GET', '/api/investments/holdings'],
  ['GET', '/api/billing'],
  ['GET', '/api/search?q=apple'],
  ['POST', '/api/assistant/sql', { sql: 'select count(*) from holdings' }],
  ['GET', '/readyz'],
];

const repeat = (requests: readonly Request[], count: number): Request[] =>
  Array.from({ length: count }, (_, index) => requests[index % requests.length]!);

const TOKEN_COUNT = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] };

/** Runs `work` while the database server answers nothing. */
async function withFrozenDatabase(dataDir: string, work: () => Promise<void>): Promise<void> {
  const pids = await listProcesses(dataDir);
  assert.ok(pids.length > 3);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    for (const pid of pids.toReversed()) process.kill(pid, 'SIGCONT');
  }
}

interface Answer {
  status: number;
  retryAfter: number;
  text: string;
}

function assertUnavailable([method, path]: Request, response: Answer) {
  const { status, retryAfter, text } = response;
  const summary = `${method} ${path}: ${status} ${text}`;
  // Routes without a database may answer. No other route may report success or an internal error.
  assert.ok(status === 503 || path.startsWith('/api/referrals') || path.startsWith('/api/search'), summary);
  if (status === 503 && path !== '/readyz') assert.ok(retryAfter > 0, summary);
  assert.doesNotMatch(text, /timeout|postgres|socket/i, summary);
}

const countOccurrences = (text: string, part: string): number => text.split(part).length - 1;

test('returns 503 with retry-after when the database is frozen and repeats no write', async (t) => {
  if (process.platform !== 'linux') return t.skip('processes are found in /proc');
  const { dataDir, apiKey, call, readList, accountId } = await startServiceToFreeze(t);
  const ids = (await readList()).map(({ id }) => id).toReversed();
  const writes = createWrites(ids, accountId);
  const probes = repeat([...READS, ...writes], 50);
  /** Sends all at once, and returns the ms until the last answer. */
  const timeLongest = async (requests: readonly Request[], check: (one: Request, answer: Answer) => void) => {
    const startedAt = performance.now();
    await Promise.all(requests.map(async (one) => check(one, await call(...one))));
    return performance.now() - startedAt;
  };
  const longestRead = await timeLongest(repeat(READS, 50), (one, { status }) => assert.ok(status < 500, one[1]));

  await withFrozenDatabase(dataDir, async () => {
    const longest = await timeLongest(probes, assertUnavailable);
    // A request notices the freeze after five seconds at the latest, since it may wait for another's check and its own,
    // and the machine then needs as long for as many answers as before.
    const limit = UNRESPONSIVE_AFTER_MS + RESPONSE_TIMEOUT_MS + longestRead;
    console.log(`longest of 50 answers: ${Math.round(longest)} ms, limit ${Math.round(limit)} ms`);
    assert.ok(longest < limit, `${longest} ms`);
    const keyHeaders = { 'x-api-key': apiKey, 'svc-version': '2023-06-01' };
    const { status } = await call('POST', '/v1/messages/count_tokens', TOKEN_COUNT, keyHeaders);
    assert.ok([200, 529, 503].includes(status), `count: ${status}`);
  });

  await eventuallyEquals(async () => (await call('GET', '/readyz')).status, 200);
  for (const one of writes) {
    const { status, text } = await call(...one);
    assert.ok(status < 500, `${one[0]} ${one[1]} again: ${status} ${text}`);
  }
  const symbols = (await readList()).map(({ symbol }) => symbol);
  assert.deepEqual(symbols.toSorted(), [...new Set(symbols)].toSorted());
  assert.ok(symbols.includes('NVDA'));
  for (const [path, part] of [
    ['/api/investments/holdings', '"account_name":"Savings"'],
    ['/api/accounts', '"name":"Pension"'],
    ['/api/api-keys', '"name":"Laptop"'],
    ['/api/assistant/tokens', '"name":"Desk"'],
  ] as const)
    assert.equal(countOccurrences((await call('GET', path)).text, part), 1, path);
});
