import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { createTestHttpApp } from '../../../test/support/http-app.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createMemberManagement } from '../../platform/identity/manage-members.ts';
import { createJobs } from '../../platform/jobs/jobs.ts';
import { createOperator } from './operator.ts';
import { parseUpdateNotes } from './update-notes.ts';

const TOKEN = 'f1'.repeat(32);
const BASE_URL = 'https://tally.example.com';

let db: TestDatabase;
const apps: HttpApp[] = [];
const revokedKeys: string[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  revokedKeys.length = 0;
  await db.owner('truncate tally.operator_sessions, public.all_users, public.feature_flags cascade');
  await db.owner(
    `insert into public.all_users (idp_id, email) values ('user_a', 'ada@example.com'), ('user_demo', null)`,
  );
  await db.owner(`insert into public.feature_flags (flag, percentage) values ('watchlist', 100)`);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await db.drop();
});

/** Starts one process with the operator's routes. */
async function start({ token = TOKEN, baseUrl = BASE_URL }: { token?: string | null; baseUrl?: string } = {}) {
  const sql = db.database.service;
  const app = await createTestHttpApp();
  apps.push(app);
  const operator = createOperator({
    sql,
    token: token ?? undefined,
    baseUrl,
    members: createMemberManagement({
      sql,
      owners: [],
      provider: {
        accounts: { demoAccountId: 'user_demo', sampleUserId: undefined },
        deleteUser: async () => 'done',
        countActiveSessions: async () => new Map([['user_a', 2]]),
      },
      readTiers: async () => new Map([['user_a', 'pro']]),
    }),
    checkInstallation: async () => [{ name: 'worker', state: 'ok', message: 'Fine.' }],
    readCallBudgets: async () => [
      { provider: 'fmp', used_today: 5, quotes_today: 3, per_day: 250, used_this_minute: 1, per_minute: null },
    ],
    readAssistantUse: async () => ({ days: [], conversations: 0, questions: 0 }),
    dailyTokens: 1_000,
    hasRevenue: true,
    listKeys: async () => [],
    async revokeKey(id) {
      revokedKeys.push(id);
      return true;
    },
  });
  await operator.register!(app);
  await app.ready();
  return async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const response = await app.inject({
      method: method as 'GET',
      url: `/api/operator/${path}`,
      headers,
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, headers: response.headers, body: response.body && response.json() };
  };
}

type Call = Awaited<ReturnType<typeof start>>;

/** Signs in and returns the headers of the page's next requests. */
async function signIn(call: Call): Promise<{ cookie: string; origin: string }> {
  const { status, headers } = await call('POST', 'session', { authorization: `Bearer ${TOKEN}` });
  assert.equal(status, 204);
  return { cookie: String(headers['set-cookie']).split(';')[0]!, origin: BASE_URL };
}

test('returns 404 for every route when OPERATOR_TOKEN is not set', async () => {
  const call = await start({ token: null });
  for (const [method, path] of [
    ['POST', 'session'],
    ['GET', 'installation'],
    ['GET', 'members'],
    ['DELETE', 'members/user_a'],
  ] as const)
    assert.equal((await call(method, path, { authorization: `Bearer ${TOKEN}` })).status, 404, path);
});

test('sets a cookie that scripts and other sites cannot use, stored as a hash', async () => {
  const call = await start();
  const { headers } = await call('POST', 'session', { authorization: `Bearer ${TOKEN}` });
  assert.match(
    String(headers['set-cookie']),
    /^tally_operator=[\w-]{43}; Path=\/api\/operator; HttpOnly; SameSite=Strict; Secure$/,
  );
  const id = /=([\w-]+);/.exec(String(headers['set-cookie']))![1]!;
  const [row] = await db.owner<{ hash: string }>(`select encode(id_hash, 'hex') as hash from tally.operator_sessions`);
  assert.equal(row!.hash.length, 64);
  assert.notEqual(row!.hash, Buffer.from(id, 'base64url').toString('hex'));
  const plain = await (
    await start({ baseUrl: 'http://127.0.0.1:3000' })
  )('POST', 'session', {
    authorization: `Bearer ${TOKEN}`,
  });
  assert.doesNotMatch(String(plain.headers['set-cookie']), /Secure/);
});

test('rejects every token and cookie that is not of the session', async () => {
  const call = await start();
  assert.equal((await call('POST', 'session', { authorization: `Bearer ${'e1'.repeat(32)}` })).status, 401);
  assert.equal((await call('POST', 'session')).status, 401);
  for (const headers of [
    {},
    { authorization: `Bearer ${TOKEN}` },
    { cookie: `tally_operator=${TOKEN}` },
    { cookie: `tally_operator=${'A'.repeat(43)}` },
    { cookie: `tally_operator=${'A'.repeat(10_000)}` },
  ])
    assert.equal((await call('GET', 'installation', headers)).status, 401, JSON.stringify(headers).slice(0, 80));
});

test('keeps a session in every process until it is idle, old, ended, or the token changes', async () => {
  const first = await start();
  const second = await start();
  const session = await signIn(first);
  assert.equal((await second('GET', 'installation', session)).status, 200);
  assert.equal((await (await start({ token: 'a2'.repeat(32) }))('GET', 'installation', session)).status, 401);
  await db.owner(`update tally.operator_sessions set last_used_at = now() - interval '14 minutes'`);
  assert.equal((await first('GET', 'flags', session)).status, 200, 'a use starts the 15 minutes anew');
  await db.owner(`update tally.operator_sessions set last_used_at = now() - interval '15 minutes 1 second'`);
  assert.equal((await first('GET', 'flags', session)).status, 401);
  const old = await signIn(first);
  await db.owner(`update tally.operator_sessions set created_at = now() - interval '13 hours'`);
  assert.equal((await first('GET', 'flags', old)).status, 401);
  const ended = await signIn(first);
  const { status, headers } = await second('DELETE', 'session', ended);
  assert.equal(status, 204);
  assert.match(String(headers['set-cookie']), /Max-Age=0/);
  assert.equal((await first('GET', 'flags', ended)).status, 401);
});

test('refuses writes that do not come from our own page', async () => {
  const call = await start();
  const { cookie } = await signIn(call);
  for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const { status, body } = await call('DELETE', 'members/user_a', { cookie, ...headers });
    assert.deepEqual([status, body.code], [403, 'CROSS_ORIGIN'], JSON.stringify(headers));
  }
  assert.equal((await db.owner(`select 1 from public.all_users where idp_id = 'user_a'`)).length, 1);
});

test('limits sign-ins of an address', async () => {
  const call = await start();
  const statuses = new Set<number>();
  for (let attempt = 0; attempt < 21; attempt += 1)
    statuses.add((await call('POST', 'session', { authorization: 'Bearer wrong' })).status);
  assert.deepEqual([...statuses], [401, 429]);
});

test('refuses to delete the demo account', async () => {
  const call = await start();
  const session = await signIn(call);
  const { body } = await call('GET', 'members?search=ADA%40', session);
  assert.deepEqual(
    body.members.map(({ idp_id, tier, sessions, reserved }: Record<string, unknown>) => [
      idp_id,
      tier,
      sessions,
      reserved,
    ]),
    [['user_a', 'pro', 2, null]],
  );
  const refusal = await call('DELETE', 'members/user_demo', session);
  assert.deepEqual([refusal.status, refusal.body.code], [409, 'CONFLICT']);
  assert.equal((await call('DELETE', 'members/user_a', session)).status, 204);
  assert.equal((await call('DELETE', 'members/user_a', session)).status, 404);
  assert.equal((await db.owner('select 1 from public.all_users')).length, 1);
});

test('retries a failed job, sets a flag and revokes a key', async () => {
  const call = await start();
  const session = await signIn(call);
  const id = await createJobs(db.database).add('operator-example', {});
  await db.owner('update graphile_worker._private_jobs set attempts = max_attempts where id = $1', [id]);
  const listed = await call('GET', 'jobs', session);
  assert.deepEqual(
    listed.body.jobs.map((job: { id: string; state: string }) => [job.id, job.state]),
    [[id, 'failed']],
  );
  assert.equal((await call('POST', `jobs/${id}/retry`, session)).status, 204);
  assert.deepEqual((await call('GET', 'jobs', session)).body, { jobs: [] });
  assert.equal((await call('POST', 'jobs/999999/retry', session)).status, 404);
  assert.equal((await call('PUT', 'flags/watchlist', session, { percentage: 25 })).status, 204);
  assert.deepEqual((await call('GET', 'flags', session)).body, {
    flags: [{ flag: 'watchlist', percentage: 25, on_for: { count: 0, ids: [] }, off_for: { count: 0, ids: [] } }],
  });
  assert.equal((await call('PUT', 'flags/unknown', session, { percentage: 25 })).status, 404);
  for (const percentage of [-1, 101, 0.5, '5'])
    assert.equal((await call('PUT', 'flags/watchlist', session, { percentage })).status, 400, String(percentage));
  const key = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
  assert.equal((await call('DELETE', `keys/${key}`, session)).status, 204);
  assert.deepEqual(revokedKeys, [key]);
});

test('turns a flag on and off for single members, by id or address', async () => {
  const call = await start();
  const session = await signIn(call);
  const set = async (member: string, enabled: unknown, flag = 'watchlist') =>
    (await call('PUT', `flags/${flag}/member`, session, { member, enabled })).status;
  const read = async () => {
    const [flag] = (await call('GET', 'flags', session)).body.flags;
    return [flag.on_for.ids, flag.off_for.ids];
  };
  assert.equal(await set('ADA@example.com', false), 204);
  assert.deepEqual(await read(), [[], ['user_a']]);
  assert.equal(await set('user_a', true), 204);
  assert.deepEqual(await read(), [['user_a'], []]);
  assert.equal(await set('user_a', null), 204);
  assert.deepEqual(await read(), [[], []]);
  assert.equal(await set('user_a', null), 404);
  assert.equal(await set('user_nobody', true), 404);
  assert.equal(await set('user_a', true, 'unknown'), 404);
  assert.equal((await db.owner('select 1 from public.feature_flags')).length, 1, 'no flag is created');
  for (const [member, enabled] of [
    ['', true],
    ['x'.repeat(400), true],
    ['user_a', 'yes'],
    ["a'; drop table x", true],
  ])
    assert.ok([400, 404].includes(await set(member as string, enabled)), String(member));
  await db.owner(`insert into public.all_users (idp_id, email) values ('user_b', 'Ada@Example.com')`);
  assert.equal(await set('ada@example.com', true), 409);
});

test('shows budgets, use of the assistant and update notes', async () => {
  const call = await start();
  const session = await signIn(call);
  assert.equal((await call('GET', 'market-data', session)).body.budgets[0].used_today, 5);
  assert.deepEqual((await call('GET', 'assistant', session)).body, {
    days: [],
    conversations: 0,
    questions: 0,
    daily_tokens: 1_000,
  });
  assert.equal((await call('GET', 'installation', session)).body.has_revenue, true);
  const { body } = await call('GET', 'update-notes', session);
  assert.ok(body.groups.length > 0 && body.groups[0].entries.length > 0);
});

test('reads the update notes of its version, or those that are not released yet', () => {
  const changelog = `# Changelog\n\n## [Unreleased]\n\n### Added\n- One \`a\`.\n- Two.\n\n## [0.1.0] - 2026-01-01\n\n### Fixed\n- Three.\n`;
  assert.deepEqual(parseUpdateNotes(changelog, '0.1.0'), [{ name: 'Fixed', entries: ['Three.'] }]);
  assert.deepEqual(parseUpdateNotes(changelog, '0.2.0'), [{ name: 'Added', entries: ['One `a`.', 'Two.'] }]);
  assert.deepEqual(parseUpdateNotes('', '0.2.0'), []);
});
