import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useSite } from '../support/browser.ts';
import { manyTickers } from '../support/many-tickers.ts';
import { API, everyCard, loadCold, recordShifts, shiftsOf, slowDown, visitFor } from './record-shifts.ts';
import { memberWith, rows, setTier, showsRows, watch } from './watchlist-card.ts';

const site = useSite();

test('nothing moves where the watchlist stands first and answers last', async (t) => {
  const page = await visitFor(site, t, 'pro', 'desktop');
  await page.goto('/dashboard');
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
}
