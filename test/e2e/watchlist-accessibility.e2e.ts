import assert from 'node:assert/strict';
import { assertAccessible, inEachLook, walks } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { expectedOnTour, states, tourWatchlist } from './watchlist-tour.ts';

for (const walk of walks) {
  test(
    `axe-core finds nothing in any state, none is cut: from ${walk.theme}, ${walk.size}`,
    { tag: '@slow' },
    async ({ service, visit }) => {
      const page = await visit({ ...walk, expected: expectedOnTour });
      const seen: string[] = [];
      await tourWatchlist(page, service, async (state, shown) => {
        seen.push(state);
        await inEachLook(page, walk, async (look) => {
          // What surrounds the card has its own tests; looked at whole in each state, the page took most of the time.
          await assertAccessible(page, `${state} (${look})`, shown);
          const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.ok(content <= screen, `${state} is ${content} pixels wide on a screen of ${screen}`);
        });
      });
      assert.deepEqual(seen, [...states], 'every state has been looked at');
    },
  );
}
