import assert from 'node:assert/strict';
import { test } from 'vitest';
import { isDistributedRun } from '../../../test/support/database.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import { getCompanySymbols, NOW, setUpWatchlistApp, type WatchlistApp } from '../../../test/support/watchlist.ts';

/** Common rules of the reads: their clock, and their caching. */
let app: WatchlistApp;
let clock = NOW;
setUpWatchlistApp(
  (started) => {
    app = started;
  },
  () => ({ now: () => clock }),
);

test('uses New York’s day for reports and ranges late in the evening', async (t) => {
  t.onTestFinished(() => {
    clock = NOW;
  });
  const member = await app.signUp();
  await member.addSymbols('AAPL');
  const read = async () => {
    const { body } = await member.call('GET', '/api/watchlist/earnings');
    const { ranges } = (await member.call('GET', '/api/watchlist/ticker/AAPL')).body;
    return [body.earnings[0].date, body.earnings[0].market_days, ranges['1W'][0][0], ranges['1Y'][0][0]];
  };
  const afternoonBody = await read();
  assert.deepEqual(afternoonBody, ['2026-11-19', 1, '2026-11-11', '2025-11-18']);
  clock = new Date('2026-11-19T02:00:00Z');
  assert.deepEqual(await read(), afternoonBody);
  clock = new Date('2026-11-19T05:00:00Z');
  assert.deepEqual(await read(), ['2026-11-19', 0, '2026-11-12', '2025-11-19'], 'midnight in New York');
});

test('marks a response with an earnings chip as stale after midnight in New York', async (t) => {
  t.onTestFinished(() => {
    clock = NOW;
  });
  const member = await app.signUp();
  await member.addSymbols('AAPL');
  const first = await member.call('GET', '/api/watchlist/earnings');
  assert.equal(first.body.earnings[0].chip, 'Tmrw');
  const refetch = () =>
    member.call('GET', '/api/watchlist/earnings', undefined, { 'if-none-match': first.headers.get('etag')! });
  clock = new Date('2026-11-19T04:59:59Z');
  assert.equal((await refetch()).status, 304);
  clock = new Date('2026-11-19T05:00:00Z');
  const next = await refetch();
  assert.deepEqual([next.status, next.body.earnings[0].chip], [200, 'Today']);
});

test('forbids shared caches for reads and any storage for files', async () => {
  const member = await app.signUp();
  await member.addSymbols('AAPL');
  const cachedPaths: [path: string, cacheControl: string][] = [
    ['/api/watchlist', 'private, no-cache'],
    ['/api/watchlist/ticker/AAPL', 'private, no-cache'],
    ['/api/watchlist/earnings', 'private, no-cache'],
    ['/api/watchlist/export.csv', 'private, no-store'],
  ];
  for (const headers of [{}, { 'x-demo-tour': '1' }]) {
    for (const [path, cacheControl] of cachedPaths) {
      const response = await member.call('GET', path, undefined, headers);
      assert.equal(response.headers.get('cache-control'), response.status === 200 ? cacheControl : 'no-store', path);
    }
  }
});

test('reads the list in three statements at any length', { tags: ['slow'] }, async (t) => {
  const member = await app.signUp('max');
  await member.addSymbols('AAPL');
  const statements = recordStatements(t);
  const statementCount = async (): Promise<number> => {
    statements.length = 0;
    assert.equal((await member.call('GET', '/api/watchlist')).status, 200);
    // The flag's result is cached for some seconds. The tests exclude its statements.
    return statements.filter((text) => !text.includes('feature_flags')).length;
  };
  const short = await statementCount();
  await member.addSymbols(...getCompanySymbols(60));
  const long = await statementCount();
  // A cluster needs two more statements to set the member.
  const maxStatements = isDistributedRun() ? 5 : 3;
  assert.ok(short <= maxStatements && long <= maxStatements, `${short} and ${long} statements`);
});
