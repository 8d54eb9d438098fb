import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createMembersCommand } from './support/members-command.ts';
import type { IdentityProvider } from '../src/platform/identity/identity-provider.ts';
import type { MemberRows } from '../src/feature.ts';
import { SECRET_KEY, SITE } from './support/identity.ts';
import {
  insertMemberRows,
  listOwnerColumns,
  type SignedIn,
  signInMember,
  listTablesWith,
} from './support/member-tables.ts';
import { openFeatures } from './support/features.ts';
import { startService, type TestService } from './support/service.ts';

/**
 * Tables without an owner entry that contain a member's id or address, each with the reason why no export includes it.
 */
const EXPECTED_EMPTY_TABLES: Readonly<Record<string, string>> = {
  'idp.webhook_messages': "the embedded provider's outbox: copies of the rows in idp.users, until they are delivered",
  'graphile_worker._private_jobs': 'work that is about to be done',
  'brokerage_sandbox.webhook_messages': "the sandbox of the brokerage's own data",
  'pay_sandbox.objects': "the sandbox of the payment provider's own data",
  'pay_sandbox.webhook_messages': 'the same',
  'pay_sandbox.idempotency_keys': 'the same',
};

interface ExportFile {
  format: string;
  idp_id: string;
  left_out: Record<string, string>;
  tables: Record<string, Record<string, unknown>[]>;
}

let service: TestService;
let member: SignedIn;
let other: SignedIn;
let created: { key: string };
let owners: Awaited<ReturnType<typeof openFeatures>>['list'];
let identityProvider: IdentityProvider;
let memberRows: MemberRows;
let written: ExportFile;
let text: string;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  service = await startService({
    LOG_LEVEL: 'silent',
    BASE_URL: SITE,
    API_RATE_LIMIT: '100000',
    IDP_SECRET_KEY: SECRET_KEY,
    SANDBOX: 'on',
  });
  const { email, password } = service.firstRun.members.find(({ tier }) => tier === 'max')!;
  member = await signInMember(service, { identifier: email, password });
  other = await signInMember(service);
  created = await insertMemberRows(service, member);
  await insertMemberRows(service, other);
  const features = await openFeatures({ onTestFinished: (close) => cleanups.push(close) }, service);
  owners = features.list;
  identityProvider = features.identity.provider;
  memberRows = Object.assign({}, ...owners.map((feature) => feature.memberRows ?? {})) as MemberRows;
  const response = await runTally('export', member.email);
  assert.deepEqual([response.code, /^\d+ rows of user_\w+ in \d+ tables\.\n$/.test(response.err)], [0, true]);
  text = response.out;
  written = JSON.parse(text) as ExportFile;
});
afterAll(async () => {
  for (const close of cleanups) await close();
  await service?.stop();
});

async function runTally(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const streams = { out: '', err: '' };
  const io = {
    out: (part: string) => {
      streams.out += part;
    },
    err: (part: string) => {
      streams.err += part;
    },
  };
  const command = createMembersCommand(service.database.database.service, identityProvider, owners);
  return { code: await command.run(argv, io), ...streams };
}

/**
 * Returns the tables that reference a member directly or through another table, and those that contain a member's id.
 */
async function listMemberTables(): Promise<string[]> {
  const { owner } = service.database;
  const found = new Set((await listOwnerColumns(owner)).map(({ table }) => table));
  found.add('public.all_users').add('idp.users');
  const links = await owner<{ from: string; to: string }>(`
    select format('%I.%I', n.nspname, c.relname) as from, format('%I.%I', m.nspname, t.relname) as to
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class t on t.oid = k.confrelid join pg_namespace m on m.oid = t.relnamespace
     where k.contype = 'f'`);
  for (const { from } of links.filter(({ to }) => found.has(to))) found.add(from);
  const [payer] = await owner<{ payer: string }>('select payer from public.billing_customers where idp_id = $1', [
    member.idpId,
  ]);
  for (const word of [member.idpId, member.email, payer!.payer])
    for (const table of await listTablesWith(owner, word)) found.add(table);
  return [...found].filter((table) => !(table in EXPECTED_EMPTY_TABLES)).toSorted();
}

test('exports every table with rows of a member or names the reason for its absence', async () => {
  const named = new Set(Object.keys(memberRows));
  const why = 'its owner names it in memberRows (export-queries.ts)';
  assert.deepEqual(
    (await listMemberTables()).filter((table) => !named.has(table)),
    [],
    why,
  );
  await service.database.owner('create table public.planted (whose text references public.all_users (idp_id))');
  try {
    assert.deepEqual(
      (await listMemberTables()).filter((table) => !named.has(table)),
      ['public.planted'],
      'it can be seen',
    );
  } finally {
    await service.database.owner('drop table public.planted');
  }
});

test('exports every column of these tables or names the reason for its absence', async () => {
  const columns = await service.database.owner<{ table: string; column: string }>(`
    select format('%I.%I', n.nspname, c.relname) as table, a.attname as column
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind in ('r', 'p')`);
  const parts = Object.keys(memberRows).filter((key) => key in written.tables);
  const empty = parts.filter((key) => written.tables[key]!.length === 0);
  assert.deepEqual(empty, [], 'insertMemberRows leaves no row here, so that the columns are not seen');
  const missing = columns
    .filter(({ table }) => parts.includes(table))
    .filter(({ table, column }) => !(`${table}.${column}` in written.left_out))
    .filter(({ table, column }) => !(column in written.tables[table]![0]!));
  assert.deepEqual(missing, [], 'the statement selects it, or `without` states why not');
});

test('exports exactly the rows of the member without a secret', async () => {
  const { owner } = service.database;
  assert.deepEqual([written.format, written.idp_id], ['tally-member-1', member.idpId]);
  for (const { table, column } of await listOwnerColumns(owner)) {
    const rows = written.tables[table];
    if (!rows || table === 'public.referrals') continue;
    const [count] = await owner<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [
      member.idpId,
    ]);
    assert.equal(rows.length, count!.n, table);
  }
  const people = await owner<{ idp_id: string; email: string }>(
    'select idp_id, email from public.all_users where idp_id <> $1',
    [member.idpId],
  );
  const [hash] = await owner<{ password_hash: string }>('select password_hash from idp.users where id = $1', [
    member.idpId,
  ]);
  const encryptedColumns = await owner<{ value: string }>(`
    select encode(sealed, 'hex') as value from public.connection_secrets
    union select encode(key_hash, 'hex') from public.api_keys
    union select encode(token_hash, 'hex') from public.assistant_tokens`);
  const secrets = [created.key, hash!.password_hash, ...encryptedColumns.map(({ value }) => value)];
  assert.ok(encryptedColumns.length >= 4 && people.length >= 4);
  for (const word of [...secrets, ...people.flatMap(({ idp_id: id, email }) => [id, email])])
    assert.ok(word === null || !text.includes(word), word);
});

test('exports figures with the digits of the database and invents no values', async () => {
  const [row] = await service.database.owner<{ quantity: string }>(
    'select quantity::text from public.connected_holdings where idp_id = $1 order by created_at, id limit 1',
    [member.idpId],
  );
  assert.ok(text.includes(`"quantity":${row!.quantity},`));
  for (const argv of [['export'], ['export', 'a', 'b'], ['export', '--all']])
    assert.equal((await runTally(...argv)).code, 2, argv.join(' '));
  const missingMember = await runTally('export', 'nobody@example.com');
  assert.deepEqual([missingMember.code, missingMember.out], [1, '']);
});
