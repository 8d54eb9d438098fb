// @module-tag slow
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FMP_KEY, startFmpFake } from '../../../test/fakes/fmp/fmp-fake.ts';
import { type DemoViewer, signInViewer } from '../../../test/support/demo-viewer.ts';
import { SECRET_KEY, sendRequest, SITE } from '../../../test/support/identity.ts';
import { runsLongTests } from '../../../test/support/long-tests.ts';
import { startService, type TestService } from '../../../test/support/service.ts';
import { openFeatures } from '../../../test/support/features.ts';
import { createLogger } from '../../platform/http/logger.ts';
import type { Tasks } from '../../platform/jobs/task.ts';
import type { Feature } from '../../feature.ts';

let service: TestService;
let viewer: DemoViewer;
let demo: string;
beforeAll(async () => {
  service = await startService({
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    DEMO_ACCESS_RATE_LIMIT: '1000',
    DEMO_ACCESS_RESET: '04:30',
    WORKER: 'off',
  });
  demo = service.firstRun.demo_account_idp_user_id;
});
// A viewer's token is valid for a minute. On a slow machine a few of these tests take that long.
beforeEach(async () => {
  viewer = await signInViewer(service);
});
afterAll(() => service.stop());

const collectTasks = (list: readonly Feature[]): Tasks => Object.assign({}, ...list.map(({ tasks }) => tasks));

const read = async (path: string) => (await viewer.call('GET', path)).body;

/** Returns the data that viewers see, without values that change at every reset. */
async function readDemoData() {
  const [{ accounts }, { holdings }, worth, list, layout] = await Promise.all(
    ['/api/accounts', '/api/investments/holdings', '/api/net-worth', '/api/watchlist', '/api/dashboard'].map(read),
  );
  return {
    accounts: accounts.map(({ name, kind, currency, balance, holding_count }: Record<string, unknown>) => ({
      name,
      kind,
      currency,
      balance,
      holding_count,
    })),
    holdings: holdings.map(({ account_name, symbol, quantity, cost_basis }: Record<string, unknown>) => ({
      account_name,
      symbol,
      quantity,
      cost_basis,
    })),
    worth: worth.currencies,
    list: list.items.map(({ symbol, locked }: Record<string, unknown>) => ({ symbol, locked })),
    layout,
  };
}

test('shows each kind of account, holding and watchlist row after the first run', async () => {
  const { accounts } = await read('/api/accounts');
  const kinds = (rows: Record<string, string>[], field: string) => [...new Set(rows.map((row) => row[field]))].sort();
  assert.deepEqual(kinds(accounts, 'kind'), ['bank', 'brokerage', 'manual']);
  assert.deepEqual(kinds(accounts, 'currency'), ['GBP', 'USD']);
  const { holdings } = await read('/api/investments/holdings');
  assert.deepEqual(kinds(holdings, 'asset_type'), ['bond', 'etf', 'mutual_fund', 'stock']);
  assert.ok(holdings.every(({ value, cost_basis }: Record<string, number>) => value! > 0 && cost_basis! > 0));

  const { items, locked_count } = await read('/api/watchlist');
  const open = items.filter(({ locked }: { locked: boolean }) => !locked);
  assert.deepEqual(kinds(open, 'asset_type'), ['bond', 'etf', 'mutual_fund', 'stock']);
  assert.deepEqual([open.length, locked_count], [23, 0]);
  assert.ok(open.some(({ held }: { held: boolean }) => held));
  assert.ok(open.some(({ currency }: { currency: string }) => currency === 'GBP'));
  // The chip counts seven market days.
  const nextWeek = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
  assert.ok(
    open.some((row: { next_report: { date: string } | null }) => row.next_report && row.next_report.date <= nextWeek),
  );
});

test('shows a year of daily net worth that ends at the current value', async () => {
  const { currencies } = await read('/api/net-worth?days=366');
  for (const { currency, total, history } of currencies) {
    assert.equal(history.length, 365, currency);
    assert.ok(new Set(history.map((day: { total: number }) => day.total)).size > 200, currency);
    const steps = history.map((day: { total: number }, at: number) =>
      Math.abs((history[at + 1]?.total ?? total) / day.total - 1),
    );
    assert.ok(Math.max(...steps) < 0.15, `${currency} jumps by ${Math.max(...steps)}`);
  }
});

test('restores changed data without effect on other members, any number of times', async (t) => {
  const { demoData } = await openFeatures(t, service);
  const before = await readDemoData();
  const readOthers = () =>
    service.database.owner(
      `select (select md5(string_agg(a::text, '' order by a.id)) from public.accounts a
           where a.idp_id <> $1) as accounts,
         (select md5(string_agg(n::text, '' order by n.idp_id, n.d, n.currency)) from public.net_worth_snapshots n
           where n.idp_id <> $1) as worth,
         (select md5(string_agg(w::text, '' order by w.id)) from public.watchlist_items w
           where w.idp_id <> $1) as list`,
      [demo],
    );
  const othersBefore = await readOthers();
  const [{ accounts }, { items }] = await Promise.all([read('/api/accounts'), read('/api/watchlist')]);
  const manual = accounts.find(({ kind }: { kind: string }) => kind === 'manual');
  const changes = await Promise.all([
    viewer.call('POST', '/api/accounts', { name: 'Mine now' }),
    viewer.call('DELETE', `/api/accounts/${manual.id}`),
    viewer.call('DELETE', `/api/watchlist/${items[0].id}`),
    viewer.call('PUT', '/api/dashboard', { cards: [{ id: 'watchlist' }] }),
    service.database.owner(`delete from public.net_worth_snapshots where idp_id = $1 and d < current_date - 9`, [demo]),
  ]);
  assert.deepEqual(
    changes.slice(0, 4).map((change) => 'status' in change && change.status),
    [201, 204, 204, 200],
  );
  assert.notDeepEqual(await readDemoData(), before);
  for (let time = 0; time < 2; time += 1) {
    assert.deepEqual(await demoData.reset(), { ok: true, idpUserId: demo });
    assert.deepEqual(await readDemoData(), before);
  }
  assert.deepEqual(await readOthers(), othersBefore);
});

test('leaves no partial data when resets and edits run concurrently', async (t) => {
  const [one, other] = await Promise.all([openFeatures(t, service), openFeatures(t, service)]);
  const before = await readDemoData();
  for (let round = 0; round < (runsLongTests ? 15 : 4); round += 1) {
    const [{ accounts }, { holdings }, { items }] = await Promise.all(
      ['/api/accounts', '/api/investments/holdings', '/api/watchlist'].map(read),
    );
    const manual = accounts.filter(({ kind }: { kind: string }) => kind === 'manual');
    const ids = items.map(({ id }: { id: string }) => id).reverse();
    const holding = { account_id: manual[0].id, symbol: 'AMZN', quantity: 1 };
    const [first, second, , ...edits] = await Promise.all([
      one.demoData.reset(),
      other.demoData.reset(),
      collectTasks(one.list)['record-net-worth-snapshots']!({} as never, {} as never),
      viewer.call('POST', '/api/investments/holdings', holding),
      viewer.call('PATCH', `/api/investments/holdings/${holdings[round % holdings.length].id}`, { quantity: 2 }),
      viewer.call('DELETE', `/api/accounts/${manual.at(-1).id}`),
      viewer.call('POST', '/api/accounts', { name: `Account ${round}` }),
      viewer.call('PUT', '/api/watchlist/order', { ids }),
      viewer.call('DELETE', `/api/watchlist/${ids[3]}`),
      viewer.call('PUT', '/api/dashboard', { cards: [{ id: 'watchlist' }] }),
    ]);
    assert.deepEqual([first.ok, second.ok], [true, true]);
    for (const { status, body } of edits) assert.ok(status < 500, `${status} ${JSON.stringify(body)}`);
    // After any order, each feature shows the demo data with at most one edit of a viewer, never an empty list.
    const { list, worth } = await readDemoData();
    assert.ok(list.length >= before.list.length - 1);
    const { history } = worth.find(({ currency }: { currency: string }) => currency === 'USD');
    assert.ok(history.length === 365 || history.length === 366, 'the past, and today where its snapshot came last');
  }
  await one.demoData.reset();
  assert.deepEqual(await readDemoData(), before);
});

test('resets daily at the configured time or at night by default', async (t) => {
  const features = await openFeatures(t, service, { DEMO_ACCESS_RESET: '04:30' });
  assert.deepEqual(features.demoData.schedules, [
    { task: 'reset-demo-data', match: '30 4 * * *', backfillMinutes: 240 },
  ]);
  assert.deepEqual((await openFeatures(t, service)).demoData.schedules.length, 1, 'each night where nothing is set');
  assert.deepEqual((await openFeatures(t, service, { DEMO_ACCESS_RESET: 'off' })).demoData.schedules, []);
  const before = await readDemoData();
  await viewer.call('POST', '/api/accounts', { name: 'Until the morning' });
  await collectTasks(features.list)['reset-demo-data']!({} as never, {} as never);
  assert.deepEqual(await readDemoData(), before);
});

test('shows viewers the time of the reset when a reset created the data', async () => {
  const readResetTime = async () => (await read('/api/config')).demo_account as { reset_at: string | null };
  await service.database.owner('delete from public.demo_resets');
  assert.equal((await readResetTime()).reset_at, null);
  await service.database.owner('insert into public.demo_resets (idp_id) values ($1)', [demo]);
  assert.equal((await readResetTime()).reset_at, '04:30');
});

test('creates no link to an empty account until its data is reset', async (t) => {
  const { demoData } = await openFeatures(t, service);
  const authorization = `Bearer ${service.firstRun.operator_token}`;
  const create = () =>
    sendRequest(`${service.url}/api/internal/demo-access`, 'POST', { label: 'Ada' }, { authorization });
  for (const holdings of ['manual_public_holdings', 'connected_holdings'])
    await service.database.owner(`delete from public.${holdings} where idp_id = $1`, [demo]);
  const { status, body } = await create();
  assert.deepEqual([status, body.code], [409, 'DEMO_ACCOUNT_NOT_READY']);
  assert.equal(body.message, `${demo} has no holding: run "tally demo-account reset" first.`);
  await demoData.reset();
  assert.equal((await create()).status, 201);
});

test('resets the data of the deployment’s own database by command', async (t) => {
  const before = await readDemoData();
  await viewer.call('POST', '/api/accounts', { name: 'Until the command' });
  const dataDir = mkdtempSync(join(tmpdir(), 'tally-reset-'));
  t.onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const { authenticator, service: serviceUrl } = service.database.urls;
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    DB_URL: authenticator,
    DB_SERVICE_ROLE_KEY: decodeURIComponent(new URL(serviceUrl.replace('@/', '@socket/')).password),
  };
  const program = fileURLToPath(new URL('../../../bin/tally.mjs', import.meta.url));
  const run = promisify(execFile);
  const commandOutput = await run(process.execPath, [program, 'demo-account', 'reset'], { cwd: dataDir, env });
  assert.deepEqual(commandOutput, { stdout: '', stderr: `The demo data of ${demo} was reset.\n` });
  viewer = await signInViewer(service);
  assert.deepEqual(await readDemoData(), before);
});

test('lets a viewer add to the watchlist, because the plan covers the demo data', async () => {
  const { tier, limit, items } = await read('/api/watchlist');
  assert.deepEqual([tier, limit], ['pro', 100]);
  assert.ok(items.length > 20, 'more than the free plan takes');
  const added = await viewer.call('POST', '/api/watchlist', { symbol: 'MSFT' });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  assert.equal((await viewer.call('DELETE', `/api/watchlist/${added.body.item.id}`)).status, 204);
});

test('keeps the holdings of an account without a reset until replace is given', async (t) => {
  const lines: string[] = [];
  const logger = createLogger('info', {
    write: (line) => {
      lines.push(line);
    },
  });
  const { demoData, list } = await openFeatures(t, service, {}, logger);
  const before = await readDemoData();
  await service.database.owner('delete from public.demo_resets');
  await viewer.call('POST', '/api/accounts', { name: 'Somebody’s own' });
  const dataBefore = await readDemoData();
  const resetResult = await demoData.reset();
  assert.ok(
    !resetResult.ok && resetResult.message.startsWith(`The account ${demo} was never reset`),
    JSON.stringify(resetResult),
  );
  await collectTasks(list)['reset-demo-data']!({} as never, {} as never);
  const keptLines = lines.filter((line) => line.includes('demo account was not reset'));
  assert.equal(keptLines.length, 1, 'logs it in one line');
  assert.match(keptLines[0]!, /was never reset/);
  assert.deepEqual(await readDemoData(), dataBefore);
  assert.equal((await demoData.reset({ replace: true })).ok, true);
  assert.deepEqual(await readDemoData(), before);
  assert.equal((await demoData.reset()).ok, true, 'logged once');
});

test('rejects a reset without a demo account, for the sample user and for non-members', async (t) => {
  const before = await readDemoData();
  const sample = (await openFeatures(t, service)).identity.accounts.sampleUserId!;
  for (const [id, sentence] of [
    [sample, `${sample} is the sample user`],
    ['user_nobody', 'user_nobody is not a member here'],
  ] as const) {
    const { demoData } = await openFeatures(t, service, { DEMO_ACCOUNT_IDP_USER_ID: id });
    const reset = await demoData.reset();
    assert.ok(!reset.ok && reset.message.startsWith(sentence), JSON.stringify(reset));
  }
  const hosted = await openFeatures(t, service, {
    IDP_API_URL: 'http://127.0.0.1:9/v1',
    IDP_FRONTEND_API_URL: 'http://127.0.0.1:9',
    IDP_SECRET_KEY: SECRET_KEY,
    IDP_WEBHOOK_SECRET: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0',
  });
  const reset = await hosted.demoData.reset();
  assert.ok(!reset.ok && reset.message.startsWith('There is no demo account'));
  assert.deepEqual(await readDemoData(), before);
});

test('requests only US listings and changes nothing when market data is unavailable', async (t) => {
  const fake = await startFmpFake();
  t.onTestFinished(() => fake.close());
  const symbols = async (): Promise<string[]> => {
    const { list, holdings } = await readDemoData();
    return [...list, ...holdings].map(({ symbol }: { symbol: string }) => symbol);
  };
  const { demoData } = await openFeatures(t, service, { FMP_API_KEY: FMP_KEY }, undefined, { fmp: fake.url });
  assert.equal((await demoData.reset()).ok, true);
  assert.deepEqual(
    (await symbols()).filter((symbol) => !/^[A-Z]{1,5}(\.[AB])?$/.test(symbol)),
    [],
  );
  assert.ok((await symbols()).length > 25);

  await service.database.owner(`delete from public.watchlist_items where idp_id = $1 and symbol = 'DIS'`, [demo]);
  await service.database.owner(`delete from public.tracked_tickers_latest where symbol = 'DIS'`);
  await fake.close();
  const dataAfter = await readDemoData();
  await assert.rejects(demoData.reset(), { code: 'UNAVAILABLE' });
  assert.deepEqual(await readDemoData(), dataAfter);
});
