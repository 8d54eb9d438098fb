import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { membersCommand } from './cli.ts';

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
  await db.owner(
    `insert into public.all_users (idp_id, email) values ('user_a', 'Ada@example.com'), ('user_b', 'b@example.com'),
       ('user_c', 'B@example.com')`,
  );
});
beforeEach(() => db.owner('truncate public.tier_grants, public.subscriptions'));
after(() => db.drop());

async function tally(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const io = { out: (text: string) => void (said.out += text), err: (text: string) => void (said.err += text) };
  return { code: await membersCommand((work) => work(db.database)).run(argv, io), ...said };
}

const pays = (tier: string, status = 'active') =>
  db.owner(
    `insert into public.subscriptions (idp_id, tier, status) values ('user_a', $1, $2)
     on conflict (idp_id) do update set tier = excluded.tier, status = excluded.status`,
    [tier, status],
  );

test('a grant counts at once, by address or id, and is taken back by free', async () => {
  assert.deepEqual(await tally('show', 'ada@example.com'), {
    ...{ code: 0, out: 'user_a is on free: nothing paid, granted nothing.\n', err: '' },
  });
  assert.deepEqual(await tally('set-tier', 'ADA@example.com', 'max'), {
    ...{ code: 0, out: 'user_a is on max: nothing paid, granted max.\n', err: '' },
  });
  assert.equal((await tally('set-tier', 'user_a', 'pro')).out, 'user_a is on pro: nothing paid, granted pro.\n');
  assert.equal((await tally('set-tier', 'user_a', 'free')).out, 'user_a is on free: nothing paid, granted nothing.\n');
});

test('the higher of what is paid and what is granted counts, and a payment leaves the grant as it is', async () => {
  await pays('max');
  assert.match((await tally('set-tier', 'user_a', 'pro')).out, /^user_a is on max: paid max \(active\), granted pro\./);
  await pays('max', 'unpaid');
  const { granted_at: at, ...tiers } = JSON.parse((await tally('show', 'user_a', '--json')).out) as Record<
    string,
    string
  >;
  assert.ok(Date.parse(at!) > 0);
  assert.deepEqual(tiers, {
    idp_id: 'user_a',
    tier: 'pro',
    subscription_tier: 'max',
    subscription_status: 'unpaid',
    granted_tier: 'pro',
  });
  await pays('pro');
  assert.match((await tally('set-tier', 'user_a', 'max')).out, /^user_a is on max/);
});

test('an unknown member, an address of two and a wrong tier are refused', async () => {
  assert.deepEqual(await tally('show', 'nobody@example.com'), {
    ...{ code: 1, out: '', err: 'tally members: there is no member nobody@example.com.\n' },
  });
  assert.match((await tally('set-tier', 'b@example.com', 'pro')).err, /by its id: user_b, user_c\.\n$/);
  for (const argv of [[], ['show'], ['set-tier', 'user_a', 'gold'], ['set-tier', 'user_a'], ['show', 'a', 'b']])
    assert.equal((await tally(...argv)).code, 2, argv.join(' '));
});
