import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { endSessionRemotely, fillCredentials, openSettings, register, signUp } from './people.ts';
import { createMemberWith, getRows } from './watchlist-card.ts';

test('leaves the page at sign-out with a notice and closes the session in every tab', async ({ page }) => {
  const { email } = await signUp(page);
  const other = await page.context().newPage();
  await other.goto('/settings');
  await other.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('button', { name: `Account of ${email}` }).click();
  const cookies = await page.context().cookies();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/end') && response.ok()),
    page.getByRole('button', { name: 'Sign out' }).click(),
  ]);
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.getByRole('status').getByText('You are signed out.').waitFor();
  await other.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await page.goto('/dashboard');
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await test.step('rejects the old cookie, since the provider has ended the session too', async () => {
    await other.close();
    await page.context().addCookies(cookies);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  });
});

test('asks for the password over an unchanged page when the session ends', async ({ page }) => {
  await page.clock.install();
  const person = await signUp(page);
  await openSettings(page);
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  // This mark represents the state of a page. A reload removes it.
  await page.getByRole('heading', { name: 'Settings', level: 1 }).evaluate((heading) => {
    heading.dataset['witness'] = 'kept';
  });
  await endSessionRemotely(page);
  await page.clock.fastForward(60_000);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel('Email').inputValue(), person.email);
  for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
  // The browser closes a dialog at the second Escape regardless of the page. This dialog reopens a moment later.
  await dialog.waitFor();
  await dialog.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/is incorrect/)
    .waitFor();
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('heading', { name: 'Settings', level: 1 }).getAttribute('data-witness'), 'kept');
  await test.step('opens the sign-in page when the person does not continue', async () => {
    await endSessionRemotely(page);
    await page.clock.fastForward(60_000);
    await dialog.getByRole('button', { name: 'Leave this page' }).click();
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  });
});

test('asks for the password and reads the account when the session ended before a page of the settings', async ({
  visit,
}) => {
  const page = await visit({ expected: [/401/] });
  const person = await signUp(page);
  await openSettings(page);
  await endSessionRemotely(page);
  await page.getByRole('link', { name: 'Security' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('This browser').waitFor();
  assert.equal(await page.getByText('cannot be read').count(), 0);
});

test('renews the token once before its expiry in a visible tab', { tag: '@slow' }, async ({ page }) => {
  // This browser declines events, since a late event would request a token even in a hidden tab.
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  await page.clock.install();
  await signUp(page);
  // Wait for reads that the visible tab started, since a late read would request a token.
  await page.waitForLoadState('networkidle');
  let requestCount = 0;
  page.on('request', (request) => {
    requestCount += request.url().endsWith('/tokens') ? 1 : 0;
  });
  for (let renewals = 0; renewals < 3; renewals += 1) {
    const renewed = page.waitForResponse((response) => response.url().endsWith('/tokens'));
    // Advances in steps so that the page can process responses, since its clock runs far ahead of the network.
    for (let seconds = 0; requestCount === renewals; seconds += 3) {
      assert.ok(seconds < 60, 'the token is renewed ahead of its end');
      await page.clock.runFor(3_000);
    }
    const response = await renewed;
    assert.equal(response.status(), 200);
    await response.finished();
  }
  await page.clock.runFor(3_000);
  assert.equal(requestCount, 3);
  const show = (visibilityState: 'hidden' | 'visible'): Promise<void> =>
    page.evaluate((state) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    }, visibilityState);
  await show('hidden');
  await page.clock.runFor(30 * 60_000);
  assert.equal(requestCount, 3, 'a hidden tab requests none');
  const back = page.waitForResponse((response) => response.url().endsWith('/tokens'));
  await show('visible');
  assert.equal((await back).status(), 200);
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  assert.doesNotMatch(stored, /eyJ/, 'no JSON web token is readable by script');
});

test('shows that the provider is unavailable and continues when it is back', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ expected: [/ERR_FAILED/] });
  await signUp(page);
  await page.route('**/_idp/**', (route) => route.abort());
  await page.goto('/settings');
  await page.getByRole('heading', { name: 'Tally cannot be reached', level: 1 }).waitFor();
  await page.unroute('**/_idp/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
});

test("shows a member nothing that another one has open in the tab when the first one's session ends", async ({
  visit,
  service,
}) => {
  const bob = await register(await visit());
  const page = await visit();
  await page.clock.install();
  await createMemberWith(page, service, ['AAPL']);
  const heading = page.getByRole('heading', { name: 'Home', level: 1 });
  // This mark represents the state of a page.
  await heading.evaluate((element) => {
    element.dataset['witness'] = 'kept';
  });
  await getRows(page).first().focus();
  await page.keyboard.press('a');
  const form = page.getByRole('dialog', { name: 'Alert for AAPL' });
  await form.getByLabel('Note (optional)').fill('Sell for the house');
  await endSessionRemotely(page);
  await page.clock.fastForward(60_000);
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  const other = await page.context().newPage();
  await other.goto('/sign-in');
  await fillCredentials(other, bob);
  await other.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: `Account of ${bob.email}`, includeHidden: true }).waitFor();
  await form.waitFor({ state: 'detached', timeout: 20_000 });
  assert.equal(await heading.getAttribute('data-witness'), null);
});
