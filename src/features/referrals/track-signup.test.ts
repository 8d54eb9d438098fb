import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { sendRequest, TestBrowser, WEBHOOK_SECRET } from '../../../test/support/identity.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';
import { createScope } from '../../../test/support/test-scope.ts';
import { deleteMember } from '../../platform/identity/delete-member.ts';

const scope = createScope();
let app: ReferralApp;
beforeAll(async () => {
  app = await startReferralApp(scope);
});
afterAll(() => scope.end());

const getStats = async (authorization: string) =>
  (await sendRequest(`${app.url}/api/referrals/stats`, 'GET', undefined, { authorization })).body as object;

const track = async (referred: string, referrer: string): Promise<void> => {
  assert.equal((await app.call('track-signup', { referred_idp_id: referred, referrer_idp_id: referrer })).status, 200);
  await app.waitUntilSettled();
};

test('tracks a sign-up with a link by the embedded provider’s signed event', async () => {
  const { id, link } = await app.addReferrer();
  const browser = new TestBrowser(app.url);
  const { body } = await browser.call('POST', '/client/sign_ups', {
    email_address: `${randomUUID()}@example.com`,
    password: 'correct horse battery',
    unsafe_metadata: JSON.stringify({ ref: link }),
  });
  const referred = body.response.created_user_id as string;
  const delivery = app.getEmbedded().startWebhookDelivery({
    secret: WEBHOOK_SECRET,
    receiverUrl: `${app.url}/api/webhooks/identity`,
    warn: () => {},
  });
  try {
    await eventually(async () => (await app.findReferral(referred)) !== undefined);
  } finally {
    await delivery.stop();
  }
  assert.deepEqual(await app.findReferral(referred), { referrer_idp_id: id, source: 'webhook', status: 'signed_up' });
});

test('counts a delivery once when it is repeated with equal or another id', async () => {
  const { link, authorization } = await app.addReferrer();
  const referred = await app.addPerson({ isKnown: false });
  for (const deliveryId of ['msg_1', 'msg_1', 'msg_2'])
    assert.equal(await app.deliverUserCreated(referred, link, { deliveryId }), 200);
  assert.deepEqual(await getStats(authorization), { total_signups: 1, completed_referrals: 0 });
});

test('counts an event 28 hours late and completes one after the first connection', async () => {
  const { id, link, authorization } = await app.addReferrer();
  const withLateEvent = await app.addPerson({ hours: 28 });
  await app.deliverUserCreated(withLateEvent, link);
  const connected = await app.addPerson({ hours: 28 });
  assert.equal(await app.connect(connected, 'brokerage'), true);
  await app.deliverUserCreated(connected, link);
  assert.deepEqual(await app.findReferral(withLateEvent), {
    referrer_idp_id: id,
    source: 'webhook',
    status: 'signed_up',
  });
  assert.deepEqual(await app.findReferral(connected), { referrer_idp_id: id, source: 'webhook', status: 'completed' });
  assert.deepEqual(await getStats(authorization), { total_signups: 2, completed_referrals: 1 });
});

test('completes once at the first connection of either kind', async () => {
  const { link, authorization } = await app.addReferrer();
  const referred = await app.addPerson();
  await app.deliverUserCreated(referred, link);
  assert.deepEqual([await app.connect(referred, 'brokerage'), await app.connect(referred, 'bank')], [true, false]);
  const listCompletionTimes = () =>
    app.owner(`select completed_at from public.referrals where referred_idp_id = $1`, [referred]);
  const before = await listCompletionTimes();
  await app.call('mark-completed', { referred_idp_id: referred });
  await app.waitUntilSettled();
  assert.deepEqual(await listCompletionTimes(), before);
  assert.deepEqual(await getStats(authorization), { total_signups: 1, completed_referrals: 1 });
});

test('keeps the referral uncompleted when the connection rolls back', async () => {
  const { link } = await app.addReferrer();
  const referred = await app.addPerson();
  await app.deliverUserCreated(referred, link);
  await assert.rejects(
    app.database.service.transaction(async (sql) => {
      await app.referrals.onFirstConnection(sql, { idpId: referred, kind: 'bank', connectionId: randomUUID() });
      throw new Error('the accounts could not be stored');
    }),
  );
  assert.equal((await app.findReferral(referred))?.status, 'signed_up');
  assert.equal(await app.connect(referred), true);
  assert.equal((await app.findReferral(referred))?.status, 'completed');
});

test('completes a sign-up that is tracked during the first connection', async () => {
  const { link } = await app.addReferrer();
  for (let round = 0; round < 20; round += 1) {
    const referred = await app.addPerson();
    await Promise.all([app.deliverUserCreated(referred, link), app.connect(referred)]);
    assert.equal((await app.findReferral(referred))?.status, 'completed');
  }
});

test('counts a sign-up once for any order of open call and signed event', async () => {
  const { id, link, authorization } = await app.addReferrer();
  const first = await app.addPerson({ isKnown: false, ref: link });
  const second = await app.addPerson({ isKnown: false, ref: link });
  const withoutConnection = await app.addPerson({ isKnown: false, ref: link });
  await track(first, id);
  await track(withoutConnection, link);
  for (const person of [first, second]) assert.equal(await app.deliverUserCreated(person, link), 200);
  await track(second, link);
  for (const person of [first, second])
    assert.deepEqual(await app.findReferral(person), { referrer_idp_id: id, source: 'webhook', status: 'signed_up' });
  assert.deepEqual(await app.findReferral(withoutConnection), {
    referrer_idp_id: id,
    source: 'public',
    status: 'signed_up',
  });
  assert.deepEqual(await getStats(authorization), { total_signups: 3, completed_referrals: 0 });
});

test('counts a sign-up once when the open call and the signed event run concurrently', { tags: ['slow'] }, async () => {
  const { id, link, authorization } = await app.addReferrer();
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) {
    const withLink = await app.addPerson({ isKnown: false, ref: link });
    const without = await app.addPerson({ ref: link });
    await Promise.all([
      track(withLink, id),
      track(without, id),
      app.deliverUserCreated(withLink, link),
      app.deliverUserCreated(without),
    ]);
    assert.equal((await app.findReferral(withLink))?.source, 'webhook');
    assert.equal(await app.findReferral(without), undefined, 'the event has no link');
  }
  assert.deepEqual(await getStats(authorization), { total_signups: rounds, completed_referrals: 0 });
});

test('accepts an event whose metadata contain no link', async () => {
  for (const ref of [undefined, null, 7, {}, '', 'x'.repeat(12), 'Qm7XvT3kWz9', "' or 1=1 --"])
    assert.equal(await app.deliverUserCreated(await app.addPerson({ isKnown: false }), ref), 200);
});

test('ignores `ref` in later metadata updates', async () => {
  const { link } = await app.addReferrer();
  const referred = await app.addPerson();
  const at = Date.now() + 1_000;
  const { signDelivery } = await import('../../platform/http/webhook-schemes/standard-webhooks.ts');
  const data = { id: referred, created_at: at, updated_at: at, unsafe_metadata: { ref: link } };
  const body = JSON.stringify({ object: 'event', type: 'user.updated', data });
  const secret = WEBHOOK_SECRET;
  const headers = {
    'content-type': 'application/json',
    ...signDelivery(secret, randomUUID(), body, Date.now() / 1000),
  };
  assert.equal((await sendRequest(`${app.url}/api/webhooks/identity`, 'POST', body, headers)).status, 200);
  assert.equal(await app.findReferral(referred), undefined);
});

test('keeps the count when referrer or referred member is deleted', async () => {
  const referrer = await app.addReferrer();
  const first = await app.addPerson();
  const second = await app.addPerson();
  for (const referred of [first, second]) await app.deliverUserCreated(referred, referrer.link);
  await app.connect(first);
  const remove = (id: string) =>
    app.database.service.transaction((sql) =>
      deleteMember(sql, id, [{ onUserDeleted: (tx, idpId) => app.referrals.onUserDeleted!(tx, idpId) }]),
    );
  await remove(first);
  assert.deepEqual(await getStats(referrer.authorization), { total_signups: 2, completed_referrals: 1 });
  await remove(referrer.id);
  assert.deepEqual(await app.findReferral(second), { referrer_idp_id: null, source: 'webhook', status: 'signed_up' });
  assert.deepEqual(
    await app.owner(`select from public.referrals where referred_idp_id is null and referrer_idp_id is null`),
    [],
    'deletes a referral without both members',
  );
  await remove(second);
  assert.equal(await app.deliverUserCreated(second, referrer.link), 200, 'late news of the deleted');
  assert.equal(await app.findReferral(second), undefined);
  assert.equal((await app.call(`validate-referrer?ref=${referrer.link}`)).status, 404);
});

test('avoids deadlocks between deletion, tracking, connection of mutual referrals', { tags: ['slow'] }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const a = await app.addReferrer();
    const b = await app.addReferrer();
    await app.deliverUserCreated(b.id, a.link);
    await app.deliverUserCreated(a.id, b.link);
    const remove = (id: string) =>
      app.database.service.transaction((sql) =>
        deleteMember(sql, id, [{ onUserDeleted: (tx, idpId) => app.referrals.onUserDeleted!(tx, idpId) }]),
      );
    await app.owner(
      `insert into public.referral_audit (referral_id, action, reason, referrer_idp_id, previous_referrer_idp_id)
       values (gen_random_uuid(), 'replaced', 'agreed', $1, $2)`,
      [a.id, b.id],
    );
    const [results] = await Promise.all([
      Promise.allSettled([app.connect(a.id), app.connect(b.id)]),
      remove(a.id),
      remove(b.id),
    ]);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code?: string }).code] : [],
    );
    // 23503: the member was deleted before the connection was stored.
    assert.deepEqual(
      codes.filter((code) => code !== '23503'),
      [],
    );
  }
});
