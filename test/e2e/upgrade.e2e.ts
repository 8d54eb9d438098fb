import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { revenueCommand } from '../../src/features/billing/revenue-cli.ts';
import { assertAccessibleInAllVariants, allVariants } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { waitForEvents } from './captured-events.ts';
import { shareMember } from './fixtures.ts';
import type { Person } from './people.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  getRows,
  getSearchField,
  setTier,
  waitForRows,
  getCatalogSymbols,
  readSymbols,
  addToWatchlist,
} from './watchlist-card.ts';

/** Pays on the sandbox payment page that the browser shows. */
async function pay(page: Page, cardName: RegExp): Promise<void> {
  await page.getByText('Nothing is charged').waitFor();
  await page.getByRole('radio', { name: cardName }).check();
  await page.getByRole('button', { name: 'Pay' }).click();
}

interface Reported {
  label: string;
  currency: string;
  new_subscriptions: number;
  net_minor: number;
}

/**
 * Returns the numbers of new subscriptions by entry source and currency from `tally revenue report`. They include
 * subscriptions of other tests on this service.
 */
async function readRevenueReport(service: TestService): Promise<Record<string, number>> {
  let out = '';
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: () => {},
  };
  await revenueCommand((work) => work(service.database.database)).run(['report', '--json'], io);
  const lines = JSON.parse(out) as Reported[];
  return Object.fromEntries(
    lines
      .filter(({ currency, net_minor: net }) => currency === 'USD' && net > 0)
      .map((row) => [row.label, row.new_subscriptions]),
  );
}

/** Returns a member's payments less refunds by entry source. */
const readNetRevenue = (service: TestService, { email }: Person) =>
  service.database.owner<{ entry_source: string; net: number }>(
    `select i.entry_source, sum(i.net_minor - coalesce((select sum(r.net_minor) from public.billing_refunds_and_disputes r
              where r.payer = i.payer and r.invoice_id = i.id), 0))::int as net
       from public.billing_invoices i join public.billing_customers c using (payer)
       join public.all_users m using (idp_id) where m.email = $1 group by 1 order by 1`,
    [email],
  );

/** Returns the symbols of a full list of the Free plan, and one more. */
async function pickSymbols(service: TestService): Promise<{ saved: string[]; wanted: string }> {
  const symbols = await getCatalogSymbols(service, 21);
  return { saved: symbols.slice(0, 20), wanted: symbols[20]! };
}

let reportBefore: Record<string, number> = {};
const test = shareMember(
  async (page, service) => {
    const { saved } = await pickSymbols(service);
    const member = await createMemberWith(page, service, saved);
    reportBefore = await readRevenueReport(service);
    return member;
  },
  { expected: [/503/, /^request to elsewhere: http:\/\/localhost:/] },
);

const getPlanCard = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^(Upgrade|Change) to ${name}$`) });
const dialog = (page: Page): Locator => page.getByRole('dialog');
const plan = (page: Page): Locator => page.getByRole('region', { name: 'Your plan' });
const assertAmount = (page: Page, name: string, value: string | RegExp) =>
  plan(page)
    .locator('div', { has: page.getByText(name, { exact: true }) })
    .getByText(value)
    .first()
    .waitFor();

/** Opens the provider's page for the payment method and runs `act` there. */
async function openPortal(page: Page, act: (page: Page) => Promise<void>): Promise<void> {
  await plan(page).getByRole('button', { name: 'Payment method' }).click();
  await page.getByText('Nothing is charged').waitFor();
  await act(page);
  await plan(page).waitFor();
  await page.waitForURL(/\/settings\/billing$/);
}

const advanceBillingPeriod = (page: Page): Promise<void> =>
  openPortal(page, (at) => at.getByRole('button', { name: 'Advance to the next renewal' }).click());

// Each test continues with the subscription of the one before.
test.describe.serial('upgrade from a full watchlist', () => {
  test('leads from a full list to the plans with the requested symbol', { tag: '@slow' }, async ({ page, service }) => {
    const { wanted } = await pickSymbols(service);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill(wanted);
    await getCard(page)
      .getByRole('option', { name: new RegExp(`^${wanted.replace('.', '\\.')}`) })
      .first()
      .waitFor();
    await getSearchField(page).press('Enter');
    await getCard(page).getByText('Watchlist full, 20 of 20.', { exact: true }).waitFor();
    await getCard(page).getByRole('link', { name: 'Upgrade' }).click();
    await getPlanCard(page, 'Pro').click();
    await dialog(page).getByText('100 tickers on your watchlist instead of 20.').waitFor();
    await dialog(page).getByText(`${wanted} will be added to your watchlist.`).waitFor();
    await dialog(page).getByText('$9.99 a month').waitFor();
    await assertAccessibleInAllVariants(page, 'the question before a purchase', allVariants, dialog(page));
  });

  test('shows an unavailable payment provider in place and offers a retry', { tag: '@slow' }, async ({ page }) => {
    const code = 'PAYMENTS_UNAVAILABLE';
    await page.route(
      '**/api/billing/checkout',
      (route) => route.fulfill({ status: 503, json: { code, message: 'Payments cannot be reached right now.' } }),
      { times: 1 },
    );
    await dialog(page).getByRole('button', { name: 'Continue to payment' }).click();
    await dialog(page).getByRole('alert').getByText('Payments cannot be reached right now.').waitFor();
  });

  test('opens a payment page of another origin under form-action ’self’', { tag: '@slow' }, async ({ page }) => {
    const document = await page.request.get('/plans');
    assert.match(document.headers()['content-security-policy'] ?? '', /form-action 'self'/);
    await page.route(
      '**/api/billing/checkout',
      async (route) => {
        const answer = await route.fetch();
        const body = (await answer.json()) as { url: string };
        await route.fulfill({ response: answer, json: { ...body, url: body.url.replace('127.0.0.1', 'localhost') } });
      },
      { times: 1 },
    );
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/^http:\/\/localhost:\d+\/_pay\/checkout\//);
    await page.goto(page.url().replace('localhost', '127.0.0.1'));
  });

  test(
    'changes nothing at a declined card and accepts another, also on a late return',
    { tag: '@slow' },
    async ({ page, service, member }) => {
      const { saved, wanted } = await pickSymbols(service);
      await page.getByText('Nothing is charged').waitFor();
      await assertAccessibleInAllVariants(page, 'the checkout');
      await pay(page, /0002/);
      await page.getByText('The card was declined. Choose another one.').first().waitFor();
      await assertAccessibleInAllVariants(page, 'the checkout, declined');
      assert.deepEqual(await readNetRevenue(service, member), []);
      const code = 'PAYMENTS_UNAVAILABLE';
      await page.route(
        '**/api/billing/sync',
        (route) => route.fulfill({ status: 503, json: { code, message: 'Away.' } }),
        {
          times: 3,
        },
      );
      await pay(page, /4242/);
      await page.getByText('If you paid, your payment is safe and you will not be charged twice.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(`You are on Pro now. ${wanted} is on your watchlist.`).waitFor();
      await assertAccessibleInAllVariants(page, 'the way back from a payment');
      await waitForRows(page, [...saved, wanted]);
      const label = 'Watchlist · Full';
      await eventually(async () => ((await readRevenueReport(service))[label] ?? 0) > (reportBefore[label] ?? 0));
      assert.deepEqual(await readNetRevenue(service, member), [{ entry_source: 'watchlist_limit', net: 999 }]);
    },
  );

  test('explains before each step what a cancellation and its withdrawal mean', { tag: '@slow' }, async ({ page }) => {
    await page.goto('/settings/billing');
    await assertAmount(page, 'Price', '$9.99 a month');
    await assertAmount(page, 'Next invoice', /^\$9\.99 on /);
    await plan(page).getByRole('button', { name: 'Cancel the plan' }).click();
    await dialog(page)
      .getByText(/locked, not deleted, and nothing more is charged/)
      .waitFor();
    await assertAccessibleInAllVariants(page, 'the question before a cancellation', allVariants, dialog(page));
    await dialog(page).getByRole('button', { name: 'Cancel the plan' }).click();
    await assertAmount(page, 'Ends', /you are on Free from then on/);
    await plan(page).getByRole('button', { name: 'Keep Pro' }).click();
    await assertAmount(page, 'Next invoice', /^\$9\.99 on /);
  });

  test(
    'shows the end of a cancelled plan among the plans, and keeps the plan there',
    { tag: '@slow' },
    async ({ page }) => {
      await plan(page).getByRole('button', { name: 'Cancel the plan' }).click();
      await dialog(page).getByRole('button', { name: 'Cancel the plan' }).click();
      await plan(page).getByRole('link', { name: 'Change the plan' }).click();
      const tile = page
        .getByRole('list', { name: 'Plans' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'Pro' }) });
      await tile.getByText(/^Ends [A-Z][a-z]{2} \d+, \d{4}; you are on Free from then on/).waitFor();
      await assertAccessibleInAllVariants(page, 'the plans with a cancelled one');
      await tile.getByRole('button', { name: 'Keep Pro' }).click();
      await tile.getByText(/^Ends/).waitFor({ state: 'detached' });
      assert.ok(await tile.evaluate((element) => element === document.activeElement));
      await page.getByRole('link', { name: 'Billing and invoices' }).click();
      await assertAmount(page, 'Next invoice', /^\$9\.99 on /);
    },
  );

  test('shows the amount due before an immediate upgrade and a later downgrade', { tag: '@slow' }, async ({ page }) => {
    await plan(page).getByRole('link', { name: 'Change the plan' }).click();
    await getPlanCard(page, 'Max').click();
    await dialog(page)
      .getByText('Due now: $10.00 for the rest of this billing period. Your new plan starts immediately.')
      .waitFor();
    await assertAccessibleInAllVariants(page, 'the question before a change', allVariants, dialog(page));
    await dialog(page).getByRole('button', { name: 'Change the plan' }).click();
    await assertAmount(page, 'Price', '$19.99 a month');
    await plan(page).getByRole('link', { name: 'Change the plan' }).click();
    await getPlanCard(page, 'Pro').click();
    await dialog(page)
      .getByText(/^Nothing is due now\. You keep Max until /)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Change the plan' }).click();
    await assertAmount(page, 'Changes to', /^Pro on /);
    await plan(page).getByRole('button', { name: 'Keep Max' }).click();
    await assertAmount(page, 'Next invoice', /^\$19\.99 on /);
  });

  test(
    'explains how to fix a renewal with a declined card and keeps the plan until then',
    { tag: '@slow' },
    async ({ page }) => {
      await openPortal(page, async (at) => {
        await at.getByRole('radio', { name: /0341/ }).check();
        await at.getByRole('button', { name: 'Use this card' }).click();
      });
      await advanceBillingPeriod(page);
      await page.getByRole('alert').getByText('Your last payment did not go through.').waitFor();
      await assertAmount(page, 'Plan', 'Max');
      await assertAmount(page, 'Price', '$19.99 a month');
      await assertAccessibleInAllVariants(page, 'billing with a payment problem');
      await page.getByRole('link', { name: 'Pay the invoice' }).click();
      await pay(page, /4242/);
      await plan(page).waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    },
  );

  test(
    'locks tickers after the last period and lets the member choose the open ones',
    { tag: '@slow' },
    async ({ page, service, member }) => {
      const { saved, wanted } = await pickSymbols(service);
      await plan(page).getByRole('button', { name: 'Cancel the plan' }).click();
      await dialog(page).getByRole('button', { name: 'Cancel the plan' }).click();
      await assertAmount(page, 'Ends', /you are on Free from then on/);
      await advanceBillingPeriod(page);
      await assertAmount(page, 'Plan', 'Free');
      await page.goto('/dashboard');
      await getCard(page).getByText('1 more saved ticker is locked').waitFor();
      await getCard(page)
        .getByRole('list', { name: 'Locked tickers' })
        .getByText(wanted, { exact: true })
        .first()
        .waitFor();
      await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit watchlist' });
      await edit.locator(`[data-handle="${wanted}"]`).focus();
      for (const key of ['Enter', 'Home', 'Enter']) await page.keyboard.press(key);
      await edit.getByText(/moved to position 1 of 21, now active/).waitFor();
      await waitForSavedOrder(service, member, [wanted, ...saved]);
      await edit.getByRole('button', { name: 'Done' }).click();
      await edit.waitFor({ state: 'detached' });
      await eventually(async () => (await readSymbols(page))[0] === wanted);
    },
  );

  test(
    'opens every row when the member upgrades again from the locked tickers',
    { tag: '@slow' },
    async ({ page, service, member }) => {
      const { saved, wanted } = await pickSymbols(service);
      await getCard(page).getByRole('link', { name: 'Upgrade' }).click();
      await getPlanCard(page, 'Pro').click();
      await dialog(page).getByRole('button', { name: 'Continue to payment' }).click();
      await pay(page, /4242/);
      await page.getByText('You are on Pro now.').waitFor();
      await waitForRows(page, [wanted, ...saved]);
      assert.equal(await getRows(page).count(), 21);
      await eventually(async () => {
        const label = 'Watchlist · Locked after downgrade';
        return ((await readRevenueReport(service))[label] ?? 0) > (reportBefore[label] ?? 0);
      });
      assert.deepEqual(await readNetRevenue(service, member), [
        { entry_source: 'watchlist_limit', net: 999 + 1_000 + 1_999 },
        { entry_source: 'watchlist_locked', net: 999 },
      ]);
    },
  );
});

test(
  'shares one checkout between tabs and refunds the smaller one when both are paid',
  { tag: '@slow' },
  async ({ visit, service }) => {
    const page = await visit();
    const person = await createMemberWith(page, service, []);
    await setTier(service, person, 'pro');
    const watched = await getCatalogSymbols(service, 22);
    await addToWatchlist(service, person, watched);
    await setTier(service, person, 'free');
    await page.reload();
    await getCard(page).getByText('2 more saved tickers are locked').waitFor();
    await getCard(page).getByRole('link', { name: 'Upgrade' }).click();
    await getPlanCard(page, 'Max').click();
    await dialog(page).getByRole('button', { name: 'Not now' }).click();
    const other = await page.context().newPage();
    await other.goto('/plans?entry=watchlist_locked');
    for (const tab of [page, other]) {
      await getPlanCard(tab, 'Max').click();
      await tab.getByRole('button', { name: 'Continue to payment' }).click();
      await tab.getByText('Nothing is charged').waitFor();
    }
    assert.equal(page.url(), other.url());
    // Simulates a payment that completes before the first checkout is ended.
    await service.database.owner(
      `update public.billing_checkouts k set status = 'expired' from public.all_users m
      where m.idp_id = k.idp_id and m.email = $1`,
      [person.email],
    );
    const third = await page.context().newPage();
    await third.goto('/plans?entry=watchlist_locked');
    await getPlanCard(third, 'Pro').click();
    await third.getByRole('button', { name: 'Continue to payment' }).click();
    await third.getByText('Nothing is charged').waitFor();
    assert.notEqual(third.url(), page.url());
    await pay(page, /4242/);
    await page.getByText('You are on Max now.').waitFor();
    await waitForRows(page, watched);
    await other.getByRole('button', { name: 'Pay' }).click();
    await other.getByText('This page is already complete.').waitFor();
    await pay(third, /4242/);
    await third.getByText('You are on Max now.').waitFor();
    await eventually(async () => (await readNetRevenue(service, person))[0]?.net === 1_999);
    const events = await waitForEvents(service, person, ['upgrade_modal_dismissed', 'subscription_started']);
    const started = events.find(({ event }) => event === 'subscription_started');
    assert.deepEqual(
      [started?.properties['entry_source'], started?.properties['bucket'], started?.properties['to_tier']],
      ['watchlist_locked', 'proactive_watchlist', 'max'],
    );
  },
);
