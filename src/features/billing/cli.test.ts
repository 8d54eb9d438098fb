import assert from 'node:assert/strict';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { SECRET_KEY, SITE } from '../../../test/support/identity.ts';
import type { Command } from '../../command-line.ts';
import { createEmbeddedProvider } from '../../embedded/identity/provider.ts';
import { createHostedProvider } from '../../platform/identity/hosted-provider.ts';
import type { IdentityProvider } from '../../platform/identity/identity-provider.ts';
import { plansCommand } from './cli.ts';
import { createMembersCommand } from '../../../test/support/members-command.ts';

let db: TestDatabase;
let identityProvider: IdentityProvider;
beforeAll(async () => {
  db = await createTestDatabase();
  identityProvider = createEmbeddedProvider({ sql: db.database.service, ...PROVIDER });
  await db.owner(
    `insert into public.all_users (idp_id, email) values ('user_a', 'Ada@example.com'), ('user_b', 'b@example.com'),
       ('user_c', 'B@example.com')`,
  );
});
beforeEach(() => db.owner('truncate public.tier_grants, public.subscriptions'));
afterAll(() => db.drop());

const PROVIDER = {
  baseUrl: SITE,
  secretKey: SECRET_KEY,
  webhookSecret: undefined,
  accounts: { demoAccountId: undefined, sampleUserId: undefined },
};

type CommandResult = { code: number; out: string; err: string };
const tally = (...argv: string[]): Promise<CommandResult> =>
  run(createMembersCommand(db.database.service, identityProvider), argv);
const plans = (...argv: string[]): Promise<CommandResult> =>
  run(
    plansCommand((work) => work(db.database)),
    argv,
  );

async function run(command: Command, argv: string[]): Promise<CommandResult> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
  };
  return { code: await command.run(argv, io), ...output };
}

const subscribe = (tier: string, status = 'active') =>
  db.owner(
    `insert into public.subscriptions (idp_id, id, tier, status) values ('user_a', 'sub_1', $1, $2)
     on conflict (idp_id, id) do update set tier = excluded.tier, status = excluded.status`,
    [tier, status],
  );

test('grants a tier immediately by e-mail or id until free removes it', async () => {
  assert.deepEqual(await tally('show', 'ada@example.com'), {
    code: 0,
    out: 'user_a is on free: nothing paid, granted nothing.\n',
    err: '',
  });
  assert.deepEqual(await tally('set-tier', 'ADA@example.com', 'max'), {
    code: 0,
    out: 'user_a is on max: nothing paid, granted max.\n',
    err: '',
  });
  assert.equal((await tally('set-tier', 'user_a', 'pro')).out, 'user_a is on pro: nothing paid, granted pro.\n');
  assert.equal((await tally('set-tier', 'user_a', 'free')).out, 'user_a is on free: nothing paid, granted nothing.\n');
});

test('uses the higher of paid and granted tier', async () => {
  await subscribe('max');
  assert.match((await tally('set-tier', 'user_a', 'pro')).out, /^user_a is on max: paid max \(active\), granted pro\./);
  await subscribe('max', 'unpaid');
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
  await subscribe('pro');
  assert.match((await tally('set-tier', 'user_a', 'max')).out, /^user_a is on max/);
});

test('rejects an unknown member, an ambiguous e-mail or a wrong tier', async () => {
  assert.deepEqual(await tally('show', 'nobody@example.com'), {
    code: 1,
    out: '',
    err: 'tally members: there is no member nobody@example.com.\n',
  });
  assert.match((await tally('set-tier', 'b@example.com', 'pro')).err, /one of these ids: user_b, user_c\.\n$/);
  for (const argv of [[], ['show'], ['set-tier', 'user_a', 'gold'], ['set-tier', 'user_a'], ['show', 'a', 'b']])
    assert.equal((await tally(...argv)).code, 2, argv.join(' '));
});

describe('plans', () => {
  const createPrice = (amount: string, currency = 'EUR', interval = 'year') => [
    '--amount-minor',
    amount,
    '--currency',
    currency,
    '--interval',
    interval,
  ];
  const PRICE = createPrice('9900');

  test('shows limits and prices', async () => {
    assert.deepEqual(
      (await plans('show')).out.split('\n').map((line) => line.trim().split(/\s{2,}/)),
      [
        ['plan', 'limit', 'price'],
        ['free', '20', 'not for sale'],
        ['pro', '100', '$9.99 a month'],
        ['max', '250', '$19.99 a month'],
        [''],
      ],
    );
  });

  test('sets limits or prices', async () => {
    assert.match((await plans('set', 'pro', '--limit', '120', ...PRICE)).out, /^pro +120 +€99\.00 a year$/m);
    assert.match((await plans('set', 'pro', '--limit', '100')).out, /^pro +100 +€99\.00 a year$/m);
    assert.match((await plans('set', 'max', '--not-for-sale')).out, /^max +250 +not for sale$/m);
    assert.deepEqual(JSON.parse((await plans('show', '--json')).out)[1], {
      tier: 'pro',
      watchlist_limit: 100,
      price: { amount_minor: 9900, currency: 'EUR', interval: 'year' },
    });
    const inYen = createPrice('1200', 'JPY', 'month');
    assert.match((await plans('set', 'max', ...inYen)).out, /^max +250 +¥1,200 a month$/m);
  });

  test.each([
    ['no subcommand', []],
    ['no plan', ['set']],
    ['nothing to set', ['set', 'pro']],
    ['an unknown plan', ['set', 'gold', '--limit', '1']],
    ['a limit of 0', ['set', 'pro', '--limit', '0']],
    ['an argument of show', ['show', 'x']],
    ['a price without a plan', ['set', ...PRICE.slice(2)]],
    ['a price of Free', ['set', 'free', ...PRICE]],
    ['a price and none', ['set', 'pro', '--not-for-sale', ...PRICE]],
    ...['-1', '', '12.50', '1,200', '1e3', '0x10', ' 12'].map((amount): [string, string[]] => [
      `the amount "${amount}"`,
      ['set', 'pro', ...createPrice(amount)],
    ]),
  ])('rejects %s', async (_description, argv) => {
    assert.equal((await plans(...argv)).code, 2);
  });
});

test('prints a link for a new password when the embedded provider stores the member’s', async () => {
  await db.owner(
    `insert into idp.users (id, email, email_address_id, password_hash) values ('user_a', 'ada@example.com', 'i', 'h')`,
  );
  const { code, out, err } = await tally('reset-password', 'user_a');
  assert.equal(code, 0, err);
  assert.match(out, /^http:\/\/\S+\/reset-password#code=link_\w{27}\.[\w-]{43}\n$/);
});

test('removes a second factor and says so when there is none', async () => {
  await db.owner(
    `insert into idp.users (id, email, email_address_id) values ('user_a', 'ada@example.com', 'i') on conflict do nothing`,
  );
  const none = await tally('reset-second-factor', 'user_a');
  assert.deepEqual([none.code, none.out], [1, '']);
  assert.match(none.err, /this account has no second factor/);
  await db.owner(
    `insert into idp.totp_factors (user_id, id, secret, verified_at) values ('user_a', 'totp_a', 'x', now())`,
  );
  await db.owner(`insert into idp.recovery_codes (user_id, code_hash) values ('user_a', 'x')`);
  const { code, out, err } = await tally('reset-second-factor', 'user_a');
  assert.equal(code, 0, err);
  assert.match(out, /^user_a has no second factor and is signed out everywhere/);
  const left = await db.owner('select 1 from idp.totp_factors union all select 1 from idp.recovery_codes');
  assert.equal(left.length, 0);
});

test('rejects a password reset when a hosted provider stores the password', async () => {
  const embedded = identityProvider;
  const url = 'http://127.0.0.1:9';
  identityProvider = createHostedProvider({ ...PROVIDER, apiUrl: url, frontendApiUrl: url });
  const { code, out, err } = await tally('reset-password', 'user_a');
  identityProvider = embedded;
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /the identity provider has their password/);
});

test('prints an invitation once, lists it and revokes it', async () => {
  const { code, out, err } = await tally('invite', '--email', ' Ada@Example.com');
  assert.equal(code, 0, err);
  assert.match(out, /^http:\/\/\S+\/sign-up#invitation=inv_\w{27}\.[\w-]{43}\n$/);
  const listed = await tally('invitations', '--json');
  const [invitation] = JSON.parse(listed.out) as { id: string; email: string; status: string }[];
  assert.deepEqual([invitation!.email, invitation!.status], ['ada@example.com', 'pending']);
  assert.ok(!listed.out.includes(out.trim().split('.').at(-1)!), 'the list holds no code');
  assert.match((await tally('invitations')).out, /^id +email +status +created +expires\ninv_/);
  assert.equal((await tally('revoke-invitation', invitation!.id)).code, 0);
  assert.match((await tally('invitations')).out, /revoked/);
  assert.deepEqual(
    [(await tally('revoke-invitation', 'inv_none')).code, (await tally('invite', '--email', 'x')).code],
    [1, 2],
  );
});

test('rejects an invitation when sign-up is closed or a hosted provider has them', async () => {
  const embedded = identityProvider;
  identityProvider = createEmbeddedProvider({ sql: db.database.service, ...PROVIDER, signUpMode: 'closed' });
  const closed = await tally('invite');
  const url = 'http://127.0.0.1:9';
  identityProvider = createHostedProvider({ ...PROVIDER, apiUrl: url, frontendApiUrl: url });
  const hosted = [await tally('invite'), await tally('invitations'), await tally('revoke-invitation', 'inv_x')];
  identityProvider = embedded;
  assert.deepEqual([closed.code, closed.out], [1, '']);
  assert.match(closed.err, /SIGN_UP is "closed"/);
  for (const { code, err } of hosted) assert.match(`${code} ${err}`, /^1 .*the identity provider has the invitations/);
});
