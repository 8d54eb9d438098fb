import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { assertAccessible, forEachVariant, a11yScenarios } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { recordFirstConnection } from '../support/referrals.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { fillCredentials, createPerson, type Person, register } from './people.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const NONE = 'No sign-ups yet.';

/** Opens the page of the link and copies the link from it. */
async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/settings/invite');
  await page.getByRole('button', { name: 'Copy your link' }).click();
  await page.getByRole('status').getByText('Copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /\/sign-up\?ref=[2-9A-HJ-NP-Za-kmnp-z]{12}$/);
  return link;
}

/** Submits the open sign-up form. */
async function join(page: Page, person: Person = createPerson()): Promise<Person> {
  await fillCredentials(page, person);
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).click();
  await heading(page, 'Home').waitFor();
  return person;
}

const findMemberId = async (service: TestService, { email }: Person): Promise<string> => {
  const [row] = await service.database.owner<{ id: string }>('select id from idp.users where email = $1', [email]);
  return row!.id;
};

const isTracked = async (service: TestService, person: Person): Promise<boolean> =>
  (
    await service.database.owner('select from public.referrals where referred_idp_id = $1', [
      await findMemberId(service, person),
    ])
  ).length > 0;

/** Reloads the page until it shows these figures. */
async function waitForFigures(page: Page, signups: number, completed: number): Promise<void> {
  await page.goto('/settings/invite');
  const region = page.getByRole('region', { name: 'Your referrals' });
  await region.getByText('Signed up').first().waitFor();
  assert.deepEqual(await region.locator('dd').allInnerTexts(), [String(signups), String(completed)]);
  const row = region.getByRole('row').nth(1);
  if (signups > 0) assert.match(await row.innerText(), new RegExp(`\\d{4}\\s+${signups}\\s+${completed}$`));
}

test('counts a friend who joins with the copied link and connects an account', async ({ service, visit }) => {
  const member = await visit();
  const { email } = await register(member);
  const link = await copyLink(member);
  await member.getByText(NONE).waitFor();
  const friend = await visit();
  await friend.goto(link);
  await friend.getByRole('status').getByText('A member has invited you to Tally.').waitFor();
  await test.step('names no referrer on the sign-up form', async () => {
    const shown = await friend.content();
    for (const text of [email, await findMemberId(service, { email, password: '' })]) assert.ok(!shown.includes(text));
  });
  await friend.reload();
  await friend.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await heading(friend, 'Sign in').waitFor();
  await friend.getByRole('link', { name: 'Create an account' }).click();
  await friend.getByRole('status').getByText('A member has invited you to Tally.').waitFor();
  const person = await join(friend);
  await eventually(() => isTracked(service, person));
  await waitForFigures(member, 1, 0);
  const { database } = service.database;
  assert.equal(await recordFirstConnection(database, await findMemberId(service, person)), true);
  await waitForFigures(member, 1, 1);
  assert.equal(await recordFirstConnection(database, await findMemberId(service, person), 'brokerage'), false);
  await waitForFigures(member, 1, 1);
});

const INVITED = 'A member has invited you to Tally.';

const isInvited = (page: Page): Promise<void> => page.getByRole('status').getByText(INVITED).waitFor();

/** Changes the stored link as if it was opened this number of days ago. */
const setLinkAge = (page: Page, days: number): Promise<void> =>
  page.evaluate((ms) => {
    const [storedCode] = localStorage.getItem('tally.referral')!.split(' ');
    localStorage.setItem('tally.referral', `${storedCode} ${Date.now() - ms}`);
  }, days * 86_400_000);

const getStoredLink = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('tally.referral'));

test('keeps the link for 30 days when the tab is closed', { tag: '@slow' }, async ({ visit }) => {
  const member = await visit();
  await register(member);
  const friend = await visit();
  await friend.goto(await copyLink(member));
  await isInvited(friend);
  const other = await friend.context().newPage();
  await other.goto('/sign-up');
  await isInvited(other);
  await setLinkAge(other, 29.9);
  await other.reload();
  await isInvited(other);
  await setLinkAge(other, 30.1);
  await other.reload();
  await other.getByText('All you need is an email and a password.').waitFor();
  assert.equal(await getStoredLink(other), null);
});

test(
  'reads the link on any page, in capitals and with a full stop at its end',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const member = await visit();
    await register(member);
    const code = new URL(await copyLink(member)).searchParams.get('ref')!;
    const friend = await visit();
    await friend.goto('/');
    for (const address of [`/?REF=${code}`, `/sign-in?utm_source=mail&ref=${code}.`, `/dashboard?ref=${code}`]) {
      await friend.evaluate(() => localStorage.clear());
      await friend.goto(address);
      await friend.goto('/sign-up');
      await isInvited(friend);
    }
    const person = await join(friend);
    await eventually(() => isTracked(service, person));
    assert.equal(await getStoredLink(friend), null, 'the link is removed at the sign-up');
  },
);

test('counts for the later link when a visitor opens two', { tag: '@slow' }, async ({ service, visit }) => {
  const first = await visit();
  const second = await visit();
  const people = [await register(first), await register(second)];
  const links = [await copyLink(first), await copyLink(second)];
  const friend = await visit();
  for (const link of links) await friend.goto(link);
  await friend.goto('/sign-up?ref=short');
  const person = await join(friend);
  const personId = await findMemberId(service, person);
  const listReferrers = () =>
    service.database.owner('select referrer_idp_id as id from public.referrals where referred_idp_id = $1', [personId]);
  await eventually(async () => (await listReferrers()).length > 0);
  assert.deepEqual(await listReferrers(), [{ id: await findMemberId(service, people[1]!) }]);
});

test('keeps the link on the page when the storage is blocked', { tag: '@slow' }, async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
  });
  await page.route('**/api/referrals/validate-referrer*', (route) =>
    route.fulfill({ json: { valid: true, referrer_idp_id: 'user_2abc' } }),
  );
  await page.goto('/sign-up?ref=Qm7XvT3kWz9B');
  await page.getByRole('link', { name: 'Tally, home' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Create account' }).waitFor();
  await fillCredentials(page, createPerson());
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.url().endsWith('/sign_ups')),
    page.getByRole('main').getByRole('button', { name: 'Create account' }).click(),
  ]);
  const form = new URLSearchParams(request.postData() ?? '');
  assert.deepEqual(JSON.parse(form.get('unsafe_metadata') ?? 'null'), { ref: 'Qm7XvT3kWz9B' });
  await heading(page, 'Home').waitFor();
});

test('reports the sign-up to the service when it was made with a link', async ({ page, service }) => {
  await page.goto('/sign-up?ref=Qm7XvT3kWz9B');
  const reported = page.waitForRequest((asked) => asked.url().endsWith('/api/referrals/track-signup'));
  const person = await join(page);
  assert.deepEqual((await reported).postDataJSON(), {
    referred_idp_id: await findMemberId(service, person),
    referrer_idp_id: 'Qm7XvT3kWz9B',
  });
});

test('shows a working form with a notice when the link is unknown', async ({ page, service }) => {
  await page.goto('/sign-up?ref=Qm7XvT3kWz9B');
  await page.getByRole('status').getByText('This invitation is not valid. You can still sign up.').waitFor();
  await page.goto('/sign-up');
  await page.getByText('All you need is an email and a password.').waitFor();
  const person = await join(page);
  const { owner } = service.database;
  const findMemberRow = () => owner('select from public.all_users where email = $1', [person.email]);
  await eventually(
    async () => (await findMemberRow()).length > 0,
    () => 'the provider has reported the new member',
  );
  assert.equal(await isTracked(service, person), false);
});

test(
  'submits the form with the link while the link cannot be checked',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const member = await visit();
    await register(member);
    const link = await copyLink(member);
    const friend = await visit({ expected: [/Failed to load resource: net::ERR_FAILED/] });
    await friend.route('**/api/referrals/validate-referrer*', (route) => route.abort());
    await friend.goto(link);
    const person = await join(friend);
    await eventually(() => isTracked(service, person));
  },
);

test('shares the link by e-mail when the device has no sheet', { tag: '@slow' }, async ({ page }) => {
  await register(page);
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(Navigator.prototype, 'share', {
      configurable: true,
      value: async (data: unknown) => {
        shared.push(data);
      },
    });
  });
  const link = await copyLink(page);
  await page.getByRole('button', { name: 'Share your link' }).click();
  assert.deepEqual(await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared), [
    { title: 'Tally', url: link },
  ]);
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
  await page.reload();
  await page.getByRole('button', { name: 'Copy your link' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Share your link' }).count(), 0);
  const mail = new URL((await page.getByRole('link', { name: 'Share by email' }).getAttribute('href'))!);
  assert.equal(mail.protocol, 'mailto:');
  assert.ok(
    mail.searchParams.get('body')!.endsWith(link),
    'the link is followed by nothing that could become part of it',
  );
});

test(
  'shows a retry for a part that cannot be read and keeps the rest of the page',
  { tag: '@slow' },
  async ({ visit }) => {
    const page = await visit({ expected: [/answer 503/, /status of 503/] });
    await register(page);
    const response = { status: 503, json: { code: 'UNAVAILABLE', message: 'Not now.' } };
    await page.route('**/api/referrals/stats', (route) => route.fulfill(response));
    await page.goto('/settings/invite');
    await page.getByRole('img', { name: 'QR code of your link' }).waitFor();
    await page.getByRole('alert').getByText('Not now.').waitFor();
    await page.unroute('**/api/referrals/stats');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(NONE).waitFor();
  },
);

for (const walk of a11yScenarios) {
  test(
    `passes axe-core on the page with figures from ${walk.theme}, ${walk.size}`,
    { tag: '@slow' },
    async ({ visit }) => {
      const page = await visit(walk);
      await page.route('**/api/referrals/stats', (route) =>
        route.fulfill({ json: { total_signups: 1_204, completed_referrals: 318 } }),
      );
      const months = Array.from({ length: 12 }, (_, i) => ({
        month: `2026-${String(i + 1).padStart(2, '0')}`,
        signups: i * 17,
        completions: i * 4,
      }));
      await page.route('**/api/referrals/history', (route) => route.fulfill({ json: { months } }));
      await register(page);
      await page.goto('/settings/invite');
      await page.getByRole('rowheader', { name: 'December 2026' }).waitFor();
      assert.equal(await page.getByRole('row').count(), 12, 'a heading and the months from the first sign-up on');
      await forEachVariant(page, walk, async (variantName) => {
        await assertAccessible(page, `the page to invite friends (${variantName})`);
        const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(content <= screen);
      });
    },
  );
}
