import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { revenueCommand } from '../../src/billing/cli.ts';
import { assertAccessible, useSite } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { eventsUntil } from './captured-events.ts';
import { card, memberWith, rows, search, setTier, showsRows, someSymbols, watch } from './watchlist-card.ts';

const site = useSite();

/** Pays on the stand-in's page, which the browser is on. */
async function pay(page: Page, cardName: RegExp): Promise<void> {
  await page.getByText('Test payment, no money').waitFor();
  await page.getByRole('radio', { name: cardName }).check();
  await page.getByRole('button', { name: 'Pay' }).click();
}

/** New subscriptions of the entry sources, as `tally revenue report` names them; others' in this service count too. */
async function reported(): Promise<Record<string, number>> {
  let out = '';
  const io = { out: (text: string) => void (out += text), err: () => {} };
  await revenueCommand((work) => work(site.service.database.database)).run(['report', '--json'], io);
  const lines = JSON.parse(out) as { label: string; new_subscriptions: number; net_minor: number }[];
  return Object.fromEntries(
    lines.filter(({ net_minor: net }) => net > 0).map((row) => [row.label, row.new_subscriptions]),
  );
}

const offer = (page: Page, name: string) => page.getByRole('button', { name: `Upgrade to ${name}` });

test('from a full list to a larger plan, with what was wanted on it; cancelled, it locks and loses nothing', async (t) => {
  const page = await site.visit(t);
  const [wanted, ...symbols] = await someSymbols(site.service, 21);
  const person = await memberWith(page, site.service, symbols);
  const before = (await reported())['Watchlist · Full'] ?? 0;
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill(wanted!);
  await page.getByRole('option').first().waitFor();
  await search(page).press('Enter');
  await page
    .getByText(/was not added/)
    .first()
    .waitFor({ state: 'attached' });
  await card(page).getByRole('link', { name: 'Upgrade' }).click();
  assert.match(page.url(), new RegExp(`/plans\\?entry=watchlist_limit&add=${wanted}$`));
  await offer(page, 'Pro').click();
  const dialog = page.getByRole('dialog', { name: 'Upgrade to Pro?' });
  await dialog.getByText('100 tickers on your watchlist instead of 20.').waitFor();
  await dialog.getByText(`${wanted} is added to it.`).waitFor();
  await dialog.getByText('$9.99 a month').waitFor();
  await assertAccessible(page, 'the question before an upgrade');
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();
  await pay(page, /0002/);
  await page.getByText('The card was declined. Choose another one.').waitFor();
  await assertAccessible(page, 'the checkout, declined');
  await pay(page, /4242/);
  await page.getByText(`You are on Pro now. ${wanted} is on your watchlist.`).waitFor();
  assert.equal(new URL(page.url()).pathname, '/dashboard');
  await showsRows(page, [...symbols, wanted!]);
  await eventually(async () => (await reported())['Watchlist · Full'] === before + 1);
  const events = await eventsUntil(site.service, person, ['upgrade_modal_confirmed', 'subscription_started']);
  const entries = ['plans_viewed', 'upgrade_modal_viewed', 'upgrade_modal_confirmed'].map(
    (name) => events.find(({ event }) => event === name)?.properties['entry'],
  );
  assert.deepEqual(entries, ['watchlist_limit', 'watchlist_limit', 'watchlist_limit']);

  await page.goto('/settings/billing');
  await page.getByText('$9.99 a month').waitFor();
  await assertAccessible(page, 'billing');
  await page.getByRole('button', { name: 'Cancel the plan' }).click();
  await page.getByRole('button', { name: 'Cancel at the period’s end' }).click();
  await page.getByRole('button', { name: 'Keep Pro' }).waitFor();
  await page.getByRole('button', { name: 'Means of payment' }).click();
  await page.getByRole('button', { name: 'Go on to the next renewal' }).click();
  await eventually(async () => {
    await page.goto('/settings/billing');
    return page
      .getByRole('link', { name: 'Change the plan' })
      .waitFor()
      .then(() => page.getByText('Free', { exact: true }).isVisible());
  });
  await page.goto('/dashboard');
  await card(page).getByText('1 more saved ticker is locked').waitFor();
  assert.deepEqual(await rows(page).count(), 20);
});

test('from locked tickers to a larger plan: a second tab gets the same checkout, and every row opens again', async (t) => {
  const page = await site.visit(t);
  const person = await memberWith(page, site.service, []);
  await setTier(site.service, person, 'pro');
  const symbols = await someSymbols(site.service, 22);
  await watch(site.service, person, symbols);
  await setTier(site.service, person, 'free');
  const before = (await reported())['Watchlist · Locked after downgrade'] ?? 0;
  await page.reload();
  await card(page).getByText('2 more saved tickers are locked').waitFor();
  await card(page).getByRole('button', { name: 'Choose which 20' }).waitFor();
  await card(page).getByRole('link', { name: 'Upgrade' }).click();
  await offer(page, 'Max').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
  const other = await page.context().newPage();
  await other.goto('/plans?entry=watchlist_locked');
  for (const tab of [page, other]) {
    await offer(tab, 'Max').click();
    await tab.getByRole('button', { name: 'Continue to payment' }).click();
    await tab.getByText('Test payment, no money').waitFor();
  }
  assert.equal(page.url(), other.url());
  await pay(page, /4242/);
  await page.getByText('You are on Max now.').waitFor();
  await showsRows(page, symbols);
  await other.getByRole('button', { name: 'Pay' }).click();
  await other.getByText('It was finished before.').waitFor();
  await eventually(async () => (await reported())['Watchlist · Locked after downgrade'] === before + 1);
  const events = await eventsUntil(site.service, person, ['upgrade_modal_dismissed', 'subscription_started']);
  const started = events.find(({ event }) => event === 'subscription_started');
  assert.deepEqual(
    [started?.properties['entry_source'], started?.properties['bucket'], started?.properties['to_tier']],
    ['watchlist_locked', 'proactive_watchlist', 'max'],
  );
});
