// @module-tag alone
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { MEMBER_TABLES, SERVICE_GROUP } from '../src/platform/database/distribute.ts';
import { signDelivery } from '../src/platform/http/webhook-schemes/standard-webhooks.ts';
import { eventually, eventuallyEquals } from './support/eventually.ts';
import { startIdentityProvider } from './fakes/identity-provider.ts';
import { createTestDatabase } from './support/database.ts';
import { callBackend, SECRET_KEY, SITE, sendRequest, WEBHOOK_SECRET } from './support/identity.ts';
import { runsLongTests } from './support/long-tests.ts';
import {
  insertMemberRows,
  listLoadedLibraries,
  type OwnerColumn,
  listOwnerColumns,
  signInMember,
  listTablesWith,
} from './support/member-tables.ts';
import { collectMemberStrings, findMemberStrings, type FoundString } from './support/member-strings.ts';
import { startService, type TestService } from './support/service.ts';

// Runs in its own process, since a test checks which libraries the process has loaded.

const SETTINGS = {
  LOG_LEVEL: 'silent',
  BASE_URL: SITE,
  API_RATE_LIMIT: '100000',
  IDP_SECRET_KEY: SECRET_KEY,
  IDP_WEBHOOK_SECRET: WEBHOOK_SECRET,
  OPERATOR_TOKEN: 'f0'.repeat(32),
  TRUSTED_PROXIES: '127.0.0.1',
  SHUTDOWN_DRAIN_SECONDS: '0',
  SANDBOX: 'on',
};

let service: TestService;
beforeAll(async () => {
  service = await startService(SETTINGS);
});
afterAll(() => service.stop());

/**
 * What may stay of a deleted member: where, and the columns of the member's rows that had the strings. No entry has a
 * string that names the member. An entry without a match fails too.
 */
const KEPT: readonly { where: RegExp; strings: string[]; reason: string }[] = [
  {
    where: /^public\.billing_(payers|invoices|movements|refunds_and_disputes)\./,
    strings: ['public.billing_customers.payer', 'public.subscriptions.id'],
    reason: 'money belongs to a random payer, and invoices name the subscription at the payment provider',
  },
  {
    where: /^public\.(referrals\.id|referral_audit\.referral_id)$/,
    strings: ['public.referrals.id'],
    reason: 'a referral counts for the other member and in the audit, under its random id',
  },
  {
    where: /^public\.deleted_members\.idp_id_hash$/,
    strings: ['SHA-256 of the identifier'],
    reason: 'the tombstone stops late events from creating the member again',
  },
  {
    where: /^idp\.clients\.id$/,
    strings: ['idp.sessions.client_id'],
    reason:
      'the random id of a browser, which other accounts may use, and which no row connects to the member any more',
  },
  {
    where: /^bank_sandbox\.items\./,
    strings: ['public.accounts.external_id', 'public.connections.external_id'],
    reason: 'the sandbox of banks stands for another service, which keeps a removed access 30 days under random ids',
  },
  {
    where: /^pay_sandbox\./,
    strings: [
      'public.billing_checkouts.id',
      'public.billing_checkouts.session_id',
      'public.billing_checkouts.url',
      'public.billing_customers.payer',
      'public.subscriptions.id',
    ],
    reason: 'the sandbox of payments stands for another service, which keeps its records of payments under random ids',
  },
];

/** Returns the found strings that no entry of `kept` allows, and the strings of entries that were not found. */
function compareWithKept(found: readonly FoundString[], kept: typeof KEPT): string[] {
  const unmatched = new Set(kept.flatMap(({ where, strings }) => strings.map((source) => `${where}: no ${source}`)));
  const unexpected: string[] = [];
  for (const { column, source } of found) {
    const matches = kept.filter(({ where, strings }) => where.test(column) && strings.includes(source));
    for (const { where } of matches) unmatched.delete(`${where}: no ${source}`);
    if (matches.length === 0) unexpected.push(`${column} has ${source}`);
  }
  return [...unexpected, ...unmatched];
}

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

test('removes all rows of a deleted member except retained ones', async () => {
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
  assert.deepEqual(await countMemberRows(other.idpId), other.rows);
  // Only the other member's access remains at the aggregator.
  await eventuallyEquals(
    async () => (await service.database.owner(`select 1 from bank_sandbox.items where state <> 'removed'`)).length,
    1,
  );
  await eventuallyEquals(async () => (await deleted.call('GET', '/api/me')).status, 401);
  await eventuallyEquals(async () => (await deleted.countTokens()).status, 401);
});

/** Signs up a member whose name, texts, address and browser occur nowhere else. */
async function signUpUniqueMember(app: TestService, provider?: string) {
  const mark = randomBytes(6).toString('hex');
  const [first, second, third] = mark.match(/.{4}/g)!;
  const headers = { 'user-agent': `Browser ${mark}`, 'x-forwarded-for': `2001:db8::${first}:${second}:${third}` };
  return { ...(await signInMember(app, undefined, { headers, provider })), mark, headers };
}

type UniqueMember = Awaited<ReturnType<typeof signUpUniqueMember>>;

/** Sends an event as a hosted identity provider does. */
async function sendEvent({ url }: TestService, type: string, data: object, device: UniqueMember['headers']) {
  const http_request = { client_ip: device['x-forwarded-for'], user_agent: device['user-agent'] };
  const body = JSON.stringify({ object: 'event', type, data, event_attributes: { http_request } });
  const headers = signDelivery(WEBHOOK_SECRET, `msg_${randomUUID()}`, body, Date.now() / 1000);
  const sent = { 'content-type': 'application/json', ...headers };
  assert.equal((await sendRequest(`${url}/api/webhooks/identity`, 'POST', body, sent)).status, 200);
}

const sendUpdate = (app: TestService, { idpId, email, mark, headers }: UniqueMember) =>
  sendEvent(
    app,
    'user.updated',
    {
      id: idpId,
      email_addresses: [{ email_address: email }],
      first_name: mark,
      created_at: Date.now(),
      updated_at: Date.now(),
    },
    headers,
  );

async function deleteAsOperator(member: UniqueMember): Promise<void> {
  const authorization = `Bearer ${SETTINGS.OPERATOR_TOKEN}`;
  const signedIn = await sendRequest(`${service.url}/api/operator/session`, 'POST', undefined, { authorization });
  const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
  const headers = { cookie, origin: SITE };
  const url = `${service.url}/api/operator/members/${member.idpId}`;
  assert.equal((await sendRequest(url, 'DELETE', undefined, headers)).status, 204);
}

async function deleteAsMember({ browser, headers }: UniqueMember): Promise<void> {
  assert.equal((await browser.call('DELETE', '/me', undefined, headers)).status, 200);
}

/** Deletes a member with rows of every kind, and looks for the member's strings in every column of the database. */
async function assertForgotten(
  app: TestService,
  member: UniqueMember,
  remove: (member: UniqueMember) => Promise<void>,
  kept = KEPT,
): Promise<void> {
  const { owner } = app.database;
  await insertMemberRows(app, member, `Notes of ${member.mark}`);
  await sendUpdate(app, member);
  const strings = await collectMemberStrings(owner, member.idpId);
  const found = new Set((await findMemberStrings(owner, strings)).map(({ source }) => source));
  const unseen = [...new Set(strings.values())].filter((source) => !found.has(source));
  assert.deepEqual(unseen, ['SHA-256 of the identifier'], 'the search finds every other string before the deletion');
  for (const text of [member.idpId, member.email, `Notes of ${member.mark}`]) assert.ok(strings.has(text), text);
  // Events have them too, which a hosted provider sends.
  for (const [name, text] of Object.entries(member.headers)) strings.set(text, name);

  await remove(member);

  const compare = async () => compareWithKept(await findMemberStrings(owner, strings), kept);
  await eventuallyEquals(compare, []);
  // A late event, as after a failed delivery.
  await sendUpdate(app, member);
  assert.deepEqual(await compare(), []);
}

/** Deletes a member of the embedded provider who has rows of every kind. */
async function deleteUniqueMember(remove: (member: UniqueMember) => Promise<void>): Promise<void> {
  await insertMemberRows(service, await signInMember(service));
  const member = await signUpUniqueMember(service);
  await service.database.owner(
    `insert into idp.invitations (id, email, code_hash, expires_at) values ($1, $2, 'x', now() + interval '1 day')`,
    [`inv_${randomUUID()}`, member.email],
  );
  await assertForgotten(service, member, remove);
}

test('leaves no string of a member in any column when the member deletes the account', () =>
  deleteUniqueMember(deleteAsMember));

test('leaves no string of a member in any column when the operator deletes the member', { tags: ['slow'] }, () =>
  deleteUniqueMember(deleteAsOperator),
);

test(
  'leaves no string of a member in any column when a hosted provider’s event deletes the member',
  {
    tags: ['slow'],
  },
  async (t) => {
    const providerDatabase = await createTestDatabase(t);
    const provider = await startIdentityProvider(providerDatabase.database.service);
    t.onTestFinished(() => provider.close());
    const app = await startService({
      ...SETTINGS,
      BASE_URL: provider.url,
      IDP_API_URL: provider.apiUrl,
      IDP_FRONTEND_API_URL: provider.apiUrl,
      IDP_SECRET_KEY: provider.secretKey,
    });
    t.onTestFinished(() => app.stop());
    const remove = ({ idpId, headers }: UniqueMember) =>
      sendEvent(app, 'user.deleted', { id: idpId, deleted: true }, headers);
    await insertMemberRows(app, await signInMember(app, undefined, { provider: provider.url }));
    const member = await signUpUniqueMember(app, provider.url);
    // The embedded provider's tables are empty.
    const kept = KEPT.filter(({ strings }) => !strings.some((source) => source.startsWith('idp.')));
    await assertForgotten(app, member, remove, kept);
  },
);

test('shows no page of a sandbox when its member is deleted before the sign-in there', async () => {
  const member = await signInMember(service);
  const pages: string[] = [];
  for (const kind of ['bank', 'brokerage']) {
    const { status, body } = await member.call('POST', '/api/connections/start', { kind });
    assert.equal(status, 201, JSON.stringify(body));
    pages.push(`${service.url}${new URL(body.url).pathname}`);
  }
  const readStatuses = () => Promise.all(pages.map(async (page) => (await sendRequest(page, 'GET')).status));
  assert.deepEqual(await readStatuses(), [200, 200]);
  await remove(member.idpId);
  await eventuallyEquals(readStatuses, [404, 404]);
});

test('finds a string of a deleted member in a new table that a feature fills', async (t) => {
  const { owner, distributed } = service.database;
  if (distributed) return t.skip('a trigger of a distributed table cannot write to a table of the coordinator');
  await owner(`
    create table public.planted (about jsonb);
    create function public.plant() returns trigger language plpgsql security definer set search_path = '' as $$
      begin
        insert into public.planted values (jsonb_build_object('copy', 'Account ' || new.name));
        return new;
      end $$;
    create trigger plant after insert on public.accounts for each row execute function public.plant()`);
  try {
    const member = await signUpUniqueMember(service);
    assert.equal((await member.call('POST', '/api/accounts', { name: `Cash ${member.mark}` })).status, 201);
    const strings = await collectMemberStrings(owner, member.idpId);
    await remove(member.idpId);
    const found = compareWithKept(await findMemberStrings(owner, strings), KEPT);
    assert.ok(found.includes('public.planted.about has public.accounts.name'));
  } finally {
    await owner('drop table public.planted; drop function public.plant() cascade');
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
    await eventuallyEquals(() => listTablesWith(service.database.owner, member.idpId), []);
  }
});
