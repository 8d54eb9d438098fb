import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';
import { createScope } from '../../../test/support/test-scope.ts';
import { referralsCommand } from './cli.ts';

const scope = createScope();
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp(scope, { isQueueIdle: true });
});
afterAll(() => scope.end());

async function tally(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: '', err: '' };
  const io = {
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
  };
  const command = referralsCommand((work) => work(app.referrals.context));
  return { code: await command.run(argv, io), ...output };
}

const attribute = (referred: string, referrer: string, ...options: string[]) =>
  tally('attribute', '--referred', referred, '--referrer', referrer, '--reason', 'ticket 7', ...options);

test('attributes a missed sign-up once and completes it when there is a connection', async () => {
  const { id, link } = await app.addReferrer();
  const plain = await app.addPerson({ hours: 999 });
  const connected = await app.addPerson({ hours: 999 });
  await app.connect(connected);
  assert.deepEqual(await attribute(plain, link), { code: 0, out: 'The referral is attributed: signed up.\n', err: '' });
  assert.deepEqual(await attribute(connected, id), {
    code: 0,
    out: 'The referral is attributed: completed.\n',
    err: '',
  });
  assert.match((await attribute(plain, id)).out, /^Nothing to change/);
  assert.deepEqual(await app.findReferral(connected), { referrer_idp_id: id, source: 'operator', status: 'completed' });
  assert.deepEqual(
    await app.owner(
      `select a.action, a.reason, a.referrer_idp_id, a.previous_referrer_idp_id from public.referral_audit a
         join public.referrals r on r.id = a.referral_id where r.referred_idp_id = $1`,
      [plain],
    ),
    [{ action: 'attributed', reason: 'ticket 7', referrer_idp_id: id, previous_referrer_idp_id: null }],
  );
});

test('replaces another referrer only on request and never in a completed referral', async () => {
  const first = await app.addReferrer();
  const second = await app.addReferrer();
  const person = await app.addPerson();
  await app.deliverUserCreated(person, first.link);
  assert.equal((await attribute(person, second.id)).code, 1);
  assert.deepEqual(await attribute(person, second.id, '--replace'), {
    code: 0,
    out: 'The referral is replaced: signed up.\n',
    err: '',
  });
  assert.equal((await app.findReferral(person))?.referrer_idp_id, second.id);
  assert.equal((await attribute(person, first.id, '--replace')).code, 1, 'an operator decided already');
  await app.connect(person);
  assert.deepEqual(await attribute(person, first.id, '--replace'), {
    code: 1,
    out: '',
    err: 'tally referrals: The referral is completed and cannot be changed.\n',
  });
});

test('rejects an invalid attribution with a reason and without an audit entry', async () => {
  const { id, link } = await app.addReferrer();
  const person = await app.addPerson();
  const entries = () => app.owner('select from public.referral_audit');
  const before = await entries();
  for (const [referred, referrer] of [
    ['user_nobody', id],
    [person, 'user_nobody'],
    [id, link],
  ] as const) {
    const { code, out, err } = await attribute(referred, referrer);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /^tally referrals: .+\.\n$/);
  }
  assert.equal((await entries()).length, before.length);
});

test('lists referrals with their referrer and flags cycles', async () => {
  const a = await app.addReferrer();
  const b = await app.addReferrer();
  const person = await app.addPerson();
  await app.deliverUserCreated(b.id, a.link);
  await app.deliverUserCreated(a.id, b.link);
  await app.deliverUserCreated(person, a.link);
  const rows = JSON.parse((await tally('list', '--referrer', a.link, '--json')).out) as Record<string, unknown>[];
  assert.deepEqual(
    rows.map(({ referred_idp_id, in_cycle }) => [referred_idp_id, in_cycle]),
    [
      [person, false],
      [b.id, true],
    ],
  );
  const { out } = await tally('list');
  assert.match(out, new RegExp(`${b.id} -> ${a.id} {2}signed_up {2}webhook {2}cycle\\n`));
  assert.equal((await tally('list', '--referrer', 'user_nobody')).code, 1);
});

test('exports every row in pages with escaped formulas', { tags: ['slow'] }, async () => {
  await app.owner(`insert into public.all_users (idp_id) select '-cmd_' || n from generate_series(1, 2500) n`);
  const { id } = await app.addReferrer();
  await app.owner(
    `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
     select '-cmd_' || n, $1, 'operator', now() from generate_series(1, 2500) n`,
    [id],
  );
  const { code, out } = await tally('export', '--referrer', id);
  assert.equal(code, 0);
  const [header, ...lines] = out.trimEnd().split('\r\n');
  assert.match(header!, /^\uFEFFid,referred_idp_id,referrer_idp_id,status,source,/);
  assert.equal(lines.length, 2500);
  const referred = lines.map((line) => line.split(',')[1]!);
  assert.equal(new Set(referred).size, 2500);
  assert.ok(referred.every((cell) => cell.startsWith("'-cmd_")));
  const everything = (await tally('export')).out.trimEnd().split('\r\n').length - 1;
  const [row] = await app.owner<{ n: number }>('select count(*)::int as n from public.referrals');
  assert.equal(everything, row!.n);
});

test('prints the usage with exit code 2 for a wrong call', async () => {
  const wrong = [
    [],
    ['remove'],
    ['list', 'more'],
    ['list', '--unknown'],
    ['export', '--json'],
    ['attribute'],
    ['attribute', '--referred', 'user_a', '--referrer', 'user_b'],
    ['attribute', '--referred', 'user_a', '--referrer', 'user_b', '--reason', ' '],
    ['attribute', '--referred', 'user_a', '--referrer', 'user_b', '--reason', 'x'.repeat(301)],
  ];
  for (const argv of wrong) {
    const { code, err } = await tally(...argv);
    assert.equal(code, exitUsage, argv.join(' '));
    assert.match(err, /See tally referrals --help\.\n$/);
  }
});

const exitUsage = 2;
