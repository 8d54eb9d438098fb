// @module-tag slow
// @module-tag alone
// Runs in a process of its own, because it freezes and resumes a database server.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { FirstRun } from '../../src/first-run.ts';
import { start } from '../../src/main.ts';
import { eventuallyEquals } from '../support/eventually.ts';
import { SITE, TestBrowser } from '../support/identity.ts';
import { prepareData } from '../support/prepared-data.ts';

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

test('returns 503 with retry-after when the database is frozen and repeats no write', async (t) => {
  if (process.platform !== 'linux') return t.skip('processes are found in /proc');
  const dataDir = await mkdtemp(join(tmpdir(), 'tally-frozen-'));
  t.onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  await prepareData(dataDir);
  const settings = {
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    BASE_URL: SITE,
  };
  const service = await start(loadConfig({ ...settings, SANDBOX: 'on' }), { seed: true, requestTimeoutMs: 2_000 });
  t.onTestFinished(() => service.stop());
  const { api_key: apiKey } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8')) as FirstRun;
  const browser = new TestBrowser(service.url);
  const { sessionId } = await browser.signUp();
  const memberHeaders = { authorization: `Bearer ${await browser.token(sessionId)}` };
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = memberHeaders) => {
    const sent = { method, headers: { ...headers, ...(body && { 'content-type': 'application/json' }) } };
    const response = await fetch(`${service.url}${path}`, { ...sent, ...(body && { body: JSON.stringify(body) }) });
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      text: await response.text(),
    };
  };
  const list = async () => {
    const { text } = await ask('GET', '/api/watchlist');
    return (JSON.parse(text) as { items: { id: string; symbol: string }[] }).items;
  };
  assert.equal((await ask('POST', '/api/watchlist', { symbol: 'AAPL' })).status, 201);
  assert.equal((await ask('POST', '/api/watchlist', { symbol: 'MSFT' })).status, 201);
  const account = JSON.parse((await ask('POST', '/api/accounts', { name: 'Savings' })).text) as {
    account: { id: string };
  };
  const order = { ids: (await list()).map(({ id }) => id).toReversed() };
  const writes: [string, string, object?][] = [
    ['POST', '/api/watchlist', { symbol: 'NVDA' }],
    ['PUT', '/api/watchlist/order', order],
    ['DELETE', `/api/watchlist/${order.ids[0]}`],
    ['POST', '/api/investments/holdings', { account_id: account.account.id, symbol: 'AAPL', quantity: 2 }],
    ['PATCH', `/api/accounts/${account.account.id}`, { balance: 5 }],
    ['POST', '/api/accounts', { name: 'Pension' }],
    ['POST', '/api/api-keys', { name: 'Laptop' }],
    ['POST', '/api/assistant/tokens', { name: 'Desk', scopes: ['sql'], expires_in_days: 30 }],
    ['POST', '/api/connections/start', { kind: 'bank' }],
    ['POST', '/api/billing/checkout', { tier: 'pro' }],
    ['POST', '/api/referrals/track-signup', { referred_idp_id: 'user_unknown', referrer_idp_id: 'user_unknown' }],
  ];
  const reads: [string, string, object?][] = [
    ['GET', '/api/watchlist'],
    ['GET', '/api/investments/holdings'],
    ['GET', '/api/billing'],
    ['GET', '/api/search?q=apple'],
    ['POST', '/api/assistant/sql', { sql: 'select count(*) from holdings' }],
    ['GET', '/readyz'],
  ];

  const frozenResponses = await listProcesses(dataDir);
  assert.ok(frozenResponses.length > 3);
  for (const pid of frozenResponses) process.kill(pid, 'SIGSTOP');
  try {
    const responses = await Promise.all([...reads, ...writes].map(async (one) => [one, await ask(...one)] as const));
    for (const [[method, path], { status, retryAfter, text }] of responses) {
      const summary = `${method} ${path}: ${status} ${text}`;
      // Routes without a database may answer. No other route may report success or an internal error.
      assert.ok(status === 503 || path.startsWith('/api/referrals') || path.startsWith('/api/search'), summary);
      if (status === 503 && path !== '/readyz') assert.ok(retryAfter > 0, summary);
      assert.doesNotMatch(text, /timeout|postgres|socket/i, summary);
    }
    const count = { model: 'claude-opus-4-6', messages: [{ role: 'user', content: 'Hello' }] };
    const { status } = await ask('POST', '/v1/messages/count_tokens', count, {
      'x-api-key': apiKey,
      'svc-version': '2023-06-01',
    });
    assert.ok([200, 529, 503].includes(status), `count: ${status}`);
  } finally {
    for (const pid of frozenResponses.toReversed()) process.kill(pid, 'SIGCONT');
  }

  await eventuallyEquals(async () => (await ask('GET', '/readyz')).status, 200);
  for (const one of writes) {
    const { status, text } = await ask(...one);
    assert.ok(status < 500, `${one[0]} ${one[1]} again: ${status} ${text}`);
  }
  const readText = async (path: string): Promise<string> => (await ask('GET', path)).text;
  const count = (text: string, part: string): number => text.split(part).length - 1;
  const symbols = (await list()).map(({ symbol }) => symbol);
  assert.deepEqual(symbols.toSorted(), [...new Set(symbols)].toSorted());
  assert.ok(symbols.includes('NVDA'));
  assert.equal(count(await readText('/api/investments/holdings'), '"account_name":"Savings"'), 1);
  assert.equal(count(await readText('/api/accounts'), '"name":"Pension"'), 1);
  assert.equal(count(await readText('/api/api-keys'), '"name":"Laptop"'), 1);
  assert.equal(count(await readText('/api/assistant/tokens'), '"name":"Desk"'), 1);
});
