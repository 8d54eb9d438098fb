import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants, allVariants } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { connectBank, openInstitutionPage, waitUntilStored } from './connect-account.ts';
import { shareMember } from './fixtures.ts';
import { pressTabUntil } from './keys.ts';
import { type Person, register } from './people.ts';
import { recordShifts, getLayoutShifts } from './record-shifts.ts';
import { addToWatchlist } from './watchlist-card.ts';
import { getHoldingRows, getHoldings } from './home-holdings.ts';

const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name, level: 1 });
const FINISH = '**/api/connections/finish';

/** Makes the institution require a new sign-in. */
const breakConnections = (service: TestService, email: string): Promise<unknown> =>
  service.database.owner(
    `update public.connections c set status = 'login_required' from public.all_users m
      where m.idp_id = c.idp_id and m.email = $1`,
    [email],
  );

/** Throws if axe-core finds a violation or the page is too wide in any variant, on the page or on a part of it. */
async function checkAccessibility(page: Page, state: string, part: Locator | null = null): Promise<void> {
  await assertAccessibleInAllVariants(page, state, allVariants, part);
  const { width, height } = page.viewportSize()!;
  for (const narrow of [320, 1920]) {
    await page.setViewportSize({ width: narrow, height });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${state}, ${narrow}`);
  }
  await page.setViewportSize({ width, height });
}

const getDialog = (page: Page): Locator => page.getByRole('dialog');
const getHoldingsCard = (page: Page): Locator => page.getByRole('region', { name: 'Holdings' });
const getBankCard = (page: Page): Locator => page.getByRole('region', { name: 'Sandbox Bank' });

/** Opens the dashboard of a new member with a manual account that holds Apple. */
async function openManualHoldings(page: Page, service: TestService): Promise<Person> {
  const member = await register(page);
  const { email } = member;
  await addToWatchlist(service, member, ['AAPL']);
  await service.database.owner(
    `with made as (insert into public.accounts (idp_id, name, balance)
     select idp_id, 'By hand', 100 from public.all_users where email = $1 returning id, idp_id)
   insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
   select idp_id, id, 'AAPL', 3 from made`,
    [email],
  );
  await page.goto('/dashboard');
  return member;
}

/** Opens the connections of a new member. */
async function openConnections(page: Page): Promise<Person> {
  const member = await register(page);
  await page.goto('/settings/connections');
  return member;
}

/** Creates a member with a manual account that the sandbox bank has too. */
async function registerWithManualAccount(page: Page, service: TestService): Promise<Person> {
  const member = await register(page);
  await service.database.owner(
    `insert into public.accounts (idp_id, name, balance)
   select idp_id, 'Sandbox Checking', 1250.50 from public.all_users where email = $1`,
    [member.email],
  );
  return member;
}

const bankTest = shareMember(openManualHoldings);
const attemptTest = shareMember(openConnections, { expected: [/ERR_FAILED/, /ERR_INTERNET_DISCONNECTED/] });
const mergeTest = shareMember(registerWithManualAccount);
/** The address of the attempt that connected the bank. */
let returnPath = '';

// In each group a test continues with the connection of the one before.
bankTest.describe.serial('a connected bank', () => {
  bankTest(
    'connects a bank from the accounts of the dashboard and keeps no secret',
    { tag: '@slow' },
    async ({ page }) => {
      await getHoldingsCard(page).getByRole('button', { name: 'Accounts' }).click();
      await page.getByRole('dialog', { name: 'Accounts' }).getByRole('button', { name: 'Connect an account' }).click();
      await getDialog(page).getByText('It cannot move money').waitFor();
      await checkAccessibility(page, 'connecting an account', getDialog(page));
      const link = await openInstitutionPage(page, 'bank');
      await connectBank(page);
      await heading(page, 'Sandbox Bank is connected').waitFor();
      await page.getByRole('list', { name: 'Accounts at Sandbox Bank' }).getByText('ending in 4444').waitFor();
      await checkAccessibility(page, 'connected');
      assert.doesNotMatch(await waitUntilStored(page), new RegExp(link), 'the token of the link is kept nowhere');
    },
  );

  bankTest(
    'shows connected holdings beside manual ones and edits only the manual ones',
    { tag: '@slow' },
    async ({ page }) => {
      await page.getByRole('link', { name: 'Go to Home' }).click();
      await getHoldingRows(page)
        .filter({ hasText: 'AAPL' })
        .filter({ hasText: /Quantity 15(?!\d)/ })
        .waitFor();
      await getHoldingRows(page).filter({ hasText: 'AAPL call 300' }).getByText('$1,160.00').waitFor();
      assert.match((await getHoldingRows(page).filter({ hasText: 'VOO' }).textContent())!, /connected/);
      await getHoldings(page).getByRole('link', { name: /Apple/ }).click();
      const position = page.getByRole('region', { name: 'Your position' });
      await position.getByText('Sandbox Brokerage').waitFor();
      await position.getByText(/^3 · /).waitFor();
      await position.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'AAPL in your accounts' });
      await edit.getByText(/^Connected: Sandbox Bank, updated (just now|\d+ min ago)$/).waitFor();
      assert.deepEqual(
        await edit
          .getByRole('button', { name: /^Edit/ })
          .evaluateAll((all) => all.map((candidate) => candidate.ariaLabel)),
        ['Edit AAPL in By hand'],
      );
      await page.keyboard.press('Escape');
    },
  );

  bankTest(
    'asks everywhere for a new sign-in when the bank requires one',
    { tag: '@slow' },
    async ({ page, service, member }) => {
      await breakConnections(service, member.email);
      await page.goto('/settings/connections');
      await page.getByText('Sandbox Bank needs you to sign in again.').waitFor();
      await checkAccessibility(page, 'a connection that needs a sign-in');
      await recordShifts(page);
      await page.goto('/dashboard');
      await page.getByRole('status').getByText('Sandbox Bank needs you to sign in again.').waitFor();
      await getHoldings(page).getByText('AAPL call 300').waitFor();
      assert.deepEqual(await getLayoutShifts(page), [], 'what is connected moves nothing');
      await checkAccessibility(page, 'the dashboard with the notice');
      await getHoldingsCard(page).getByRole('button', { name: 'Accounts' }).click();
      await getDialog(page).getByText('Sandbox Bank needs you to sign in again.').first().waitFor();
      await checkAccessibility(page, 'accounts that were connected', getDialog(page));
      await page.keyboard.press('Escape');
      await getDialog(page).waitFor({ state: 'detached' });
    },
  );

  bankTest('repairs the connection after a new sign-in', { tag: '@slow' }, async ({ page }) => {
    await page.getByRole('button', { name: 'Sign in again' }).click();
    const again = await openInstitutionPage(page, 'bank');
    await connectBank(page);
    await heading(page, 'Sandbox Bank is connected').waitFor();
    assert.doesNotMatch(await waitUntilStored(page), new RegExp(again));
    await page.getByRole('link', { name: 'See your connections' }).click();
    await getBankCard(page).getByText('Active', { exact: true }).waitFor();
  });

  bankTest(
    'refreshes a connection once a minute and says how old it is',
    { tag: '@slow' },
    async ({ page, service }) => {
      await service.database.owner(
        `update public.connections set refresh_requested_at = null, synced_at = now() - interval '5 minutes'`,
      );
      await page.reload();
      await getBankCard(page)
        .getByText(/updated [5-9] min ago/)
        .waitFor();
      const refresh = getBankCard(page).getByRole('button', { name: 'Refresh Sandbox Bank' });
      await refresh.click();
      await page.getByText('Sandbox Bank is up to date.').waitFor();
      await getBankCard(page).getByText('updated just now').waitFor();
      await checkAccessibility(page, 'a refreshed connection');
      await service.database.owner(`update public.connections set refresh_requested_at = now()`);
      await refresh.click();
      await page
        .getByText(/^Sandbox Bank was refreshed less than a minute ago\. You can refresh it again in \d+ sec/)
        .waitFor();
    },
  );

  bankTest('renames an account and removes the connection after a question', { tag: '@slow' }, async ({ page }) => {
    await getBankCard(page).getByRole('button', { name: 'Rename Sandbox Checking' }).click();
    await getDialog(page).getByLabel('Name of the account').fill('Household');
    await page.keyboard.press('Enter');
    await getBankCard(page).getByText('Household', { exact: true }).waitFor();
    await getBankCard(page).getByText('$1,250.50 in cash').waitFor();
    await getBankCard(page).getByRole('button', { name: 'Remove Sandbox Bank' }).click();
    await getDialog(page).getByText('Its 3 accounts are deleted immediately').waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
    await checkAccessibility(page, 'asking before a removal', getDialog(page));
    await getDialog(page).getByRole('button', { name: 'Remove the connection' }).click();
    await getBankCard(page).waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('Sandbox Bank removed.').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click();
    await getHoldingRows(page)
      .filter({ hasText: 'AAPL' })
      .filter({ hasText: /Quantity 3(?!\d)/ })
      .waitFor();
    assert.equal(await getHoldings(page).getByText('AAPL call 300').count(), 0);
  });
});

attemptTest.describe.serial('the return from an institution', () => {
  attemptTest('explains an attempt that was left or rejected', { tag: '@slow' }, async ({ page }) => {
    await page.getByRole('button', { name: 'Connect an account' }).click();
    const kinds = page.getByRole('group', { name: 'Where is the account?' }).locator('label > .font-medium');
    await kinds.nth(1).waitFor();
    const tops = await kinds.evaluateAll((names) => names.map((name) => name.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 1, 'the names of both kinds are at one height');
    await openInstitutionPage(page, 'bank');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading(page, 'You did not finish connecting').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await openInstitutionPage(page, 'bank');
    await page.getByLabel('User name').fill('user_good');
    await page.getByLabel('Password').fill('error_ITEM_LOCKED');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The account is locked').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading(page, 'The account is locked').waitFor();
  });

  attemptTest(
    'waits for the institution, also offline, until the bank is connected',
    { tag: '@slow' },
    async ({ page }) => {
      await page.getByRole('button', { name: 'Try again' }).click();
      await openInstitutionPage(page, 'bank');
      // The stub answers without the network when the page polls.
      let requestCount = 0;
      await page.route(FINISH, (route) => {
        requestCount += 1;
        return requestCount === 1 ? route.fulfill({ json: { status: 'pending' } }) : route.continue();
      });
      await connectBank(page);
      await heading(page, 'Waiting for your institution').waitFor();
      await page.getByText('You can leave this page').waitFor();
      // Its code loads after the page.
      await page.getByRole('button', { name: 'Alerts' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('You are offline.').waitFor();
      await page.context().setOffline(false);
      await heading(page, 'Sandbox Bank is connected').waitFor();
      returnPath = new URL(page.url()).pathname;
      await page.unroute(FINISH);
    },
  );

  attemptTest('explains an attempt that repeats a connection', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/settings/connections');
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await openInstitutionPage(page, 'bank');
    await connectBank(page);
    await heading(page, 'Sandbox Bank is already connected').waitFor();
  });

  attemptTest(
    'opens a result again, but none of a foreign or unknown attempt',
    { tag: '@slow' },
    async ({ page, service, visit }) => {
      await page.goto(`${returnPath}?status=SUCCESS&connection_id=1#more`);
      await heading(page, 'Sandbox Bank is connected').waitFor();
      assert.equal(page.url(), service.url + returnPath, 'what was added to the address is gone');
      const other = await visit();
      await register(other);
      for (const path of [returnPath, '/connections/return/no-such-thing', '/connections/return']) {
        await other.goto(path);
        await heading(other, 'Link not valid').waitFor();
      }
    },
  );

  attemptTest('explains an attempt that is late, pending or cannot be checked', { tag: '@slow' }, async ({ page }) => {
    await page.goto(returnPath);
    await heading(page, 'Sandbox Bank is connected').waitFor();
    await page.route(FINISH, (route) => route.fulfill({ json: { status: 'abandoned', code: 'EXPIRED' } }));
    await page.reload();
    await heading(page, 'The link has expired').waitFor();
    await page.unroute(FINISH);
    await page.route(FINISH, (route) => route.fulfill({ json: { status: 'pending' } }));
    await page.reload();
    await heading(page, 'Waiting for your institution').waitFor();
    await checkAccessibility(page, 'waiting');
    await page.unroute(FINISH);
    await page.route(FINISH, (route) => route.abort());
    await page.reload();
    await heading(page, 'We could not check the result yet').waitFor();
    await page.getByRole('alert').getByText('Tally cannot be reached.').waitFor();
    await page.unroute(FINISH);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Sandbox Bank is connected').waitFor();
  });
});

mergeTest.describe.serial('further accounts of a connected bank', () => {
  mergeTest(
    'merges a manual account into the connected one by keyboard',
    { tag: '@slow' },
    async ({ page, service, member: { email } }) => {
      await page.goto('/settings/connections');
      await page.getByRole('button', { name: 'Connect an account' }).click();
      await openInstitutionPage(page, 'bank');
      await connectBank(page, 'Sandbox Checking');
      await heading(page, 'Sandbox Bank is connected').waitFor();
      const notice = page.getByText('Your manual account “Sandbox Checking” looks like this account.');
      await notice.waitFor();
      await checkAccessibility(page, 'a connected account that is kept by hand too');
      await pressTabUntil(page, /^Merge Sandbox Checking/);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Merge “Sandbox Checking”?' });
      await dialog.getByText('Your manual cash balance of $1,250.50 no longer counts.').waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
      await checkAccessibility(page, 'asking before a merge', dialog);
      await dialog.getByRole('button', { name: 'Merge the accounts' }).press('Enter');
      await page.getByRole('status').getByText('Sandbox Checking merged into Sandbox Checking.').waitFor();
      await notice.waitFor({ state: 'detached' });
      const owned = await service.database.owner(
        `select a.kind, a.balance::float8 as balance from public.accounts a join public.all_users m on m.idp_id = a.idp_id
    where m.email = $1`,
        [email],
      );
      assert.deepEqual(owned, [{ kind: 'bank', balance: 1250.5 }]);
    },
  );

  mergeTest('adds accounts to a connection by keyboard', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/settings/connections');
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await openInstitutionPage(page, 'bank');
    await connectBank(page);
    await heading(page, 'Accounts added at Sandbox Bank').waitFor();
    const list = page.getByRole('list', { name: 'Accounts at Sandbox Bank' });
    assert.equal(await list.getByRole('listitem').count(), 3);

    await page.getByRole('link', { name: 'See your connections' }).click();
    const card = page.getByRole('region', { name: 'Sandbox Bank' });
    await card.getByRole('button', { name: 'Sign in again to Sandbox Bank' }).waitFor();
    await checkAccessibility(page, 'a connection with its choices');
    await pressTabUntil(page, /^Add accounts at/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('keep the connected ones selected').waitFor();
    await checkAccessibility(page, 'adding accounts to a connection', page.getByRole('dialog'));
    await openInstitutionPage(page, 'bank');
    await connectBank(page);
    await heading(page, 'Sandbox Bank is connected').waitFor();
    assert.equal(await list.getByRole('listitem').count(), 3);
  });
});
