import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { useSite } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { eventsUntil } from './captured-events.ts';
import type { Person } from './people.ts';
import { step } from './step.ts';
import { card, memberWith } from './watchlist-card.ts';

const site = useSite();

/** The ids of the events that pages of a browser send, one entry for each time. */
function noteSent(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (!request.url().endsWith('/api/analytics/events')) return;
    const { events } = request.postDataJSON() as { events: { id: string }[] };
    sent.push(...events.map(({ id }) => id));
  });
  return sent;
}

const sortBy = (page: Page, sort: string) => card(page).getByRole('combobox', { name: 'Sort' }).selectOption(sort);
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tally.event.')));
const nothingWaits = (page: Page) => eventually(async () => (await kept(page)).length === 0);
const sorts = async (person: Person): Promise<unknown[]> =>
  (await eventsUntil(site.service, person, []))
    .filter(({ event }) => event === 'watchlist_sort_changed')
    .map(({ properties }) => properties['sort']);

async function open(t: TestContext): Promise<{ page: Page; person: Person; sent: string[] }> {
  const page = await site.visit(t, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  const sent = noteSent(page.context());
  const person = await memberWith(page, site.service, ['AAPL', 'VOO']);
  await eventsUntil(site.service, person, ['watchlist_viewed']);
  await nothingWaits(page);
  return { page, person, sent };
}

test('events wait in the browser until the service has them, and are sent by one tab, once', async (t) => {
  const { page: first, person, sent } = await open(t);
  const context = first.context();
  let page = first;
  await step(t, 'what happened offline outlives its page, and arrives when the network is back', async () => {
    await context.setOffline(true);
    await sortBy(page, 'name');
    await eventually(async () => (await kept(page)).length === 1);
    const address = page.url();
    await page.close();
    await context.setOffline(false);
    page = await context.newPage();
    await page.goto(address);
    await eventsUntil(site.service, person, ['watchlist_sort_changed']);
    assert.deepEqual(await sorts(person), ['name']);
    await nothingWaits(page);
  });
  await step(t, 'a call that fails leaves its events in the browser, with their ids', async () => {
    await context.route('**/api/analytics/events', (route) => route.fulfill({ status: 503, json: {} }));
    await sortBy(page, 'losers');
    const before = sent.length;
    await eventually(() => sent.length > before);
    await eventually(async () => (await kept(page)).length === 1);
    await context.unroute('**/api/analytics/events');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await nothingWaits(page);
    assert.deepEqual(await sorts(person), ['name', 'losers']);
  });
  await step(t, 'two tabs send each event once', async () => {
    const other = await context.newPage();
    await other.goto('/dashboard');
    await card(other).getByRole('combobox', { name: 'Sort' }).waitFor();
    await nothingWaits(other);
    sent.length = 0;
    await context.setOffline(true);
    for (const sort of ['gainers', 'name', 'losers']) {
      await sortBy(page, sort);
      await sortBy(other, sort === 'name' ? 'gainers' : 'name');
    }
    const waiting = (await kept(page)).map((key) => key.split('.').at(-1)!);
    await context.setOffline(false);
    await nothingWaits(page);
    assert.deepEqual(sent.toSorted(), [...new Set(sent)].toSorted(), 'none was sent twice');
    assert.ok(waiting.length >= 5 && waiting.every((id) => sent.includes(id)));
    await other.close();
  });
  await step(t, 'nothing is kept or sent while the member’s switch is off, in no tab', async () => {
    const settings = await context.newPage();
    await settings.goto('/settings');
    const toggle = settings.getByRole('switch', { name: 'Share how I use Tally' });
    await toggle.click();
    await settings.getByText('Usage data is no longer shared.').waitFor();
    const before = (await eventsUntil(site.service, person, [])).length;
    sent.length = 0;
    await sortBy(page, 'gainers');
    assert.deepEqual(await kept(page), []);
    await toggle.click();
    await settings.getByText('Usage data is shared.').waitFor();
    await settings.close();
    await sortBy(page, 'name');
    await nothingWaits(page);
    const events = await eventsUntil(site.service, person, []);
    assert.deepEqual([events.length, sent.length], [before + 1, 1], 'only what was done with the switch on');
  });
  await step(t, 'what still waits when the member signs out is dropped', async () => {
    await context.setOffline(true);
    await sortBy(page, 'losers');
    await eventually(async () => (await kept(page)).length === 1);
    // As another tab says it that signs out.
    await page.evaluate(() => new BroadcastChannel('tally.session').postMessage('signed-out'));
    await nothingWaits(page);
    await context.setOffline(false);
  });
});

test('a browser that asks not to be followed keeps and sends nothing', async (t) => {
  const page = await site.visit(t);
  const sent = noteSent(page.context());
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  await memberWith(page, site.service, ['AAPL', 'VOO']);
  await sortBy(page, 'name');
  await page.waitForTimeout(1_500);
  assert.deepEqual([await kept(page), sent], [[], []]);
});
