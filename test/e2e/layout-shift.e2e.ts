import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { type Size, useSite } from '../support/browser.ts';
import { manyTickers } from '../support/many-tickers.ts';
import { openSampleDashboard } from './sample-member.ts';
import { card, LIST, memberWith, rows, search, setTier, showsRows, watch } from './watchlist-card.ts';

const site = useSite();

/** What the browser reports of elements that have moved by themselves. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

interface Recorder {
  recorder: PerformanceObserver;
  shifts: string[];
}

/** From the next document on, notes each shift with what has moved; those that follow an input within half a second are meant. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    const note = (entries: PerformanceEntryList): void => {
      for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
        if (hadRecentInput) continue;
        const box = ({ x, y, width, height }: DOMRectReadOnly): string => `${x},${y} ${width}×${height}`;
        shifts.push(
          ...sources.map(
            ({ node, previousRect: from, currentRect: to }) =>
              `${value.toFixed(4)} ${(node as Element | null)?.className ?? node?.nodeName}: ${box(from)} → ${box(to)}`,
          ),
        );
      }
    };
    const recorder = new PerformanceObserver((list) => note(list.getEntries()));
    recorder.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { recorder, shifts, note });
  });
}

/** What has moved so far, once the screen has been drawn again. */
async function shiftsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    const { recorder, shifts, note } = window as unknown as Recorder & {
      note: (entries: PerformanceEntryList) => void;
    };
    note(recorder.takeRecords());
    return shifts;
  });
}

/** Answers arrive one after the other, as on a slow line: what moves when one is late shows. The last of the list is the slowest. */
async function slowDown(page: Page, paths: readonly (string | RegExp)[], step: number): Promise<void> {
  for (const [index, path] of paths.entries()) {
    await page.route(path, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, (index + 1) * step));
      await route.continue();
    });
  }
}

/** Loads the dashboard as a browser that has nothing in its cache. */
async function loadCold(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto('/dashboard');
}

async function everyCard(page: Page): Promise<void> {
  for (const name of ['Holdings', 'Upcoming earnings', 'Latest news', 'Watched tickers'])
    await page.getByRole('list', { name }).waitFor();
  await page.getByRole('slider', { name: 'Net worth over time' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

const API = ['**/api/dashboard', '**/api/investments/**', '**/api/dashboard/**', '**/api/watchlist/earnings', LIST];

async function visitAs(t: TestContext, tier: 'free' | 'pro' | 'max', size: Size): Promise<Page> {
  const page = await site.visit(t, { size });
  await openSampleDashboard(page, site.service, tier);
  await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
  await recordShifts(page);
  return page;
}

for (const tier of ['free', 'max'] as const) {
  for (const size of ['desktop', 'phone'] as const) {
    for (const order of ['first', 'last'] as const) {
      test(`nothing moves while the dashboard of a ${tier} member loads on ${size}, the watchlist answering ${order}`, async (t) => {
        const page = await visitAs(t, tier, size);
        await slowDown(page, order === 'last' ? API : API.toReversed(), 120);
        await loadCold(page);
        await everyCard(page);
        assert.deepEqual(await shiftsOf(page), []);
      });
    }
  }
}

/** Where the page's title and the first cards stand, in pixels from the window's top left corner; what is below the window may move. */
const places = (page: Page, title: string): Promise<string[]> =>
  page.evaluate((title) => {
    const cards = [...document.querySelectorAll('[aria-label="Cards"] > li')];
    const { x, y } = document.querySelector(title)!.getBoundingClientRect();
    const boxes = cards.map((card) => card.getBoundingClientRect()).filter(({ top }) => top < innerHeight);
    return [`${x},${y}`, ...boxes.map(({ x, y, width }) => `${x},${y} ${width}`)];
  }, title);

for (const size of ['desktop', 'phone'] as const) {
  test(`before any script the dashboard's title and cards stand where they will be, on ${size}`, async (t) => {
    const page = await visitAs(t, 'free', size);
    const scripts = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto('/dashboard', { waitUntil: 'commit' });
    await page.locator('#app [inert]').getByText('Dashboard', { exact: true }).waitFor();
    const before = await places(page, '#app [inert] p');
    assert.ok(before.length >= 3, before.join());
    scripts.resolve();
    await everyCard(page);
    assert.deepEqual(await places(page, 'h1'), before);
    assert.deepEqual(await shiftsOf(page), []);
  });
}

test('nothing moves where the watchlist stands first and answers last', async (t) => {
  const page = await visitAs(t, 'pro', 'desktop');
  await page.getByRole('button', { name: 'Arrange' }).click();
  for (let step = 0; step < 4; step += 1) {
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
    );
    await page.getByRole('button', { name: 'Move Watchlist earlier' }).click();
    await saved;
  }
  await slowDown(page, API, 120);
  await loadCold(page);
  await everyCard(page);
  assert.equal(
    await page.getByRole('list', { name: 'Cards' }).locator('> li').first().getAttribute('id'),
    'card-watchlist',
  );
  assert.deepEqual(await shiftsOf(page), []);
});

for (const size of ['desktop', 'phone'] as const) {
  test(`nothing moves while 250 rows load and are scrolled through on ${size}`, async (t) => {
    const page = await site.visit(t, { size });
    const person = await memberWith(page, site.service, []);
    await setTier(site.service, person, 'max');
    const wanted = await manyTickers(site.service.database, 250);
    await watch(site.service, person, wanted);
    await recordShifts(page);
    await loadCold(page);
    await showsRows(page, wanted);
    await rows(page).last().scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('[aria-label="Watched tickers"] a')].at(-1)!.getBoundingClientRect().bottom <=
        innerHeight,
    );
    assert.deepEqual(await shiftsOf(page), []);
  });

  test(`nothing moves after a part of the watchlist was opened, however late its code and answers are, on ${size}`, async (t) => {
    const page = await visitAs(t, 'free', size);
    await loadCold(page);
    await everyCard(page);
    // Later than the half second in which a shift counts as meant.
    await slowDown(page, ['**/assets/*.js', '**/api/investments/search*', '**/api/watchlist/ticker/*'], 700);
    await card(page).getByRole('button', { name: 'Add tickers' }).press('Enter');
    await search(page).waitFor();
    await card(page).getByRole('option').first().waitFor();
    assert.deepEqual(await shiftsOf(page), [], 'the search');
    await card(page).getByRole('button', { name: 'Done' }).press('Enter');
    await search(page).waitFor({ state: 'detached' });
    await card(page).getByRole('button', { name: 'Edit watchlist' }).press('Enter');
    await page.getByRole('dialog', { name: 'Edit watchlist' }).getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.deepEqual(await shiftsOf(page), [], 'the edit dialog');
    await rows(page).first().press('Enter');
    await page.getByRole('dialog').getByText('Previous close').waitFor();
    assert.deepEqual(await shiftsOf(page), [], 'the detail panel');
  });
}
