import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';
import { createScope } from '../../../test/support/test-scope.ts';

const scope = createScope();
const accounts = { demoAccountId: 'user_demo', sampleUserId: 'user_sample' };
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp(scope, { accounts });
  await app.owner(`insert into public.all_users (idp_id) values ('user_demo'), ('user_sample')`);
  for (const id of Object.values(accounts)) app.people.createdAt.set(id, Date.now());
});
afterAll(() => scope.end());

/** Sends the public call, waits for its job and returns the outcomes. */
async function track(referred: string, referrer: string): Promise<string[]> {
  const before = await app.readMetric('tally_referral_reports_total');
  const { status, body } = await app.call('track-signup', { referred_idp_id: referred, referrer_idp_id: referrer });
  assert.deepEqual([status, body], [200, { success: true }]);
  await app.waitUntilSettled();
  const after = await app.readMetric('tally_referral_reports_total');
  return Object.keys(after).filter((name) => name.startsWith('track_signup') && after[name] !== (before[name] ?? 0));
}

test('rejects a member who is older than 48 hours', async () => {
  const { id, link: ref } = await app.addReferrer();
  const old = await app.addPerson({ hours: 48.01, ref });
  const recent = await app.addPerson({ hours: 47.9, ref });
  assert.deepEqual(await track(old, id), ['track_signup too_old']);
  assert.equal(await app.findReferral(old), undefined);
  assert.deepEqual(await track(recent, id), ['track_signup recorded']);
});

test('rejects a member who has connected an account', async () => {
  const { id, link: ref } = await app.addReferrer();
  const connected = await app.addPerson({ ref });
  await app.connect(connected);
  assert.deepEqual(await track(connected, id), ['track_signup has_connection']);
  assert.equal(await app.findReferral(connected), undefined);
});

test('records no referral when the reported person signed up without a link', async () => {
  const thief = await app.addReferrer();
  const withoutEvent = await app.addPerson();
  const withEvent = await app.addPerson();
  await app.deliverUserCreated(withEvent);
  for (const person of [withoutEvent, withEvent])
    for (const referrer of [thief.id, thief.link]) {
      assert.deepEqual(await track(person, referrer), ['track_signup unconfirmed']);
      assert.equal(await app.findReferral(person), undefined);
    }
});

test('records no referral when the person signed up with another link', async () => {
  const thief = await app.addReferrer();
  const friend = await app.addReferrer();
  const withoutEvent = await app.addPerson({ ref: friend.link });
  const withEvent = await app.addPerson({ ref: friend.link });
  const stolen = (await app.call(`validate-referrer?ref=${thief.link}`)).body.referrer_idp_id;
  assert.equal(stolen, thief.id);
  assert.deepEqual(await track(withoutEvent, stolen), ['track_signup unconfirmed']);
  await app.deliverUserCreated(withEvent, friend.link);
  assert.deepEqual(await track(withEvent, stolen), ['track_signup already_recorded']);
  assert.deepEqual(await track(withoutEvent, friend.id), ['track_signup recorded']);
  for (const person of [withoutEvent, withEvent])
    assert.equal((await app.findReferral(person))?.referrer_idp_id, friend.id);
});

test('ignores a link that a person writes into their metadata after the signed event', async () => {
  const { id, link } = await app.addReferrer();
  const person = await app.addPerson();
  await app.deliverUserCreated(person);
  app.people.refs.set(person, link);
  assert.deepEqual(await track(person, id), ['track_signup unconfirmed']);
  assert.equal(await app.findReferral(person), undefined);
});

test('withdraws a referral by an open call when the signed event has no valid link', async () => {
  const { id, link } = await app.addReferrer();
  for (const ref of [undefined, 'Qm7XvT3kWz9B', 7]) {
    const person = await app.addPerson({ ref: link });
    assert.deepEqual(await track(person, id), ['track_signup recorded']);
    await app.deliverUserCreated(person, ref);
    assert.equal(await app.findReferral(person), undefined, String(ref));
    assert.deepEqual(await track(person, id), ['track_signup unconfirmed']);
  }
});

test('replaces an open call’s uncompleted referral when the signed event names another', async () => {
  const later = await app.addReferrer();
  const friend = await app.addReferrer();
  const person = await app.addPerson({ ref: later.link });
  assert.deepEqual(await track(person, later.id), ['track_signup recorded']);
  assert.equal(await app.deliverUserCreated(person, friend.link), 200);
  assert.deepEqual(await app.findReferral(person), {
    referrer_idp_id: friend.id,
    source: 'webhook',
    status: 'signed_up',
  });
  assert.deepEqual(await track(person, later.id), ['track_signup already_recorded']);
  assert.equal((await app.findReferral(person))?.referrer_idp_id, friend.id);
});

test('keeps a completed referral when a later event names another link or none', async () => {
  const first = await app.addReferrer();
  const second = await app.addReferrer();
  for (const ref of [second.link, undefined]) {
    const person = await app.addPerson({ ref: first.link });
    await track(person, first.id);
    await app.connect(person);
    await app.deliverUserCreated(person, ref);
    assert.deepEqual(await app.findReferral(person), {
      referrer_idp_id: first.id,
      source: 'public',
      status: 'completed',
    });
  }
});

test('keeps the first of equal sources', async () => {
  const first = await app.addReferrer();
  const second = await app.addReferrer();
  const byCall = await app.addPerson({ ref: first.link });
  const byEvent = await app.addPerson();
  await track(byCall, first.id);
  app.people.refs.set(byCall, second.link);
  assert.deepEqual(await track(byCall, second.id), ['track_signup already_recorded']);
  await app.deliverUserCreated(byEvent, first.link);
  await app.deliverUserCreated(byEvent, second.link);
  for (const person of [byCall, byEvent]) assert.equal((await app.findReferral(person))?.referrer_idp_id, first.id);
});

test('accepts public calls for longer than the provider retries', async () => {
  const { id, link } = await app.addReferrer();
  const byCall = await app.addPerson({ hours: 28, ref: link });
  const byEvent = await app.addPerson({ hours: 24 * 30 });
  assert.deepEqual(await track(byCall, id), ['track_signup recorded']);
  await app.deliverUserCreated(byEvent, link);
  assert.equal((await app.findReferral(byEvent))?.source, 'webhook');
});

test('returns equal bytes for each outcome of a public call', async () => {
  const { id, link } = await app.addReferrer();
  const fresh = await app.addPerson({ ref: link });
  const connected = await app.addPerson({ ref: link });
  await app.connect(connected);
  const cases = {
    recorded: [fresh, id],
    without_link: [await app.addPerson(), id],
    by_another_link: [await app.addPerson({ ref: (await app.addReferrer()).link }), id],
    duplicate: [fresh, link],
    self: [id, id],
    unknown_person: [`user_${randomUUID().replaceAll('-', '')}`, id],
    unknown_referrer: [await app.addPerson(), 'user_nobody'],
    too_old: [await app.addPerson({ hours: 50 }), id],
    connected: [connected, id],
    demo: ['user_demo', id],
    by_demo: [await app.addPerson(), 'user_demo'],
  };
  const responsesByText = new Map<string, string[]>();
  for (const [name, [referred_idp_id, referrer_idp_id]] of Object.entries(cases)) {
    const response = await fetch(`${app.url}/api/referrals/track-signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': '0123456789abcdef' },
      body: JSON.stringify({ referred_idp_id, referrer_idp_id }),
    });
    const headers = [...response.headers].filter(([header]) => header !== 'date').map((pair) => pair.join(': '));
    const serialized = `${response.status} ${headers.join(', ')} ${await response.text()}`;
    responsesByText.set(serialized, [...(responsesByText.get(serialized) ?? []), name]);
  }
  assert.equal(responsesByText.size, 1, JSON.stringify([...responsesByText]));
});

test('responds before any look-up', async (t) => {
  const idle = await startReferralApp(t, { isQueueIdle: true });
  const referred = await idle.addPerson();
  const { id } = await idle.addReferrer();
  assert.equal((await idle.call('track-signup', { referred_idp_id: referred, referrer_idp_id: id })).status, 200);
  assert.equal((await idle.call('mark-completed', { referred_idp_id: referred })).status, 200);
  assert.equal(idle.people.requestCount, 0);
  assert.deepEqual(
    await idle.owner(`select j.payload from graphile_worker._private_jobs j order by j.id`),
    [{ payload: { referred, referrer: id } }, { payload: { referred } }],
    'the job knows the two identifiers and nothing else',
  );
});

test('rejects the completion of a person without a connection', async () => {
  const { link } = await app.addReferrer();
  const referred = await app.addPerson();
  await app.deliverUserCreated(referred, link);
  for (const id of [referred, 'user_nobody', 'user_demo']) {
    const { status, body } = await app.call('mark-completed', { referred_idp_id: id });
    assert.deepEqual([status, body], [200, { success: true }]);
  }
  await app.waitUntilSettled();
  assert.equal((await app.findReferral(referred))?.status, 'signed_up');
  await app.connect(referred);
  assert.equal((await app.findReferral(referred))?.status, 'completed');
});

test('records one referral for twenty concurrent calls', async () => {
  const referrers = [await app.addReferrer(), await app.addReferrer()];
  const referred = await app.addPerson();
  await Promise.all(Array.from({ length: 20 }, (_, i) => app.deliverUserCreated(referred, referrers[i % 2]!.link)));
  const rows = await app.owner(`select from public.referrals where referred_idp_id = $1`, [referred]);
  assert.equal(rows.length, 1);
  const firsts = await Promise.all(Array.from({ length: 20 }, () => app.connect(referred)));
  assert.equal(firsts.filter(Boolean).length, 1);
});

test('records no referral of a member by themselves', async () => {
  const { id, link } = await app.addReferrer();
  assert.deepEqual(await track(id, id), ['track_signup self_referral']);
  assert.deepEqual(await track(id, link), ['track_signup self_referral']);
  await app.deliverUserCreated(id, link);
  assert.equal(await app.findReferral(id), undefined);
});

test('rejects the demo account and the sample user on both sides', async () => {
  const { id, link } = await app.addReferrer();
  await app.owner(`update public.all_users set referral_link = 'DemXXDemXX22' where idp_id = 'user_demo'`);
  for (const special of Object.values(accounts)) {
    const person = await app.addPerson();
    assert.deepEqual(await track(special, id), ['track_signup special_account']);
    assert.deepEqual(await track(person, special), ['track_signup special_account']);
    await app.deliverUserCreated(special, link);
    await app.deliverUserCreated(person, 'DemXXDemXX22');
    assert.equal(await app.connect(special), false);
    for (const idpId of [special, person]) assert.equal(await app.findReferral(idpId), undefined);
  }
  assert.equal((await app.call('validate-referrer?ref=DemXXDemXX22')).status, 404);
});

test('creates no member for an identifier that the provider does not know', async () => {
  const { id } = await app.addReferrer();
  const unknownId = `user_${randomUUID().replaceAll('-', '')}`;
  assert.deepEqual(await track(unknownId, id), ['track_signup unknown_person']);
  assert.deepEqual(await app.owner('select from public.all_users where idp_id = $1', [unknownId]), []);
});

test('calls the provider only when local rows do not decide', async () => {
  const { id, link: ref } = await app.addReferrer();
  const referred = await app.addPerson({ ref });
  const withEvent = await app.addPerson();
  await track(referred, id);
  await app.deliverUserCreated(withEvent);
  const { requestCount: questions } = app.people;
  await track(referred, id);
  await track(withEvent, id);
  await track(await app.addPerson(), 'user_nobody');
  await track(id, id);
  await track('user_demo', id);
  assert.equal(app.people.requestCount, questions);
});

test('flags members who referred each other and keeps both referrals', async () => {
  const a = await app.addReferrer();
  const b = await app.addReferrer();
  const c = await app.addReferrer();
  const before = (await app.readMetric('tally_referral_cycles_total'))[''] ?? 0;
  await app.deliverUserCreated(b.id, a.link);
  await app.deliverUserCreated(c.id, b.link);
  assert.equal((await app.readMetric('tally_referral_cycles_total'))[''] ?? 0, before);
  await app.deliverUserCreated(a.id, c.link);
  assert.equal((await app.readMetric('tally_referral_cycles_total'))[''], before + 1);
  assert.equal((await app.findReferral(a.id))?.referrer_idp_id, c.id);
});

test('logs neither identifiers, links nor addresses', async () => {
  const { id, link } = await app.addReferrer();
  const person = await app.addPerson({ ref: link });
  const other = await app.addPerson();
  await track(person, link);
  await track('user_nobodyatall', id);
  await app.deliverUserCreated(other, link);
  await app.connect(person);
  await app.call(`validate-referrer?ref=${link}`);
  await eventuallyEquals(() => app.logLines.some((line) => line.includes('referral reported')), true);
  const log = app.logLines.join('');
  for (const text of [id, link, person, other, 'user_nobodyatall', '127.0.0.1', '@example.com'])
    assert.ok(!log.includes(text), text);
});
