import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { revenueCommand } from '../../src/billing/cli.ts';
import { useSite } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { eventsUntil } from './captured-events.ts';
import { card, memberWith, setTier, showsRows, someSymbols, watch } from './watchlist-card.ts';

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
