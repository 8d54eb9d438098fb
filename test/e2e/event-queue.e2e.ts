import assert from 'node:assert/strict';
import type { BrowserContext, Page } from '@playwright/test';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { eventsUntil } from './captured-events.ts';
import { test, type Visit } from './fixtures.ts';
import type { Person } from './people.ts';
import { card, memberWith } from './watchlist-card.ts';

/** The ids of the events that the service took from pages of a browser, one entry for each time. */
function noteTaken(context: BrowserContext): string[] {
  const taken: string[] = [];
  context.on('response', (response) => {
    if (response.status() !== 202 || !response.url().endsWith('/api/analytics/events')) return;
    const { events } = response.request().postDataJSON() as { events: { id: string }[] };
    taken.push(...events.map(({ id }) => id));
  });
  return taken;
}

const sortBy = (page: Page, sort: string) => card(page).getByRole('combobox', { name: 'Sort' }).selectOption(sort);
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tally.event.')));
const nothingWaits = (page: Page) => eventually(async () => (await kept(page)).length === 0);
const sorts = async (service: TestService, person: Person): Promise<unknown[]> =>
  (await eventsUntil(service, person, []))
    .filter(({ event }) => event === 'watchlist_sort_changed')
    .map(({ properties }) => properties['sort']);

/** Events as if captured so many milliseconds ago, of a size, beside a real one whose member they have; their ids. */
function seedEvents(page: Page, agesMs: readonly number[], characters: number): Promise<string[]> {
  return page.evaluate(
    ([ages, characters]) => {
      const model = Object.keys(localStorage).find((key) => key.startsWith('tally.event.'))!;
      const event = JSON.parse(localStorage.getItem(model)!) as object;
      const member = model.split('.').slice(0, -2).join('.');
      return ages.map((age) => {
        const [id, at] = [crypto.randomUUID(), Date.now() - age];
        const kept = { ...event, id, occurred_at: new Date(at).toISOString(), properties: { note: '' } };
        kept.properties.note = 'n'.repeat(Math.max(0, characters - JSON.stringify(kept).length));
        localStorage.setItem(`${member}.${at}.${id}`, JSON.stringify(kept));
        return id;
      });
    },
    [agesMs, characters] as const,
  );
}
const idsOf = (keys: readonly string[]): string[] => keys.map((key) => key.split('.').at(-1)!);

async function open(visit: Visit, service: TestService): Promise<{ page: Page; person: Person; taken: string[] }> {
  const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/, /503/] });
  const taken = noteTaken(page.context());
  const person = await memberWith(page, service, ['AAPL', 'VOO']);
  await eventsUntil(service, person, ['watchlist_viewed']);
  await nothingWaits(page);
  return { page, person, taken };
}

test(
  'events wait in the browser, within bounds, until the service has them; one tab sends them, once',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const { page: first, person, taken } = await open(visit, service);
    const context = first.context();
    let page = first;
    await test.step('what happened offline outlives its page, and arrives when the network is back', async () => {
      await context.setOffline(true);
      await sortBy(page, 'name');
      await eventually(async () => (await kept(page)).length > 0);
      const address = page.url();
      await page.close();
      await context.setOffline(false);
      page = await context.newPage();
      await page.goto(address);
      await eventsUntil(service, person, ['watchlist_sort_changed']);
      assert.deepEqual(await sorts(service, person), ['name']);
      await nothingWaits(page);
    });
    await test.step('a call that fails leaves its events in the browser, with their ids', async () => {
      let failed = 0;
      await context.route('**/api/analytics/events', (route) => {
        failed += 1;
        return route.fulfill({ status: 503, json: {} });
      });
      await sortBy(page, 'losers');
      await eventually(() => failed > 0);
      await eventually(async () => (await kept(page)).length > 0);
      await context.unroute('**/api/analytics/events');
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await nothingWaits(page);
      assert.deepEqual(await sorts(service, person), ['name', 'losers']);
    });
    await test.step('two tabs send each event once', async () => {
      const other = await context.newPage();
      taken.length = 0;
      await other.goto('/dashboard');
      await card(other).getByRole('combobox', { name: 'Sort' }).waitFor();
      await eventually(() => taken.length > 0);
      await nothingWaits(other);
      taken.length = 0;
      await context.setOffline(true);
      for (const sort of ['gainers', 'name', 'losers']) {
        await sortBy(page, sort);
        await sortBy(other, sort === 'name' ? 'gainers' : 'name');
      }
      const waiting = (await kept(page)).map((key) => key.split('.').at(-1)!);
      await context.setOffline(false);
      await nothingWaits(page);
      assert.deepEqual(taken.toSorted(), [...new Set(taken)].toSorted(), 'none was sent twice');
      assert.ok(waiting.length === 6 && waiting.every((id) => taken.includes(id)));
      await other.close();
    });
    await test.step('nothing is kept or sent while the member’s switch is off, in no tab', async () => {
      const settings = await context.newPage();
      await settings.goto('/settings');
      const toggle = settings.getByRole('switch', { name: 'Share how I use Tally' });
      await toggle.click();
      await settings.getByText('Usage data is no longer shared.').waitFor();
      const before = (await eventsUntil(service, person, [])).length;
      taken.length = 0;
      await sortBy(page, 'gainers');
      assert.deepEqual(await kept(page), []);
      await toggle.click();
      await settings.getByText('Usage data is shared.').waitFor();
      await settings.close();
      await sortBy(page, 'name');
      await nothingWaits(page);
      const events = await eventsUntil(service, person, []);
      assert.deepEqual([events.length, taken.length], [before + 1, 1], 'only what was done with the switch on');
    });
    let asked = 0;
    await page.route('**/api/analytics/events', (route) => {
      asked += 1;
      return route.fulfill({ status: 503, json: {} });
    });
    const wake = async (): Promise<void> => {
      const before = asked;
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await eventually(() => asked > before);
    };
    await sortBy(page, 'losers');
    await eventually(() => asked > 0);
    const [own] = idsOf(await kept(page));
    const waits = async (): Promise<Set<string>> => new Set(idsOf(await kept(page)));
    const forget = () =>
      page.evaluate((own) => {
        for (const key of Object.keys(localStorage))
          if (key.startsWith('tally.event.') && !key.endsWith(own)) localStorage.removeItem(key);
      }, own!);
    const MINUTE = 60_000;
    await test.step('of many that wait the newest 200 stay', async () => {
      const ids = await seedEvents(
        page,
        Array.from({ length: 260 }, (_, index) => (index + 1) * MINUTE),
        0,
      );
      await wake();
      assert.deepEqual(await waits(), new Set([own, ...ids.slice(0, 199)]));
      await forget();
    });
    await test.step('of large ones that wait as many as fit into 128 KiB, the newest', async () => {
      const ids = await seedEvents(
        page,
        Array.from({ length: 40 }, (_, index) => (index + 1) * MINUTE),
        8_000,
      );
      await wake();
      assert.deepEqual(await waits(), new Set([own, ...ids.slice(0, 16)]));
      await forget();
    });
    await test.step('what has waited for more than seven days goes, which the service would not take, and what is younger stays', async () => {
      const [young] = await seedEvents(page, [6.9 * 24 * 60 * MINUTE, 7.1 * 24 * 60 * MINUTE], 0);
      await wake();
      assert.deepEqual(await waits(), new Set([own, young]));
      await page.unroute('**/api/analytics/events');
      await page.evaluate(() => dispatchEvent(new Event('online')));
      await nothingWaits(page);
    });
    await test.step('what still waits when the member signs out is dropped', async () => {
      await context.route('**/api/analytics/events', (route) => route.fulfill({ status: 503, json: {} }));
      await sortBy(page, 'name');
      await eventually(async () => (await kept(page)).length > 0);
      // As another tab says it that signs out.
      await page.evaluate(() => new BroadcastChannel('tally.session').postMessage('signed-out'));
      await nothingWaits(page);
    });
  },
);

test('a browser that asks not to be followed keeps and sends nothing', { tag: '@slow' }, async ({ page, service }) => {
  const taken = noteTaken(page.context());
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
  await memberWith(page, service, ['AAPL', 'VOO']);
  await sortBy(page, 'name');
  await page.waitForTimeout(1_500);
  assert.deepEqual([await kept(page), taken], [[], []]);
});
