import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startAnalyticsReceiver } from '../analytics-receiver.ts';
import { launchOptions } from '../open-browser.ts';
import { startService } from '../service.ts';

interface BrowserOutcome {
  /** Number of events that the browser stored at some time. */
  stored: number;
  kills: number;
  missing: string[];
  /** Number of ids that are stored more than once. */
  duplicated: number;
}

const SORT_OPTIONS = ['My order', 'Top gainers', 'Top losers', 'Name A–Z'];
const getSortSelect = (page: Page) => page.getByRole('combobox', { name: 'Sort watchlist' });

/**
 * Sorts a list in Chromium while the network fails at times, calls fail before and after the service, and tabs crash or
 * close. Then searches for each event that the browser stored, by its id, at a receiver that fails every third call.
 */
export async function runBrowserKills({ rounds, seed }: { rounds: number; seed: number }): Promise<BrowserOutcome> {
  let state = seed >>> 0;
  const nextRandom = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const receiver = await startAnalyticsReceiver({ failureInterval: 3 });
  const service = await startService({ POSTHOG_API_KEY: 'phc_test', POSTHOG_URL: receiver.host });
  const profile = mkdtempSync(join(tmpdir(), 'tally-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(await launchOptions()),
    baseURL: service.url,
  });
  const storedIds = new Set<string>();
  let kills = 0;
  try {
    await recordStoredIds(context, storedIds);
    const { email, password } = service.firstRun.members.find(({ tier }) => tier === 'free')!;
    let page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    for (let round = 0; round < rounds; round += 1) {
      await getSortSelect(page).waitFor();
      // The code that stores events has loaded once the first event is stored.
      while (!(await page.evaluate(() => 'hasStoredOne' in window))) {
        await getSortSelect(page).selectOption({ index: round % SORT_OPTIONS.length });
        await getSortSelect(page).selectOption({ index: (round + 1) % SORT_OPTIONS.length });
        await wait(100);
      }
      await setFault(context, nextRandom());
      for (let change = 0; change < 4; change += 1) {
        await getSortSelect(page).selectOption({ index: (change + round) % SORT_OPTIONS.length });
        await wait(nextRandom() * 500);
      }
      if (nextRandom() < 0.7) {
        kills += 1;
        const session = await context.newCDPSession(page);
        void session.send('Page.crash').catch(() => undefined);
        await page.waitForEvent('crash').catch(() => undefined);
      }
      await page.close({ runBeforeUnload: false });
      await setFault(context, 1);
      page = await context.newPage();
      await page.goto('/dashboard');
    }
    await getSortSelect(page).waitFor();
    await getSortSelect(page).selectOption({ index: 0 });
    await getSortSelect(page).selectOption({ index: 1 });
    const countWaiting = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tally.event.')).length);
    for (let polls = 0; polls < 600 && (await countWaiting()) > 0; polls += 1) await wait(100);
    for (let polls = 0; polls < 1_800 && [...storedIds].some((id) => !receiver.receivedEvents.has(id)); polls += 1)
      await wait(100);
    const twice = await service.database.owner('select from public.analytics_events group by id having count(*) > 1');
    return {
      stored: storedIds.size,
      kills,
      duplicated: twice.length,
      missing: [...storedIds].filter((id) => !receiver.receivedEvents.has(id)),
    };
  } finally {
    await context.close();
    await service.stop();
    receiver.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Records the id of each event that a page writes to the browser's storage. */
async function recordStoredIds(context: BrowserContext, storedIds: Set<string>): Promise<void> {
  await context.exposeBinding('recordStoredId', (_source, id: string) => {
    storedIds.add(id);
  });
  await context.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function note(key: string, value: string) {
      setItem.call(this, key, value);
      if (!key.startsWith('tally.event.')) return;
      Object.assign(window, { hasStoredOne: true });
      (window as unknown as { recordStoredId(id: string): void }).recordStoredId(
        (JSON.parse(value) as { id: string }).id,
      );
    };
  });
}

/** Makes the network fail in one of four ways, or, from 0.8 on, in none. */
async function setFault(context: BrowserContext, which: number): Promise<void> {
  await context.setOffline(which < 0.2);
  await context.unroute('**/api/analytics/events');
  if (which < 0.2 || which >= 0.8) return;
  await context.route('**/api/analytics/events', async (route) => {
    if (which < 0.4) return route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Try again.' } });
    if (which < 0.6) return route.abort();
    // The service receives the events, but the browser gets no response.
    await route.fetch().catch(() => undefined);
    return route.abort();
  });
}
