import assert from 'node:assert/strict';
import { sizes } from '../support/browser.ts';
import { insertTickers } from '../support/many-tickers.ts';
import { test } from './fixtures.ts';
import {
  delayResponses,
  loadWithoutCache,
  OTHER_API_PATHS,
  recordShifts,
  registerRecorded,
  getLayoutShifts,
} from './record-shifts.ts';
import { createMemberWith, getRows, setTier, waitForRows, addToWatchlist, WATCHLIST_URL } from './watchlist-card.ts';

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

/** Reads of the pages besides those of Home. The last responds last. */
const PAGE_READS = [
  ...OTHER_API_PATHS,
  WATCHLIST_URL,
  '**/api/connections*',
  '**/api/plans',
  '**/api/billing*',
  '**/api/referrals/*',
  '**/api/assistant*',
  '**/api/keys*',
  '**/api/securities/*',
];

for (const size of ['phone', 'desktop'] as const)
  test(`shifts nothing while a member’s pages load on a ${size}`, { tag: '@slow' }, async ({ service, visit }) => {
    const page = await visit({ size });
    await registerRecorded(page, service, 'pro');
    const shifts: string[] = [];
    for (const reads of [PAGE_READS, PAGE_READS.toReversed()]) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await delayResponses(page, reads, 60);
      for (const path of [
        '/portfolio',
        '/watchlist',
        '/assistant',
        '/portfolio?symbol=AAPL',
        '/plans',
        '/settings',
        '/settings/security',
        '/settings/connections',
        '/settings/billing',
        '/settings/invite',
        '/settings/api-keys',
        '/settings/assistant',
        '/developers',
        '/developers/playground',
        '/privacy',
      ]) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForLoadState('networkidle');
        await page.waitForFunction(() => document.querySelector('main .skeleton, dialog .skeleton') === null);
        await page.evaluate(() => document.fonts.ready);
        shifts.push(...(await getLayoutShifts(page)).map((shift) => `${path}: ${shift}`));
      }
    }
    assert.deepEqual(shifts, []);
  });
