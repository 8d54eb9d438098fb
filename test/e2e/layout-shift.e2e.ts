import assert from 'node:assert/strict';
import { sizes } from '../support/browser.ts';
import { insertTickers } from '../support/many-tickers.ts';
import { test } from './fixtures.ts';
import { loadWithoutCache, recordShifts, getLayoutShifts } from './record-shifts.ts';
import { createMemberWith, getRows, setTier, waitForRows, addToWatchlist } from './watchlist-card.ts';

test('shifts nothing while 250 rows load and scroll', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ size: 'phone' });
  const person = await createMemberWith(page, service, []);
  await setTier(service, person, 'max');
  const expected = await insertTickers(service.database, 250);
  await addToWatchlist(service, person, expected);
  await recordShifts(page);
  for (const size of ['phone', 'desktop'] as const)
    await test.step(`shifts nothing on a ${size}`, async () => {
      await page.setViewportSize(sizes[size]);
      await loadWithoutCache(page);
      await waitForRows(page, expected);
      await getRows(page).last().scrollIntoViewIfNeeded();
      await page.waitForFunction(
        () =>
          [...document.querySelectorAll('[aria-label="Watched tickers"] a')].at(-1)!.getBoundingClientRect().bottom <=
          innerHeight,
      );
      assert.deepEqual(await getLayoutShifts(page), []);
    });
});
