import assert from 'node:assert/strict';
import type { BrowserContext, Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { waitForEvents } from './captured-events.ts';
import { shareMember } from './fixtures.ts';
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
/** Removes stored events from the browser. */
const deleteEvents = (page: Page, ids: readonly string[]): Promise<void> =>
  page.evaluate((ids) => {
    for (const key of Object.keys(localStorage)) if (ids.includes(key.split('.').at(-1)!)) localStorage.removeItem(key);
  }, ids);
const getEventIds = (keys: readonly string[]): string[] => keys.map((key) => key.split('.').at(-1)!);

async function openWatchlist(page: Page, service: TestService): Promise<Person> {
  const member = await createMemberWith(page, service, ['AAPL', 'VOO']);
  await waitForEvents(service, member, ['watchlist_viewed']);
  await waitForEmptyQueue(page);
  return member;
}

const expected = [/ERR_INTERNET_DISCONNECTED/, /503/];
const test = shareMember(openWatchlist, { expected });

/** Changes the sort, which causes one event. Returns the new sort. */
async function changeSort(page: Page): Promise<string> {
  const current = await getCard(page).getByRole('combobox', { name: 'Sort' }).inputValue();
  const sort = current === 'losers' ? 'name' : 'losers';
  await sortBy(page, sort);
  return sort;
}

const sendQueue = (page: Page): Promise<boolean> => page.evaluate(() => dispatchEvent(new Event('online')));

test(
  'keeps offline events beyond their page and sends them when online',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ expected });
    const member = await openWatchlist(page, service);
    const context = page.context();
    await context.setOffline(true);
    await sortBy(page, 'name');
    await eventually(async () => (await readQueueKeys(page)).length > 0);
    const address = page.url();
    await page.close();
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto(address);
    await waitForEvents(service, member, ['watchlist_sort_changed']);
    assert.deepEqual(await listSortEvents(service, member), ['name']);
    await waitForEmptyQueue(next);
  },
);

test('keeps events with their ids when a call fails', { tag: '@slow' }, async ({ page, service, member }) => {
  const before = await listSortEvents(service, member);
  let failed = 0;
  await page.route('**/api/analytics/events', (route) => {
    failed += 1;
    return route.fulfill({ status: 503, json: {} });
  });
  const sort = await changeSort(page);
  await eventually(() => failed > 0);
  await eventually(async () => (await readQueueKeys(page)).length > 0);
  await page.unroute('**/api/analytics/events');
  await sendQueue(page);
  await waitForEmptyQueue(page);
  assert.deepEqual(await listSortEvents(service, member), [...before, sort]);
});

test('sends each event once from two tabs', { tag: '@slow' }, async ({ page }) => {
  const context = page.context();
  const receivedIds = recordReceivedEvents(context);
  const other = await context.newPage();
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
  const waiting = getEventIds(await readQueueKeys(page));
  await context.setOffline(false);
  await waitForEmptyQueue(page);
  assert.deepEqual(receivedIds.toSorted(), [...new Set(receivedIds)].toSorted(), 'none was sent twice');
  assert.ok(waiting.length === 6 && waiting.every((id) => receivedIds.includes(id)));
  await other.close();
});

test(
  'stores and sends nothing in any tab while the member’s switch is off',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const context = page.context();
    const settings = await context.newPage();
    await settings.goto('/settings');
    const toggle = settings.getByRole('switch', { name: 'Share how I use Tally' });
    await toggle.click();
    await settings.getByText('Usage data is no longer shared.').waitFor();
    const before = (await waitForEvents(service, member, [])).length;
    const receivedIds = recordReceivedEvents(context);
    await sortBy(page, 'gainers');
    assert.deepEqual(await readQueueKeys(page), []);
    await toggle.click();
    await settings.getByText('Usage data is shared.').waitFor();
    await settings.close();
    await sortBy(page, 'name');
    await waitForEmptyQueue(page);
    const events = await waitForEvents(service, member, []);
    assert.deepEqual([events.length, receivedIds.length], [before + 1, 1], 'only what was done with the switch on');
  },
);

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const minutesAgo = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * MINUTE_MS);

/** Limits of the queue. It keeps the real event and the first `kept` of the stored ones. */
const limits = [
  { rule: 'keeps the newest 200 events', agesMs: minutesAgo(260), characters: 0, kept: 199 },
  { rule: 'keeps the newest events within 128 KiB', agesMs: minutesAgo(40), characters: 8_000, kept: 16 },
  {
    rule: 'drops events that are older than seven days and keeps younger ones',
    agesMs: [6.9 * DAY_MS, 7.1 * DAY_MS],
    characters: 0,
    kept: 1,
  },
] as const;

for (const { rule, agesMs, characters, kept } of limits)
  test(rule, { tag: '@slow' }, async ({ page }) => {
    let requestCount = 0;
    await page.route('**/api/analytics/events', (route) => {
      requestCount += 1;
      return route.fulfill({ status: 503, json: {} });
    });
    await changeSort(page);
    await eventually(() => requestCount > 0);
    const [queuedId] = getEventIds(await readQueueKeys(page));
    const ids = await seedEvents(page, agesMs, characters);
    const before = requestCount;
    await sendQueue(page);
    await eventually(() => requestCount > before);
    assert.deepEqual(new Set(getEventIds(await readQueueKeys(page))), new Set([queuedId, ...ids.slice(0, kept)]));
    await deleteEvents(page, ids);
    await page.unroute('**/api/analytics/events');
    await sendQueue(page);
    await waitForEmptyQueue(page);
  });

test('drops queued events at sign-out', { tag: '@slow' }, async ({ page }) => {
  await page.route('**/api/analytics/events', (route) => route.fulfill({ status: 503, json: {} }));
  await changeSort(page);
  await eventually(async () => (await readQueueKeys(page)).length > 0);
  // Another tab that signs out sends this message.
  await page.evaluate(() => new BroadcastChannel('tally.session').postMessage('signed-out'));
  await waitForEmptyQueue(page);
});

test(
  'stores and sends nothing when the browser asks not to be tracked',
  { tag: '@slow' },
  async ({ visit, service }) => {
    const page = await visit();
    const receivedIds = recordReceivedEvents(page.context());
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await createMemberWith(page, service, ['AAPL', 'VOO']);
    await sortBy(page, 'name');
    await page.waitForTimeout(1_500);
    assert.deepEqual([await readQueueKeys(page), receivedIds], [[], []]);
  },
);
