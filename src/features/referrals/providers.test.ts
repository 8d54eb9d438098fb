import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { startIdentityProvider } from '../../../test/fakes/identity-provider/identity-provider.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { newEmail, TestBrowser, type TestIdentityOptions } from '../../../test/support/identity.ts';
import { type ReferralApp, startReferralApp } from '../../../test/support/referrals.ts';

const LINK = 'Qm7XvT3kWz9B';
const REFERRER = 'user_referrer';
const counted = (source: 'public' | 'webhook') => ({ referrer_idp_id: REFERRER, source, status: 'signed_up' });

/** Signs a person up at a provider without our form, with these metadata; answers their identifier. */
async function signUp(browser: TestBrowser, metadata: object): Promise<string> {
  const form = { email_address: newEmail(), password: 'correct horse battery' };
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
  await app.owner(`insert into public.all_users (idp_id, referral_link) values ($1, $2)`, [REFERRER, LINK]);
  return app;
}

async function startHosted(t: TestContext, webhook: 'with' | 'without') {
  const db = await createTestDatabase(t);
  const fake = await startIdentityProvider(db.database.service);
  t.onTestFinished(() => fake.close());
  const app = await startApp(t, {
    hosted: { apiUrl: fake.apiUrl, frontendApiUrl: fake.apiUrl },
    secretKey: fake.secretKey,
    ...(webhook === 'without' && { webhookSecret: undefined }),
  });
  return { app, fake, browser: () => new TestBrowser(fake.url, fake.url) };
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
    const [invited, other] = [await signUp(browser(), { ref: LINK }), await signUp(browser(), { plan: 'pro' })];
    for (const referred of [invited, other]) await track(app, referred, REFERRER);
    await app.settled();
    assert.deepEqual(await app.referralOf(invited), counted('public'));
    assert.equal(await app.referralOf(other), undefined);
  });

  test(`counts a sign-up at ${provider} provider once when the event comes before, after or alone`, async (t) => {
    const { app, browser } = await start(t, 'with');
    const [alone, before, after] = [
      await signUp(browser(), { ref: LINK }),
      await signUp(browser(), { ref: LINK }),
      await signUp(browser(), { ref: LINK }),
    ];
    assert.equal(await app.created(alone, LINK), 200);
    assert.equal(await app.created(before, LINK), 200);
    for (const referred of [before, after]) await track(app, referred);
    await app.settled();
    assert.deepEqual(await app.referralOf(after), counted('public'));
    assert.equal(await app.created(after, LINK), 200);
    for (const referred of [alone, before, after]) assert.deepEqual(await app.referralOf(referred), counted('webhook'));
  });
}

test('counts an open call later when the hosted provider does not answer at first', { tags: ['slow'] }, async (t) => {
  const { app, fake, browser } = await startHosted(t, 'without');
  const referred = await signUp(browser(), { ref: LINK });
  fake.failWith('user.get', '503');
  await track(app, referred);
  await eventually(
    async () => ((await app.metric('tally_referral_reports_total'))['track_signup provider_away'] ?? 0) > 0,
  );
  assert.equal(await app.referralOf(referred), undefined);
  fake.heal();
  await app.settled();
  assert.deepEqual(await app.referralOf(referred), counted('public'));
});
