import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { SECRET_KEY, SITE } from '../../../test/support/identity.ts';
import { createEmbeddedProvider } from '../../embedded/identity/provider.ts';
import { createHostedProvider } from './hosted-provider.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createMembersCommand } from '../../../test/support/members-command.ts';

let db: TestDatabase;
let provider: IdentityProvider;
const deletedRows: string[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  provider = createEmbeddedProvider({
    sql: db.database.service,
    baseUrl: SITE,
    secretKey: SECRET_KEY,
    accounts: { demoAccountId: 'user_demo', sampleUserId: 'user_sample' },
  });
});
beforeEach(async () => {
  deletedRows.length = 0;
  await db.owner(
    'truncate public.all_users, idp.users, idp.clients, idp.webhook_messages, public.deleted_members cascade',
  );
  for (const [index, name] of ['ada', 'bob', 'demo', 'sample'].entries()) {
    const values = [`user_${name}`, `${name}@Example.com`, `2026-01-0${index + 1}T00:00:00Z`];
    await db.owner('insert into public.all_users (idp_id, email, created_at) values ($1, $2, $3)', values);
    await db.owner('insert into idp.users (id, email, email_address_id, created_at) values ($1, $2, $1, $3)', values);
  }
  await db.owner(`insert into idp.clients (id, token_hash) values ('client_1', '\\x01')`);
  await db.owner(
    `insert into idp.sessions (id, client_id, user_id, status, expire_at)
     values ('s1', 'client_1', 'user_ada', 'active', now() + interval '1 day'),
            ('s2', 'client_1', 'user_ada', 'ended', now() + interval '1 day'),
            ('s3', 'client_1', 'user_ada', 'active', now() - interval '1 day')`,
  );
});
afterAll(() => db.drop());

async function tally(argv: string[], identityProvider = provider) {
  const result = { out: '', err: '' };
  const io = {
    out(text: string) {
      result.out += text;
    },
    err(text: string) {
      result.err += text;
    },
  };
  const owners = [
    {
      async onUserDeleted(_sql: unknown, idpId: string) {
        deletedRows.push(idpId);
      },
    },
  ];
  const command = createMembersCommand(db.database.service, identityProvider, owners);
  return { code: await command.run(argv, io), ...result };
}

const list = async (...argv: string[]) =>
  JSON.parse((await tally(['list', '--json', ...argv])).out) as {
    members: { idp_id: string; tier: string; sessions: number | null; reserved: string | null }[];
    next: string | null;
  };
const remainingMembers = async (): Promise<string[]> =>
  (await db.owner<{ id: string }>('select idp_id as id from public.all_users order by 1')).map(({ id }) => id);

test('lists members newest first with tier, active sessions and reserved accounts', async () => {
  await db.owner(`insert into public.tier_grants (idp_id, tier) values ('user_bob', 'max')`);
  const { members, next } = await list();
  assert.equal(next, null);
  assert.deepEqual(
    members.map(({ idp_id, tier, sessions, reserved }) => [idp_id, tier, sessions, reserved]),
    [
      ['user_sample', 'free', 0, 'sample'],
      ['user_demo', 'free', 0, 'demo'],
      ['user_bob', 'max', 0, null],
      ['user_ada', 'free', 1, null],
    ],
  );
  assert.match((await tally(['list', '--search', 'ADA@'])).out, /^user_ada +ada@Example\.com +free +1 +2026-01-01/m);
});

test('pages through members without repeating or skipping one', async () => {
  const first = await list('--limit', '3');
  assert.deepEqual([first.members.length, first.next], [3, 'user_bob']);
  const second = await list('--limit', '3', '--after', first.next!);
  assert.deepEqual([second.members.map((member) => member.idp_id), second.next], [['user_ada'], null]);
});

test('finds members by id or part of the address, wildcards literally', async () => {
  assert.deepEqual(
    (await list('--search', 'user_bob')).members.map((member) => member.idp_id),
    ['user_bob'],
  );
  assert.equal((await list('--search', '@example.COM')).members.length, 4);
  assert.equal((await list('--search', '%')).members.length, 0);
  for (const limit of ['0', '101', 'x', '-1']) assert.equal((await tally(['list', '--limit', limit])).code, 2, limit);
});

test('deletes a member only with --yes', async () => {
  const refusal = await tally(['delete', 'ada@example.com']);
  assert.deepEqual([refusal.code, deletedRows], [2, []]);
  assert.match(refusal.err, /add --yes to delete ada@example\.com/);
  assert.deepEqual(await tally(['delete', 'ada@example.com', '--yes']), {
    code: 0,
    out: 'user_ada is deleted.\n',
    err: '',
  });
  assert.deepEqual(deletedRows, ['user_ada']);
  assert.deepEqual(await remainingMembers(), ['user_bob', 'user_demo', 'user_sample']);
  assert.equal((await db.owner(`select 1 from idp.users where id = 'user_ada'`)).length, 0);
  assert.equal((await db.owner(`select 1 from idp.webhook_messages where type = 'user.deleted'`)).length, 1);
  assert.equal((await db.owner('select 1 from public.deleted_members')).length, 1);
  assert.equal((await tally(['delete', 'user_ada', '--yes'])).code, 1);
});

test('refuses to delete the demo account and the sample user', async () => {
  for (const who of ['user_demo', 'demo@example.com', 'user_sample']) {
    const { code, err } = await tally(['delete', who, '--yes']);
    assert.equal(code, 1, who);
    assert.match(err, /cannot be deleted/, who);
  }
  assert.equal((await remainingMembers()).length, 4);
  assert.equal((await db.owner('select 1 from idp.users')).length, 4);
});

test('leaves an account of a hosted provider and says where to delete it', async () => {
  const hosted = createHostedProvider({
    apiUrl: 'http://127.0.0.1:1',
    frontendApiUrl: 'http://127.0.0.1:1',
    secretKey: SECRET_KEY,
    webhookSecret: undefined,
    accounts: provider.accounts,
    timeoutMs: 2_000,
  });
  const { code, err } = await tally(['delete', 'user_ada', '--yes'], hosted);
  assert.equal(code, 1);
  assert.match(err, /the identity provider has their account: delete it in its dashboard/);
  assert.match((await tally(['delete', 'user_demo', '--yes'], hosted)).err, /cannot be deleted/);
  assert.equal((await remainingMembers()).length, 4);
  const listed = await tally(['list', '--search', 'user_ada'], hosted);
  assert.match(listed.out, /^user_ada +ada@Example\.com +free +- /m);
});
