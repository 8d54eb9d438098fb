import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { useSite } from '../support/browser.ts';
import { API, everyCard, loadCold, shiftsOf, slowDown, visitAs } from './record-shifts.ts';

const site = useSite();

for (const tier of ['free', 'max'] as const) {
  for (const size of ['desktop', 'phone'] as const) {
    for (const order of ['first', 'last'] as const) {
      test(`nothing moves while the dashboard of a ${tier} member loads on ${size}, the watchlist answering ${order}`, async (t) => {
        const page = await visitAs(site, t, tier, size);
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
    const page = await visitAs(site, t, 'free', size);
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
