import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { startIdentityProvider } from '../../../test/fakes/identity-provider.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createEmail, TestBrowser, type TestIdentityOptions } from '../../../test/support/identity.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';

const LINK = 'Qm7XvT3kWz9B';
const REFERRER = 'user_referrer';
const expectedReferral = (source: 'public' | 'webhook') => ({ referrer_idp_id: REFERRER, source, status: 'signed_up' });

/** Signs a person up at a provider without our form, with these metadata. Returns their identifier. */
async function signUp(browser: TestBrowser, metadata: object): Promise<string> {
  const form = { email_address: createEmail(), password: 'correct horse battery' };
  const { status, body } = await browser.call('POST', '/client/sign_ups', {
    ...form,
    unsafe_metadata: JSON.stringify(metadata),
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.response.created_user_id as string;
}

const track = async (app: ReferralApp, referred: string, referrer = LINK): Promise<void> => {
  const { status, body } = await app.call('track-signup', { referred_idp_id: referred, referrer_idp_id: referrer });
  assert.deepEqual([status, body], [200, { success: true }]);
};

async function startApp(t: TestContext, identity: TestIdentityOptions): Promise<ReferralApp> {
  const app = await startReferralApp(t, { identity });
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [REFERRER]);
  await app.owner(`update public.all_users set referral_link = $2 where idp_id = $1`, [REFERRER, LINK]);
  return app;
}

async function startHosted(t: TestContext, webhook: 'with' | 'without') {
  const db = await createTestDatabase(t);
  const fakeProvider = await startIdentityProvider(db.database.service);
  t.onTestFinished(() => fakeProvider.close());
  const app = await startApp(t, {
    hosted: { apiUrl: fakeProvider.apiUrl, frontendApiUrl: fakeProvider.apiUrl },
    secretKey: fakeProvider.secretKey,
    ...(webhook === 'without' && { webhookSecret: undefined }),
  });
  return { app, fake: fakeProvider, browser: () => new TestBrowser(fakeProvider.url, fakeProvider.url) };
}

async function startEmbedded(t: TestContext, webhook: 'with' | 'without') {
  const app = await startApp(t, webhook === 'without' ? { webhookSecret: undefined } : {});
  return { app, browser: () => new TestBrowser(app.url) };
}

for (const [provider, start] of [
  ['a hosted', startHosted],
  ['the embedded', startEmbedded],
] as const) {
  test(`counts an open call when ${provider} provider without a webhook confirms the link`, async (t) => {
    const { app, browser } = await start(t, 'without');
    const invited = await signUp(browser(), { ref: LINK });
    const other = await signUp(browser(), { plan: 'pro' });
    for (const referred of [invited, other]) await track(app, referred, REFERRER);
    await app.waitUntilSettled();
    assert.deepEqual(await app.findReferral(invited), expectedReferral('public'));
    assert.equal(await app.findReferral(other), undefined);
  });

  test(`counts a sign-up at ${provider} provider once when the event comes before, after or alone`, async (t) => {
    const { app, browser } = await start(t, 'with');
    const alone = await signUp(browser(), { ref: LINK });
    const before = await signUp(browser(), { ref: LINK });
    const after = await signUp(browser(), { ref: LINK });
    assert.equal(await app.deliverUserCreated(alone, LINK), 200);
    assert.equal(await app.deliverUserCreated(before, LINK), 200);
    for (const referred of [before, after]) await track(app, referred);
    await app.waitUntilSettled();
    assert.deepEqual(await app.findReferral(after), expectedReferral('public'));
    assert.equal(await app.deliverUserCreated(after, LINK), 200);
    for (const referred of [alone, before, after])
      assert.deepEqual(await app.findReferral(referred), expectedReferral('webhook'));
  });
}

test('counts an open call later when the hosted provider does not respond at first', { tags: ['slow'] }, async (t) => {
  const { app, fake, browser } = await startHosted(t, 'without');
  const referred = await signUp(browser(), { ref: LINK });
  fake.isUserUnavailable = true;
  await track(app, referred);
  await eventually(
    async () => ((await app.readMetric('tally_referral_reports_total'))['track_signup provider_unavailable'] ?? 0) > 0,
  );
  assert.equal(await app.findReferral(referred), undefined);
  fake.isUserUnavailable = false;
  await app.waitUntilSettled();
  assert.deepEqual(await app.findReferral(referred), expectedReferral('public'));
});
