import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { closeNotice, delayRequest, expectedBrowserErrors } from './faults.ts';
import { shareMember } from './fixtures.ts';
import { waitForAnnouncement, recordAnnouncements } from './announcements.ts';
import { getCard, createMemberWith, replaceWatchlist, getRows, getSearchField, waitForRows } from './watchlist-card.ts';

// The page shows a change at once but announces it after the service has accepted it, since an announcement cannot be
// withdrawn.
const TWO = ['MSFT', 'KO'];
const ADD = { method: 'POST', path: /^\/api\/watchlist$/ } as const;
const REMOVE = { method: 'DELETE', path: /^\/api\/watchlist\// } as const;

const edit = (page: Page) => page.getByRole('dialog', { name: 'Edit watchlist' });

const removals = [
  ['in the search', (page: Page) => getCard(page).getByRole('option', { name: /^KO/ }).click()],
  ['in the editor', (page: Page) => edit(page).getByRole('button', { name: 'Remove The Coca-Cola Company' }).click()],
  [
    'in the panel',
    async (page: Page) => {
      await getRows(page).nth(1).click();
      await page
        .getByRole('dialog', { name: /Coca-Cola/ })
        .getByRole('button', { name: 'Remove' })
        .click();
    },
  ],
] as const;

const test = shareMember((page, service) => createMemberWith(page, service, ['MSFT']), {
  expected: expectedBrowserErrors,
});

test('announces an add only after the service has accepted it', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, ['MSFT']);
  const readAnnouncements = await recordAnnouncements(page);
  await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
  await getSearchField(page).fill('KO');
  const option = getCard(page).getByRole('option', { name: /^KO/ });
  await option.waitFor();
  for (const outcome of ['failed', 'answered'] as const) {
    const delayed = await delayRequest(page, ADD);
    await getSearchField(page).press('Enter');
    await delayed.reached;
    await waitForRows(page, TWO);
    await getCard(page)
      .getByRole('option', { name: /^KO.*watching/ })
      .waitFor();
    assert.deepEqual(
      (await readAnnouncements()).filter((text) => /Coca-Cola Company added/.test(text)),
      [],
      'the change is not announced yet',
    );
    delayed.release(outcome);
    if (outcome === 'answered') break;
    await waitForAnnouncement(page, 'Could not add The Coca-Cola Company.');
    await waitForRows(page, ['MSFT']);
  }
  await waitForAnnouncement(page, 'The Coca-Cola Company added, 2 of 20');
});

for (const [description, remove] of removals)
  test(
    `announces a removal ${description} only after the service has accepted it`,
    { tag: '@slow' },
    async ({ page, service, member }) => {
      await replaceWatchlist(page, service, member, TWO);
      const readAnnouncements = await recordAnnouncements(page);
      if (description === 'in the search') await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
      if (description === 'in the search') await getSearchField(page).fill('KO');
      if (description === 'in the editor') await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
      for (const outcome of ['failed', 'answered'] as const) {
        const delayed = await delayRequest(page, REMOVE);
        await remove(page);
        await delayed.reached;
        await waitForRows(page, ['MSFT']);
        assert.deepEqual(
          (await readAnnouncements()).filter((text) => /Coca-Cola Company removed/.test(text)),
          [],
          'the change is not announced yet',
        );
        delayed.release(outcome);
        if (outcome === 'answered') break;
        await closeNotice(page, 'Could not remove The Coca-Cola Company from your watchlist.');
        await waitForRows(page, TWO);
      }
      await waitForAnnouncement(page, 'The Coca-Cola Company removed');
    },
  );
