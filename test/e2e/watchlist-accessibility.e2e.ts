import assert from 'node:assert/strict';
import { assertAccessible, forEachVariant, a11yScenarios } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { expectedOnTour, states, tourWatchlist } from './watchlist-tour.ts';

for (const scenario of a11yScenarios) {
  test(
    `passes axe-core unclipped in every state from ${scenario.theme}, ${scenario.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit({ ...scenario, expected: expectedOnTour });
      const seen: string[] = [];
      await tourWatchlist(page, service, async (state, shown) => {
        seen.push(state);
        await forEachVariant(page, scenario, async (variantName) => {
          // Other tests cover the surroundings of the card. Checking the whole page in each state took most of the
          // time.
          await assertAccessible(page, `${state} (${variantName})`, shown);
          const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(content <= screen, `${state} is ${content} pixels wide on a screen of ${screen}`);
        });
      });
      assert.deepEqual(seen, [...states], 'every state has been looked at');
    },
  );
}
