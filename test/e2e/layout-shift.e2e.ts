import assert from 'node:assert/strict';
import { sizes } from '../support/browser.ts';
import { manyTickers } from '../support/many-tickers.ts';
import { test } from './fixtures.ts';
import { loadCold, recordShifts, shiftsOf } from './record-shifts.ts';
import { memberWith, rows, setTier, showsRows, watch } from './watchlist-card.ts';

test(
  'nothing moves while 250 rows load and are scrolled through, on a desktop and on a phone',
  { tag: '@slow' },
  async ({ service, visit }) => {
    const page = await visit({ size: 'phone' });
    const person = await memberWith(page, service, []);
    await setTier(service, person, 'max');
    const wanted = await manyTickers(service.database, 250);
    await watch(service, person, wanted);
    await recordShifts(page);
    for (const size of ['phone', 'desktop'] as const)
      await test.step(`on a ${size}`, async () => {
        await page.setViewportSize(sizes[size]);
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
  },
);
