import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAccessible, looks, useSite } from '../support/browser.ts';
import { expectedOnTour, states, tours } from './watchlist-tour.ts';

const site = useSite();

for (const { theme, size } of looks) {
  for (const [half, tour] of Object.entries(tours)) {
    test(`axe-core finds nothing in any state and nothing is cut off, ${half}: ${theme}, ${size}`, async (t) => {
      const page = await site.visit(t, { theme, size, expected: expectedOnTour });
      const seen: string[] = [];
      await tour(page, site.service, async (state, shown) => {
        seen.push(state);
        // What surrounds the card has its own tests; looked at whole in each state, the page took most of the time.
        await assertAccessible(page, `${state} (${theme}, ${size})`, shown);
        const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        assert.ok(content <= screen, `${state} is ${content} pixels wide on a screen of ${screen}`);
      });
      const first = states.indexOf('panel');
      assert.deepEqual(
        seen,
        half === 'beginning' ? states.slice(0, first) : states.slice(first),
        'every state has been looked at',
      );
    });
  }
}
