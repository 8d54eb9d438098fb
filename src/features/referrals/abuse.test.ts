import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { send } from '../../../test/support/identity.ts';
import { everything } from '../../../test/support/long-tests.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';

const ends: (() => Promise<void>)[] = [];
const accounts = { demoAccountId: 'user_demo', sampleUserId: 'user_sample' };
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp({ onTestFinished: (end) => void ends.push(end as () => Promise<void>) }, { accounts });
  await app.owner(`insert into public.all_users (idp_id) values ('user_demo'), ('user_sample')`);
  for (const id of Object.values(accounts)) app.people.createdAt.set(id, Date.now());
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** Sends the public call, waits until it was worked on, and says what became of it. */
async function track(referred: string, referrer: string): Promise<string[]> {
  const before = await app.metric('tally_referral_reports_total');
  const { status, body } = await app.call('track-signup', { referred_idp_id: referred, referrer_idp_id: referrer });
  assert.deepEqual([status, body], [200, { success: true }]);
  await app.settled();
  const after = await app.metric('tally_referral_reports_total');
  return Object.keys(after).filter((name) => name.startsWith('track_signup') && after[name] !== (before[name] ?? 0));
}

test('nobody attributes a member who has been here for longer than 48 hours', async () => {
  const { id, link: ref } = await app.referrer();
  const [old, recent] = [await app.person({ hours: 48.01, ref }), await app.person({ hours: 47.9, ref })];
  assert.deepEqual(await track(old, id), ['track_signup too_old']);
  assert.equal(await app.referralOf(old), undefined);
  assert.deepEqual(await track(recent, id), ['track_signup recorded']);
});

test('nobody attributes a member who has connected an account', async () => {
  const { id, link: ref } = await app.referrer();
  const connected = await app.person({ ref });
  await app.connect(connected);
  assert.deepEqual(await track(connected, id), ['track_signup has_connection']);
  assert.equal(await app.referralOf(connected), undefined);
});

test('records no referral when an open call names a person who signed up without a link', async () => {
  const thief = await app.referrer();
  const [unheard, heard] = [await app.person(), await app.person()];
  await app.created(heard);
  for (const person of [unheard, heard])
    for (const referrer of [thief.id, thief.link]) {
      assert.deepEqual(await track(person, referrer), ['track_signup unconfirmed']);
      assert.equal(await app.referralOf(person), undefined);
    }
});

test('records no referral for a thief when the person signed up with another link', async () => {
  const [thief, friend] = [await app.referrer(), await app.referrer()];
  const [unheard, heard] = [await app.person({ ref: friend.link }), await app.person({ ref: friend.link })];
  const stolen = (await app.call(`validate-referrer?ref=${thief.link}`)).body.referrer_idp_id;
  assert.equal(stolen, thief.id);
  assert.deepEqual(await track(unheard, stolen), ['track_signup unconfirmed']);
  await app.created(heard, friend.link);
  assert.deepEqual(await track(heard, stolen), ['track_signup already_recorded']);
  assert.deepEqual(await track(unheard, friend.id), ['track_signup recorded']);
  for (const person of [unheard, heard]) assert.equal((await app.referralOf(person))?.referrer_idp_id, friend.id);
});

test('gives no referral to a link that a person writes into their metadata after the signed event', async () => {
  const { id, link } = await app.referrer();
  const person = await app.person();
  await app.created(person);
  app.people.refs.set(person, link);
  assert.deepEqual(await track(person, id), ['track_signup unconfirmed']);
  assert.equal(await app.referralOf(person), undefined);
});

test('withdraws a referral by an open call when the signed event carries no link of a member', async () => {
  const { id, link } = await app.referrer();
  for (const ref of [undefined, 'Qm7XvT3kWz9B', 7]) {
    const person = await app.person({ ref: link });
    assert.deepEqual(await track(person, id), ['track_signup recorded']);
    await app.created(person, ref);
    assert.equal(await app.referralOf(person), undefined, String(ref));
    assert.deepEqual(await track(person, id), ['track_signup unconfirmed']);
  }
});

test('replaces an uncompleted referral by an open call when the signed event names another link', async () => {
  const [later, friend] = [await app.referrer(), await app.referrer()];
  const person = await app.person({ ref: later.link });
  assert.deepEqual(await track(person, later.id), ['track_signup recorded']);
  assert.equal(await app.created(person, friend.link), 200);
  assert.deepEqual(await app.referralOf(person), {
    referrer_idp_id: friend.id,
    source: 'webhook',
    status: 'signed_up',
  });
  assert.deepEqual(await track(person, later.id), ['track_signup already_recorded']);
  assert.equal((await app.referralOf(person))?.referrer_idp_id, friend.id);
});

test('keeps a completed referral when a later event names another link or none', async () => {
  const [first, second] = [await app.referrer(), await app.referrer()];
  for (const ref of [second.link, undefined]) {
    const person = await app.person({ ref: first.link });
    await track(person, first.id);
    await app.connect(person);
    await app.created(person, ref);
    assert.deepEqual(await app.referralOf(person), {
      referrer_idp_id: first.id,
      source: 'public',
      status: 'completed',
    });
  }
});

test('among equal sources the first wins', async () => {
  const [first, second] = [await app.referrer(), await app.referrer()];
  const [byCall, byEvent] = [await app.person({ ref: first.link }), await app.person()];
  await track(byCall, first.id);
  app.people.refs.set(byCall, second.link);
  assert.deepEqual(await track(byCall, second.id), ['track_signup already_recorded']);
  await app.created(byEvent, first.link);
  await app.created(byEvent, second.link);
  for (const person of [byCall, byEvent]) assert.equal((await app.referralOf(person))?.referrer_idp_id, first.id);
});

test('the window of the public call is wider than the provider’s retries, and its event has none', async () => {
  const { id, link } = await app.referrer();
  const [byCall, byEvent] = [await app.person({ hours: 28, ref: link }), await app.person({ hours: 24 * 30 })];
  assert.deepEqual(await track(byCall, id), ['track_signup recorded']);
  await app.created(byEvent, link);
  assert.equal((await app.referralOf(byEvent))?.source, 'webhook');
});

test('unknown, unconfirmed, duplicate, self, too old, special and recorded are answered with equal bytes', async () => {
  const { id, link } = await app.referrer();
  const [fresh, connected] = [await app.person({ ref: link }), await app.person({ ref: link })];
  await app.connect(connected);
  const cases = {
    recorded: [fresh, id],
    without_link: [await app.person(), id],
    by_another_link: [await app.person({ ref: (await app.referrer()).link }), id],
    duplicate: [fresh, link],
    self: [id, id],
    unknown_person: [`user_${randomUUID().replaceAll('-', '')}`, id],
    unknown_referrer: [await app.person(), 'user_nobody'],
    too_old: [await app.person({ hours: 50 }), id],
    connected: [connected, id],
    demo: ['user_demo', id],
    by_demo: [await app.person(), 'user_demo'],
  };
  const seen = new Map<string, string[]>();
  for (const [name, [referred_idp_id, referrer_idp_id]] of Object.entries(cases)) {
    const response = await fetch(`${app.url}/api/referrals/track-signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': '0123456789abcdef' },
      body: JSON.stringify({ referred_idp_id, referrer_idp_id }),
    });
    const headers = [...response.headers].filter(([header]) => header !== 'date').map((pair) => pair.join(': '));
    const said = `${response.status} ${headers.join(', ')} ${await response.text()}`;
    seen.set(said, [...(seen.get(said) ?? []), name]);
  }
  assert.equal(seen.size, 1, JSON.stringify([...seen]));
});

test('nothing is looked up before the answer', async (t) => {
  const idle = await startReferralApp(t, { idle: true });
  const referred = await idle.person();
  const { id } = await idle.referrer();
  assert.equal((await idle.call('track-signup', { referred_idp_id: referred, referrer_idp_id: id })).status, 200);
  assert.equal((await idle.call('mark-completed', { referred_idp_id: referred })).status, 200);
  assert.equal(idle.people.questions, 0);
  assert.deepEqual(
    await idle.owner(`select j.payload from graphile_worker._private_jobs j order by j.id`),
    [{ payload: { referred, referrer: id } }, { payload: { referred } }],
    'the job knows the two identifiers and nothing else',
  );
});

test('calls that are repeated while they are worked on are all answered alike', { tags: ['slow'] }, async () => {
  const statuses = new Set<number>();
  for (let i = 0; i < (everything ? 300 : 60); i += 1) {
    const call = { referred_idp_id: 'user_same', referrer_idp_id: 'user_nobody' };
    statuses.add((await app.call('track-signup', call)).status);
    statuses.add((await app.call('mark-completed', { referred_idp_id: 'user_same' })).status);
  }
  assert.deepEqual([...statuses], [200]);
  await app.settled();
});

test('completion cannot be reported for somebody without a connection', async () => {
  const { link } = await app.referrer();
  const referred = await app.person();
  await app.created(referred, link);
  for (const id of [referred, 'user_nobody', 'user_demo']) {
    const { status, body } = await app.call('mark-completed', { referred_idp_id: id });
    assert.deepEqual([status, body], [200, { success: true }]);
  }
  await app.settled();
  assert.equal((await app.referralOf(referred))?.status, 'signed_up');
  await app.connect(referred);
  assert.equal((await app.referralOf(referred))?.status, 'completed');
});

test('twenty callers at once make one referral, and one of twenty connections is the first', async () => {
  const referrers = [await app.referrer(), await app.referrer()];
  const referred = await app.person();
  await Promise.all(Array.from({ length: 20 }, (_, i) => app.created(referred, referrers[i % 2]!.link)));
  const rows = await app.owner(`select from public.referrals where referred_idp_id = $1`, [referred]);
  assert.equal(rows.length, 1);
  const firsts = await Promise.all(Array.from({ length: 20 }, () => app.connect(referred)));
  assert.equal(firsts.filter(Boolean).length, 1);
});

test('nobody refers themselves, and the database refuses it whatever the code does', async () => {
  const { id, link } = await app.referrer();
  assert.deepEqual(await track(id, id), ['track_signup self_referral']);
  assert.deepEqual(await track(id, link), ['track_signup self_referral']);
  await app.created(id, link);
  assert.equal(await app.referralOf(id), undefined);
  await assert.rejects(
    app.owner(
      `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
       values ($1, $1, 'public', now())`,
      [id],
    ),
    { constraint: /^referrals_of_another(_\d+)?$/ },
  );
});

test('one referrer for a member, whatever the code does', async () => {
  const [a, b, referred] = [await app.person(), await app.person(), await app.person()];
  const insert = (referrer: string) =>
    app.owner(
      `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
       values ($1, $2, 'public', now())`,
      [referred, referrer],
    );
  await insert(a);
  await assert.rejects(insert(b), { constraint: /^referrals_referred_idp_id_key(_\d+)?$/ });
});

test('the demo account and the sample user neither refer nor are referred, by whichever way', async () => {
  const { id, link } = await app.referrer();
  await app.owner(`update public.all_users set referral_link = 'DemXXDemXX22' where idp_id = 'user_demo'`);
  for (const special of Object.values(accounts)) {
    const person = await app.person();
    assert.deepEqual(await track(special, id), ['track_signup special_account']);
    assert.deepEqual(await track(person, special), ['track_signup special_account']);
    await app.created(special, link);
    await app.created(person, 'DemXXDemXX22');
    assert.equal(await app.connect(special), false);
    for (const one of [special, person]) assert.equal(await app.referralOf(one), undefined);
  }
  assert.equal((await app.call('validate-referrer?ref=DemXXDemXX22')).status, 404);
});

test('an identifier that the provider does not know counts for nothing and makes no member', async () => {
  const { id } = await app.referrer();
  const made = `user_${randomUUID().replaceAll('-', '')}`;
  assert.deepEqual(await track(made, id), ['track_signup unknown_person']);
  assert.deepEqual(await app.owner('select from public.all_users where idp_id = $1', [made]), []);
});

test('the provider is asked last: not for what is refused or recorded here', async () => {
  const { id, link: ref } = await app.referrer();
  const [referred, heard] = [await app.person({ ref }), await app.person()];
  await track(referred, id);
  await app.created(heard);
  const { questions } = app.people;
  await track(referred, id);
  await track(heard, id);
  await track(await app.person(), 'user_nobody');
  await track(id, id);
  await track('user_demo', id);
  assert.equal(app.people.questions, questions);
});

test('members who referred each other are flagged and stay recorded', async () => {
  const [a, b, c] = [await app.referrer(), await app.referrer(), await app.referrer()];
  const before = (await app.metric('tally_referral_loops_total'))[''] ?? 0;
  await app.created(b.id, a.link);
  await app.created(c.id, b.link);
  assert.equal((await app.metric('tally_referral_loops_total'))[''] ?? 0, before);
  await app.created(a.id, c.link);
  assert.equal((await app.metric('tally_referral_loops_total'))[''], before + 1);
  assert.equal((await app.referralOf(a.id))?.referrer_idp_id, c.id);
});

test('an event that is not signed is refused', async () => {
  const { link } = await app.referrer();
  const referred = await app.person();
  const body = { object: 'event', type: 'user.created', data: { id: referred, unsafe_metadata: { ref: link } } };
  const forged = { 'svix-id': 'msg_x', 'svix-timestamp': String(Date.now() / 1000), 'svix-signature': 'v1,AAAA' };
  assert.equal((await send(`${app.url}/api/webhooks/identity`, 'POST', body, forged)).status, 401);
  assert.equal(await app.referralOf(referred), undefined);
});

test('neither identifiers, links nor addresses stand in the log', async () => {
  const { id, link } = await app.referrer();
  const [person, other] = [await app.person({ ref: link }), await app.person()];
  await track(person, link);
  await track('user_nobodyatall', id);
  await app.created(other, link);
  await app.connect(person);
  await app.call(`validate-referrer?ref=${link}`);
  await eventuallyEquals(() => app.lines.some((line) => line.includes('referral reported')), true);
  const log = app.lines.join('');
  for (const text of [id, link, person, other, 'user_nobodyatall', '127.0.0.1', '@example.com'])
    assert.ok(!log.includes(text), text);
});
