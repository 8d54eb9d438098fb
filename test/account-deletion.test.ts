// @module-tag alone
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { MEMBER_TABLES, SERVICE_GROUP } from '../src/platform/database/distribute.ts';
import { eventually, eventuallyEquals } from './support/eventually.ts';
import { callBackend, SECRET_KEY, SITE, sendRequest } from './support/identity.ts';
import { runsLongTests } from './support/long-tests.ts';
import {
  insertMemberRows,
  listLoadedLibraries,
  type OwnerColumn,
  listOwnerColumns,
  signInMember,
  listTablesWith,
} from './support/member-tables.ts';
import { startService, type TestService } from './support/service.ts';

// Runs in its own process, since a test checks which libraries the process has loaded.

let service: TestService;
beforeAll(async () => {
  service = await startService({
    LOG_LEVEL: 'silent',
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    IDP_SECRET_KEY: SECRET_KEY,
    SANDBOX: 'on',
  });
});
afterAll(() => service.stop());

/** Tables that may still contain the identifier for some time, each with the reason. */
const EXPECTED_EMPTY_TABLES: Readonly<Record<string, string>> = {
  'idp.webhook_messages': "the embedded provider's outbox, emptied after 30 days",
};

const countRows = async ({ table, column }: OwnerColumn, id: string): Promise<number> => {
  const [row] = await service.database.owner<{ n: number }>(
    `select count(*)::int as n from ${table} where ${column} = $1`,
    [id],
  );
  return row!.n;
};

async function countMemberRows(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const owned of await listOwnerColumns(service.database.owner))
    counts[`${owned.table}.${owned.column}`] = await countRows(owned, id);
  return counts;
}

const remove = async (id: string): Promise<void> => {
  assert.equal((await callBackend(service.url, 'DELETE', `/users/${id}`)).status, 200);
  await eventually(
    async () => (await service.database.owner('select 1 from public.all_users where idp_id = $1', [id])).length === 0,
  );
};

test('loads an aggregator’s library at the first call, not at the start', () => {
  assert.deepEqual(listLoadedLibraries(), []);
});

/** Signs in the first run's member of a plan and adds a row of every kind. `key` is an API key of the member. */
async function signInWithAllRows(tier: 'pro' | 'max') {
  const { email, password } = service.firstRun.members.find((member) => member.tier === tier)!;
  const member = await signInMember(service, { identifier: email, password });
  const { key } = await insertMemberRows(service, member);
  const rows = await countMemberRows(member.idpId);
  const countTokens = () =>
    sendRequest(
      `${service.url}/v1/messages/count_tokens`,
      'POST',
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }] },
      { 'x-api-key': key, 'svc-version': '2023-06-01' },
    );
  return { ...member, rows, countTokens };
}

const listNamesOf = (counts: Record<string, number>, isListed: (count: number) => boolean): string[] =>
  Object.entries(counts)
    .filter(([, count]) => isListed(count))
    .map(([name]) => name);

/**
 * Drops the foreign keys to a member that a cluster does not have, since the deletion must not depend on them. Returns
 * the dropped keys, which are none on a cluster.
 */
async function dropMemberForeignKeys(): Promise<{ table: string; name: string; definition: string }[]> {
  const { owner } = service.database;
  const keptTables = MEMBER_TABLES.filter((table) => !SERVICE_GROUP.includes(table));
  const keys = await owner<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and confrelid = 'public.all_users'::regclass
        and conrelid <> all ($1::text[]::regclass[])`,
    [keptTables.map((table) => `public.${table}`)],
  );
  for (const { table, name } of keys) await owner(`alter table ${table} drop constraint ${name}`);
  return keys;
}

test('removes all rows of a deleted member except retained ones, and no row of others', async () => {
  const deleted = await signInWithAllRows('pro');
  const other = await signInWithAllRows('max');
  assert.ok(Object.keys(deleted.rows).length >= 10);
  const untested = listNamesOf(deleted.rows, (count) => count === 0);
  assert.deepEqual(untested, [], 'insertMemberRows leaves no row here, so that deletion is not tested');
  assert.equal((await deleted.countTokens()).status, 200);

  const foreignKeys = await dropMemberForeignKeys();
  try {
    await remove(deleted.idpId);
  } finally {
    for (const { table, name, definition } of foreignKeys)
      await service.database.owner(`alter table ${table} add constraint ${name} ${definition}`);
  }

  assert.deepEqual(
    listNamesOf(await countMemberRows(deleted.idpId), (count) => count > 0),
    [],
    "its owner handles onUserDeleted, or keeps the rows under a pseudonym and states this in the table's comment",
  );
  for (const text of [deleted.idpId, deleted.email])
    assert.deepEqual(
      (await listTablesWith(service.database.owner, text)).filter((table) => !(table in EXPECTED_EMPTY_TABLES)),
      [],
      'no row of any table has the text',
    );
  assert.deepEqual(await countMemberRows(other.idpId), other.rows);
  // Only the other member's access remains at the aggregator.
  await eventuallyEquals(
    async () => (await service.database.owner(`select 1 from bank_sandbox.items where state <> 'removed'`)).length,
    1,
  );
  await eventuallyEquals(async () => (await deleted.call('GET', '/api/me')).status, 401);
  await eventuallyEquals(async () => (await deleted.countTokens()).status, 401);
});

test('finds a table without a deletion by its owner column or its foreign key', async (t) => {
  const { owner, distributed } = service.database;
  if (distributed) return t.skip('a table of the coordinator cannot reference a member by a foreign key');
  await owner('create table public.planted (idp_id text, note text)');
  await owner(
    'create table public.planted_link (whose text references public.all_users (idp_id) on delete set null, note text)',
  );
  try {
    const { idpId } = await signInMember(service);
    await owner(`insert into public.planted values ($1, 'unanswered')`, [idpId]);
    await owner(`insert into public.planted_link values ($1, $1)`, [idpId]);
    const found = Object.keys(await countMemberRows(idpId)).filter((name) => name.startsWith('public.planted'));
    assert.deepEqual(found, ['public.planted.idp_id', 'public.planted_link.whose']);
    await remove(idpId);
    assert.equal((await countMemberRows(idpId))['public.planted.idp_id'], 1);
    assert.ok(
      (await listTablesWith(service.database.owner, idpId)).includes('public.planted_link'),
      'in another column than the owner’s',
    );
  } finally {
    await owner('drop table public.planted, public.planted_link');
  }
});

test('marks a table with retained rows in its comment and excludes it from deletion', async () => {
  const retainedTables = (await listOwnerColumns(service.database.owner))
    .filter((column) => column.isRetained)
    .map(({ table }) => table);
  assert.deepEqual(
    [...new Set(retainedTables)],
    // Counts of sign-ups and replaced referrers matter to other members. A random id replaces the member.
    ['public.referral_audit', 'public.referrals'],
    'name it here with what is kept and why: money, counts or an audit, and nothing that names the member',
  );
});

type SignedInMember = Awaited<ReturnType<typeof signInMember>>;

/** Returns requests of a member that write rows of every kind. */
async function createWriteRequests(
  member: SignedInMember,
): Promise<(() => Promise<{ status: number; body: unknown }>)[]> {
  const account = await member.call('POST', '/api/accounts', { name: 'Cash', balance: 1 });
  assert.equal(account.status, 201);
  const { cards } = (await member.call('GET', '/api/dashboard')).body as { cards: { id: string }[] };
  const symbols = ['AAPL', 'MSFT', 'KO', 'NVDA', 'AMZN', 'TSLA'];
  const holding = { account_id: account.body.account.id, symbol: 'AAPL', quantity: 1 };
  return [
    ...symbols.map((symbol) => () => member.call('POST', '/api/watchlist', { symbol })),
    () => member.call('POST', '/api/accounts', { name: 'Another' }),
    () => member.call('POST', '/api/investments/holdings', holding),
    () => member.call('PUT', '/api/dashboard', { cards: cards.map(({ id }) => ({ id })) }),
    () => member.call('POST', '/api/api-keys', { name: 'Key' }),
    () => member.call('POST', '/api/analytics/events', { events: [{ event: 'plans_viewed', properties: {} }] }),
  ];
}

/** Waits until all events sent so far are stored. They are stored in order, so it waits for one more. */
async function waitForStoredEvents(bystander: SignedInMember, mark: string): Promise<void> {
  await bystander.call('POST', '/api/analytics/events', {
    events: [{ event: 'plans_viewed', properties: { entry_source: mark } }],
  });
  const select = `select 1 from public.analytics_events where properties ->> 'entry_source' = $1`;
  await eventually(async () => (await service.database.owner(select, [mark])).length > 0);
}

test('leaves no row and fails with no 5xx when requests run during a deletion', { tags: ['slow'] }, async () => {
  const bystander = await signInMember(service);
  for (let round = 0; round < (runsLongTests ? 5 : 2); round += 1) {
    const member = await signInMember(service);
    const writeRequests = await createWriteRequests(member);
    let isDeleted = false;
    const faults: unknown[] = [];

    const writers = writeRequests.map(async (write) => {
      while (!isDeleted) {
        const { status, body } = await write();
        if (status >= 500) faults.push(body);
        if (status === 401) return;
      }
      await write();
    });
    await remove(member.idpId);
    isDeleted = true;
    await Promise.all(writers);

    await waitForStoredEvents(bystander, `round ${round}`);
    assert.deepEqual(faults, []);
    assert.deepEqual(await listTablesWith(service.database.owner, member.idpId), ['idp.webhook_messages']);
  }
});
