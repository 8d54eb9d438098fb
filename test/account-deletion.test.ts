import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { ownSchema } from './support/database-lints/own-schemas.ts';
import { returnedBy, visitBank, visitPortal } from './support/connections-app.ts';
import { pay } from './support/billing-app.ts';
import { eventually } from './support/eventually.ts';
import { type Answer, callBackend, newEmail, SECRET_KEY, SITE, send, TestBrowser } from './support/identity.ts';
import { startService, type TestService } from './support/service.ts';

// Runs in a process of its own: it sees which libraries the process has loaded.

let service: TestService;
before(async () => {
  service = await startService({
    LOG_LEVEL: 'silent',
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    IDP_SECRET_KEY: SECRET_KEY,
    SANDBOX: 'on',
  });
});
after(() => service.stop());

/** Texts in which the identifier may stand for a while, and why. */
const PASSING: Readonly<Record<string, string>> = {
  'idp.webhook_messages': "the embedded provider's outbox, emptied after 30 days",
};

interface OwnerColumn {
  table: string;
  column: string;
  /** The table's comment says that its rows stay, under a pseudonym. */
  kept: boolean;
}

/** Every column of our schemas that says whose a row is: by its name, or by a foreign key to a member or person. */
const ownerColumns = (): Promise<OwnerColumn[]> =>
  service.database.owner<OwnerColumn>(`
    select format('%I.%I', n.nspname, c.relname) as table, a.attname as column,
           coalesce(obj_description(c.oid, 'pg_class') ~* 'pseudonym', false) as kept
      from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${ownSchema}
      join pg_attribute a on a.attrelid = c.oid
     where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       and format('%I.%I', n.nspname, c.relname) not in ('public.all_users', 'idp.users')
       and (a.attname ~ '(^|_)(idp_id|user_id|member_id)$'
         or exists (select from pg_constraint k
                     where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
                       and k.confrelid in ('public.all_users'::regclass, 'idp.users'::regclass)))
     order by 1, 2`);

const countOf = async ({ table, column }: OwnerColumn, id: string): Promise<number> => {
  const [row] = await service.database.owner<{ n: number }>(
    `select count(*)::int as n from ${table} where ${column} = $1`,
    [id],
  );
  return row!.n;
};

async function countsOf(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const owned of await ownerColumns()) counts[`${owned.table}.${owned.column}`] = await countOf(owned, id);
  return counts;
}

/** Tables in which a text stands anywhere in a row. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.database.owner<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c
      join pg_namespace n on n.oid = c.relnamespace and (${ownSchema} or n.nspname = 'graphile_worker')
     where c.relkind in ('r', 'p') order by 1`);
  const found: string[] = [];
  for (const { name } of tables)
    if (
      (await service.database.owner(`select 1 from ${name} t where strpos(t::text, $1) > 0 limit 1`, [text])).length > 0
    )
      found.push(name);
  return found;
}

async function signedIn(credentials?: { identifier: string; password: string }) {
  const browser = new TestBrowser(service.url);
  const email = credentials?.identifier ?? newEmail();
  const { body } = credentials
    ? await browser.call('POST', '/client/sign_ins', credentials)
    : await browser.call('POST', '/client/sign_ups', { email_address: email, password: 'correct horse battery' });
  const authorization = `Bearer ${await browser.token(body.response.created_session_id)}`;
  const call = (method: string, path: string, sent?: object) =>
    send(`${service.url}${path}`, method, sent, { authorization });
  assert.equal((await call('GET', '/api/me')).status, 200);
  return { idpId: (await call('GET', '/api/me')).body.idp_user_id as string, email, call };
}

const members = (): TestService['firstRun']['members'] => service.firstRun.members;

/** Leaves a row of the member in every table that has such; a table that comes later is filled here too. */
async function fillTables({ idpId, call }: Awaited<ReturnType<typeof signedIn>>): Promise<{ key: string }> {
  const made = await call('POST', '/api/api-keys', { name: 'Mine' });
  assert.equal(made.status, 201);
  assert.equal((await call('POST', '/api/assistant/tokens', { name: 'Mine' })).status, 201);
  const layout = await call('GET', '/api/dashboard');
  const cards = (layout.body.cards as { id: string }[]).map(({ id }) => ({ id }));
  assert.equal((await call('PUT', '/api/dashboard', { cards })).status, 200);
  const event = { event: 'watchlist_viewed', properties: { feature: 'watchlist' } };
  assert.equal((await call('POST', '/api/analytics/events', { events: [event] })).status, 202);
  assert.equal((await call('PUT', '/api/analytics/choice', { enabled: true })).status, 200);
  await service.database.owner(
    `insert into public.feature_flag_members (flag, idp_id, enabled) select flag, $1, true from public.feature_flags`,
    [idpId],
  );
  await service.database.owner(`insert into public.demo_access_invitations (label, idp_user_id) values ('Ada', $1)`, [
    idpId,
  ]);
  const owner = service.database.owner;
  await owner(`insert into public.first_connections (idp_id, kind, connection_id) values ($1, 'bank', $2)`, [
    idpId,
    randomUUID(),
  ]);
  // Referred by another member, and the referrer of a third.
  const [other] = await owner<{ idp_id: string }>(`select idp_id from public.all_users where idp_id <> $1 limit 1`, [
    idpId,
  ]);
  const third = (await signedIn()).idpId;
  for (const [referred, referrer] of [
    [idpId, other!.idp_id],
    [third, idpId],
  ])
    await owner(
      `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
       values ($1, $2, 'operator', now())`,
      [referred, referrer],
    );
  await owner(
    `insert into public.referral_audit (referral_id, action, reason, referrer_idp_id, previous_referrer_idp_id)
     select id, 'replaced', 'a ticket', $1, $1 from public.referrals where referrer_idp_id = $1`,
    [idpId],
  );
  await owner(
    `with made as (insert into public.assistant_conversations (idp_id, title) values ($1, 'Mine') returning idp_id, id)
     insert into public.assistant_messages (idp_id, conversation_id, role, text)
       select idp_id, id, 'member', 'Mine' from made`,
    [idpId],
  );
  await owner(
    `insert into public.assistant_usage (idp_id, answer_id, day, expires_at)
     values ($1, gen_random_uuid(), current_date, now())`,
    [idpId],
  );
  await owner(`insert into public.tier_grants (idp_id, tier) values ($1, 'pro') on conflict (idp_id) do nothing`, [
    idpId,
  ]);
  await subscribe(call);
  await service.database.owner('insert into public.demo_resets (idp_id) values ($1)', [idpId]);
  await connectBank(call);
  await connectBrokerage(call);
  const ticket = await callBackend(service.url, 'POST', '/sign_in_tokens', { user_id: idpId, expires_in_seconds: 60 });
  assert.equal(ticket.status, 200);
  await eventually(
    async () =>
      (await service.database.owner('select 1 from public.analytics_events where idp_id = $1', [idpId])).length > 0,
  );
  return { key: made.body.key as string };
}

/** Pays for a plan at the stand-in, so that every table about payments has a row of the member. */
async function subscribe(call: (method: string, path: string, sent?: object) => Promise<Answer>): Promise<void> {
  const { body } = await call('POST', '/api/billing/checkout', { tier: 'pro' });
  await pay(service, body.url);
  const { status } = await call('POST', '/api/billing/sync', { checkout_id: body.checkout_id });
  assert.equal(status, 200);
}

/** Files of aggregators' libraries that this process has loaded. */
const loadedLibraries = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) => /node_modules\/(plaid|axios)\//.test(file));

/** Connects the stand-in's bank, so that every table about connections has a row of the member. */
async function connectBank(call: (method: string, path: string, sent?: object) => Promise<Answer>): Promise<void> {
  const { body } = await call('POST', '/api/connections/start', { kind: 'bank' });
  await visitBank(service, body.url);
  await eventually(
    async () =>
      (await call('POST', '/api/connections/finish', { attempt_id: body.attempt_id })).body.status === 'connected',
  );
  assert.ok(loadedLibraries().length > 0);
}

/** The same with the stand-in's brokerage. */
async function connectBrokerage(call: (method: string, path: string, sent?: object) => Promise<Answer>): Promise<void> {
  const { body } = await call('POST', '/api/connections/start', { kind: 'brokerage' });
  const returned = returnedBy(await visitPortal(service, body.url));
  const finish = () => call('POST', '/api/connections/finish', { attempt_id: body.attempt_id, returned });
  await eventually(async () => (await finish()).body.status === 'connected');
}

const remove = async (id: string): Promise<void> => {
  assert.equal((await callBackend(service.url, 'DELETE', `/users/${id}`)).status, 200);
  await eventually(
    async () => (await service.database.owner('select 1 from public.all_users where idp_id = $1', [id])).length === 0,
  );
};

test('a start loads no library of an aggregator: the first call does', () => {
  assert.deepEqual(loadedLibraries(), []);
});

test('nothing of a deleted member stays but what names itself as kept, and nothing of others goes', async () => {
  const [pro, max] = await Promise.all(
    (['pro', 'max'] as const).map(async (tier) => {
      const { email, password } = members().find((member) => member.tier === tier)!;
      return signedIn({ identifier: email, password });
    }),
  );
  const { key } = await fillTables(pro!);
  await fillTables(max!);
  const [before, others] = [await countsOf(pro!.idpId), await countsOf(max!.idpId)];
  assert.ok(Object.keys(before).length >= 10);
  const empty = Object.entries(before)
    .filter(([, count]) => count === 0)
    .map(([name]) => name);
  assert.deepEqual(empty, [], 'fillTables leaves no row here, so that deletion is not tested');
  const count = () =>
    send(
      `${service.url}/v1/messages/count_tokens`,
      'POST',
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hi' }] },
      { 'x-api-key': key, 'svc-version': '2023-06-01' },
    );
  assert.equal((await count()).status, 200);

  await remove(pro!.idpId);
  const left = Object.entries(await countsOf(pro!.idpId))
    .filter(([, rows]) => rows > 0)
    .map(([name]) => name);
  assert.deepEqual(
    left,
    [],
    "its owner answers onUserDeleted, or keeps the rows under a pseudonym and says so in the table's comment",
  );
  for (const text of [pro!.idpId, pro!.email])
    assert.deepEqual(
      (await tablesWith(text)).filter((table) => !(table in PASSING)),
      [],
      'the text stands in no row of any table',
    );
  assert.deepEqual(await countsOf(max!.idpId), others);
  // The access of the other member alone is left at the aggregator.
  await eventually(
    async () =>
      (await service.database.owner(`select 1 from bank_sandbox.items where state <> 'removed'`)).length === 1,
  );
  await eventually(async () => (await pro!.call('GET', '/api/me')).status === 401);
  await eventually(async () => (await count()).status === 401);
});

test('a table that no slice deletes from is found, by the name of its column or by its foreign key', async () => {
  const { owner } = service.database;
  await owner('create table public.planted (idp_id text, note text)');
  await owner(
    'create table public.planted_link (whose text references public.all_users (idp_id) on delete set null, note text)',
  );
  try {
    const { idpId } = await signedIn();
    await owner(`insert into public.planted values ($1, 'unanswered')`, [idpId]);
    await owner(`insert into public.planted_link values ($1, $1)`, [idpId]);
    const found = Object.keys(await countsOf(idpId)).filter((name) => name.startsWith('public.planted'));
    assert.deepEqual(found, ['public.planted.idp_id', 'public.planted_link.whose']);
    await remove(idpId);
    assert.equal((await countsOf(idpId))['public.planted.idp_id'], 1);
    assert.ok((await tablesWith(idpId)).includes('public.planted_link'), 'in another column than the owner’s');
  } finally {
    await owner('drop table public.planted, public.planted_link');
  }
});

test('a table whose rows stay says so, and is no table whose rows go', async () => {
  const kept = (await ownerColumns()).filter((column) => column.kept).map(({ table }) => table);
  assert.deepEqual(
    [...new Set(kept)],
    // How many signed up and who replaced whom counts for others; the row's random id stands for the member.
    ['public.referral_audit', 'public.referrals'],
    'name it here with what is kept and why: money, counts or an audit, and nothing that names the member',
  );
});

test('requests of a member who is being deleted leave no row behind, and none of them fails by a fault', async () => {
  const bystander = await signedIn();
  for (let round = 0; round < 5; round += 1) {
    const member = await signedIn();
    const account = await member.call('POST', '/api/accounts', { name: 'Cash', balance: 1 });
    assert.equal(account.status, 201);
    const { cards } = (await member.call('GET', '/api/dashboard')).body as { cards: { id: string }[] };
    const symbols = ['AAPL', 'MSFT', 'KO', 'NVDA', 'AMZN', 'TSLA'];
    const writes: (() => Promise<{ status: number; body: unknown }>)[] = [
      ...symbols.map((symbol) => () => member.call('POST', '/api/watchlist', { symbol })),
      () => member.call('POST', '/api/accounts', { name: 'Another' }),
      () =>
        member.call('POST', '/api/investments/holdings', {
          account_id: account.body.account.id,
          symbol: 'AAPL',
          quantity: 1,
        }),
      () => member.call('PUT', '/api/dashboard', { cards: cards.map(({ id }) => ({ id })) }),
      () => member.call('POST', '/api/api-keys', { name: 'Key' }),
      () => member.call('POST', '/api/analytics/events', { events: [{ event: 'plans_viewed', properties: {} }] }),
    ];
    let gone = false;
    const faults: unknown[] = [];
    const hammers = writes.map(async (write) => {
      while (!gone) {
        const { status, body } = await write();
        if (status >= 500) faults.push(body);
        if (status === 401) return;
      }
      await write();
    });
    await remove(member.idpId);
    gone = true;
    await Promise.all(hammers);
    // Events are written in their order: one of another member says that the earlier ones are stored.
    await bystander.call('POST', '/api/analytics/events', {
      events: [{ event: 'plans_viewed', properties: { entry: `round ${round}` } }],
    });
    await eventually(
      async () =>
        (
          await service.database.owner(`select 1 from public.analytics_events where properties ->> 'entry' = $1`, [
            `round ${round}`,
          ])
        ).length > 0,
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(await tablesWith(member.idpId), ['idp.webhook_messages']);
  }
});
