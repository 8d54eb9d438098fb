import assert from 'node:assert/strict';
import type { BrowserContext, Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { waitForEvents } from './captured-events.ts';
import { test, type Visit } from './fixtures.ts';
import type { Person } from './people.ts';
import { getCard, createMemberWith } from './watchlist-card.ts';

/** Records the ids of events that the service accepted from pages of a browser, one entry for each time. */
function recordReceivedEvents(context: BrowserContext): string[] {
  const receivedIds: string[] = [];
  context.on('response', (response) => {
    if (response.status() !== 202 || !response.url().endsWith('/api/analytics/events')) return;
    const { events } = response.request().postDataJSON() as { events: { id: string }[] };
    receivedIds.push(...events.map(({ id }) => id));
  });
  return receivedIds;
}

const sortBy = (page: Page, sort: string) => getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption(sort);
const readQueueKeys = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tally.event.')));
const waitForEmptyQueue = (page: Page) => eventually(async () => (await readQueueKeys(page)).length === 0);
const listSortEvents = async (service: TestService, person: Person): Promise<unknown[]> =>
  (await waitForEvents(service, person, []))
    .filter(({ event }) => event === 'watchlist_sort_changed')
    .map(({ properties }) => properties['sort']);

/** Stores events with these ages in ms and this size, beside a real event whose member they use. Returns their ids. */
function seedEvents(page: Page, agesMs: readonly number[], characters: number): Promise<string[]> {
  return page.evaluate(
    ([ages, characters]) => {
      const model = Object.keys(localStorage).find((key) => key.startsWith('tally.event.'))!;
      const event = JSON.parse(localStorage.getItem(model)!) as object;
      const member = model.split('.').slice(0, -2).join('.');
      return ages.map((age) => {
        const id = crypto.randomUUID();
        const at = Date.now() - age;
        const queuedEvent = { ...event, id, occurred_at: new Date(at).toISOString(), properties: { note: '' } };
        queuedEvent.properties.note = 'n'.repeat(Math.max(0, characters - JSON.stringify(queuedEvent).length));
        localStorage.setItem(`${member}.${at}.${id}`, JSON.stringify(queuedEvent));
        return id;
      });
    },
    [agesMs, characters] as const,
  );
}
const getEventIds = (keys: readonly string[]): string[] => keys.map((key) => key.split('.').at(-1)!);

async function open(
  visit: Visit,
  service: TestService,
): Promise<{ page: Page; person: Person; receivedIds: string[] }> {
  const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/, /503/] });
  const receivedIds = recordReceivedEvents(page.context());
  const person = await createMemberWith(page, service, ['AAPL', 'VOO']);
  await waitForEvents(service, person, ['watchlist_viewed']);
  await waitForEmptyQueue(page);
  return { page, person, receivedIds };
}

test('queues events in the browser and sends each once from one tab', { tag: '@slow' }, async ({ service, visit }) => {
  const { page: first, person, receivedIds } = await open(visit, service);
  const context = first.context();
  let page = first;
  await test.step('keeps offline events beyond their page and sends them when online', async () => {
    await context.setOffline(true);
    await sortBy(page, 'name');
    await eventually(async () => (await readQueueKeys(page)).length > 0);
    const address = page.url();
    await page.close();
    await context.setOffline(false);
    page = await context.newPage();
    await page.goto(address);
    await waitForEvents(service, person, ['watchlist_sort_changed']);
    assert.deepEqual(await listSortEvents(service, person), ['name']);
    await waitForEmptyQueue(page);
  });
  await test.step('keeps events with their ids when a call fails', async () => {
    let failed = 0;
    await context.route('**/api/analytics/events', (route) => {
      failed += 1;
      return route.fulfill({ status: 503, json: {} });
    });
    await sortBy(page, 'losers');
    await eventually(() => failed > 0);
    await eventually(async () => (await readQueueKeys(page)).length > 0);
    await context.unroute('**/api/analytics/events');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await waitForEmptyQueue(page);
    assert.deepEqual(await listSortEvents(service, person), ['name', 'losers']);
  });
  await test.step('sends each event once from two tabs', async () => {
    const other = await context.newPage();
    receivedIds.length = 0;
    await other.goto('/dashboard');
    await getCard(other).getByRole('combobox', { name: 'Sort' }).waitFor();
    await eventually(() => receivedIds.length > 0);
    await waitForEmptyQueue(other);
    receivedIds.length = 0;
    await context.setOffline(true);
    for (const sort of ['gainers', 'name', 'losers']) {
      await sortBy(page, sort);
      await sortBy(other, sort === 'name' ? 'gainers' : 'name');
    }
    const waiting = (await readQueueKeys(page)).map((key) => key.split('.').at(-1)!);
    await context.setOffline(false);
    await waitForEmptyQueue(page);
    assert.deepEqual(receivedIds.toSorted(), [...new Set(receivedIds)].toSorted(), 'none was sent twice');
    assert.ok(waiting.length === 6 && waiting.every((id) => receivedIds.includes(id)));
    await other.close();
  });
  await test.step('stores and sends nothing in any tab while the member’s switch is off', async () => {
    const settings = await context.newPage();
    await settings.goto('/settings');
    const toggle = settings.getByRole('switch', { name: 'Share how I use Tally' });
    await toggle.click();
    await settings.getByText('Usage data is no longer shared.').waitFor();
    const before = (await waitForEvents(service, person, [])).length;
    receivedIds.length = 0;
    await sortBy(page, 'gainers');
    assert.deepEqual(await readQueueKeys(page), []);
    await toggle.click();
    await settings.getByText('Usage data is shared.').waitFor();
    await settings.close();
    await sortBy(page, 'name');
    await waitForEmptyQueue(page);
    const events = await waitForEvents(service, person, []);
    assert.deepEqual([events.length, receivedIds.length], [before + 1, 1], 'only what was done with the switch on');
  });
  let requestCount = 0;
  await page.route('**/api/analytics/events', (route) => {
    requestCount += 1;
    return route.fulfill({ status: 503, json: {} });
  });
  const triggerSend = async (): Promise<void> => {
    const before = requestCount;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await eventually(() => requestCount > before);
  };
  await sortBy(page, 'losers');
  await eventually(() => requestCount > 0);
  const [queuedId] = getEventIds(await readQueueKeys(page));
  const readQueuedIds = async (): Promise<Set<string>> => new Set(getEventIds(await readQueueKeys(page)));
  const clearQueue = () =>
    page.evaluate((own) => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('tally.event.') && !key.endsWith(own)) localStorage.removeItem(key);
    }, queuedId!);
  const MINUTE = 60_000;
  await test.step('keeps the newest 200 events', async () => {
    const ids = await seedEvents(
      page,
      Array.from({ length: 260 }, (_, index) => (index + 1) * MINUTE),
      0,
    );
    await triggerSend();
    assert.deepEqual(await readQueuedIds(), new Set([queuedId, ...ids.slice(0, 199)]));
    await clearQueue();
  });
  await test.step('keeps the newest events within 128 KiB', async () => {
    const ids = await seedEvents(
      page,
      Array.from({ length: 40 }, (_, index) => (index + 1) * MINUTE),
      8_000,
    );
    await triggerSend();
    assert.deepEqual(await readQueuedIds(), new Set([queuedId, ...ids.slice(0, 16)]));
    await clearQueue();
  });
  await test.step('drops events that are older than seven days and keeps younger ones', async () => {
    const [young] = await seedEvents(page, [6.9 * 24 * 60 * MINUTE, 7.1 * 24 * 60 * MINUTE], 0);
    await triggerSend();
    assert.deepEqual(await readQueuedIds(), new Set([queuedId, young]));
    await page.unroute('**/api/analytics/events');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await waitForEmptyQueue(page);
  });
  await test.step('drops queued events at sign-out', async () => {
    await context.route('**/api/analytics/events', (route) => route.fulfill({ status: 503, json: {} }));
    await sortBy(page, 'name');
    await eventually(async () => (await readQueueKeys(page)).length > 0);
    // Another tab that signs out sends this message.
    await page.evaluate(() => new BroadcastChannel('tally.session').postMessage('signed-out'));
    await waitForEmptyQueue(page);
  });
});

test(
  'stores and sends nothing when the browser asks not to be tracked',
  { tag: '@slow' },
  async ({ page, service }) => {
    const receivedIds = recordReceivedEvents(page.context());
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await createMemberWith(page, service, ['AAPL', 'VOO']);
    await sortBy(page, 'name');
    await page.waitForTimeout(1_500);
    assert.deepEqual([await readQueueKeys(page), receivedIds], [[], []]);
  },
);
