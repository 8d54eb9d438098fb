import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { closeNotice, holdCall, noted } from './faults.ts';
import { test } from './fixtures.ts';
import { heard, listen } from './listen.ts';
import { card, memberWith, relist, rows, search, showsRows } from './watchlist-card.ts';

// A change is seen at once, and said when the service has taken it: what has been spoken cannot be taken back.
const TWO = ['MSFT', 'KO'];
const ADD = { method: 'POST', path: /^\/api\/watchlist$/ } as const;
const REMOVE = { method: 'DELETE', path: /^\/api\/watchlist\// } as const;

const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit watchlist' });

const removals = [
  ['in the search', (page: Page) => card(page).getByRole('option', { name: /^KO/ }).click()],
  ['in the editor', (page: Page) => edit(page).getByRole('button', { name: 'Remove The Coca-Cola Company' }).click()],
  [
    'in the panel',
    async (page: Page) => {
      await rows(page).nth(1).click();
      await page
        .getByRole('dialog', { name: /Coca-Cola/ })
        .getByRole('button', { name: 'Remove' })
        .click();
    },
  ],
] as const;

test('a change is said once it is so', { tag: '@slow' }, async ({ service, visit }) => {
  const page = await visit({ expected: noted });
  const person = await memberWith(page, service, ['MSFT']);
  await test.step('an add is said once the service has taken it, and a refused one was never said', async () => {
    const said = await listen(page);
    await card(page).getByRole('button', { name: 'Add tickers' }).click();
    await search(page).fill('KO');
    const option = card(page).getByRole('option', { name: /^KO/ });
    await option.waitFor();
    for (const fate of ['refused', 'answered'] as const) {
      const held = await holdCall(page, ADD);
      await search(page).press('Enter');
      await held.reached;
      await showsRows(page, TWO);
      await card(page)
        .getByRole('option', { name: /^KO.*watching/ })
        .waitFor();
      assert.deepEqual(
        (await said()).filter((text) => /Coca-Cola Company added/.test(text)),
        [],
        'nothing is said of it yet',
      );
      held.letGo(fate);
      if (fate === 'answered') break;
      await heard(page, 'The Coca-Cola Company was not added.');
      await showsRows(page, ['MSFT']);
    }
    await heard(page, 'The Coca-Cola Company added, 2 of 20');
  });
  for (const [place, remove] of removals)
    await test.step(`a removal ${place} is said once the service has taken it, and a refused one was never said`, async () => {
      await relist(page, service, person, TWO);
      const said = await listen(page);
      if (place === 'in the search') await card(page).getByRole('button', { name: 'Add tickers' }).click();
      if (place === 'in the search') await search(page).fill('KO');
      if (place === 'in the editor') await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
      for (const fate of ['refused', 'answered'] as const) {
        const held = await holdCall(page, REMOVE);
        await remove(page);
        await held.reached;
        await showsRows(page, ['MSFT']);
        assert.deepEqual(
          (await said()).filter((text) => /Coca-Cola Company removed/.test(text)),
          [],
          'nothing is said of it yet',
        );
        held.letGo(fate);
        if (fate === 'answered') break;
        await closeNotice(page, 'The Coca-Cola Company was not removed.');
        await showsRows(page, TWO);
      }
      await heard(page, 'The Coca-Cola Company removed');
    });
});
