import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessible } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { shareMember } from './fixtures.ts';
import type { Person } from './people.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  getRows,
  getSearchField,
  waitForRows,
  getCatalogSymbols,
} from './watchlist-card.ts';

// On a list beyond its plan an undo would be rejected as an add. The page therefore asks before such a removal.
const test = shareMember((page, service) => createMemberWith(page, service, []));
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });
const getRemovalDialog = (page: Page): Locator => dialog(page, 'Remove Apple from your watchlist?');

/** Creates a member with Apple and so many others that the Free plan holds one fewer. */
async function createMemberOverLimit(page: Page, service: TestService, person: Person): Promise<string[]> {
  const others = (await getCatalogSymbols(service, 30)).filter((symbol) => symbol !== 'AAPL').slice(0, 20);
  await replaceWatchlist(page, service, person, ['AAPL', ...others], ['AAPL', ...others.slice(0, 19)]);
  return others;
}

const hasFocus = (part: Locator): Promise<boolean> => part.evaluate((element) => element === document.activeElement);

test('asks in the editor before a final removal', { tag: '@slow' }, async ({ page, service, member }) => {
  const others = await createMemberOverLimit(page, service, member);
  await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
  const edit = dialog(page, 'Edit watchlist');
  await edit.getByRole('button', { name: 'Remove Apple' }).click();
  await getRemovalDialog(page)
    .getByText('This cannot be undone. Your plan includes 20 tickers and you have 21 saved')
    .waitFor();
  await assertAccessible(page, 'asked before a removal', getRemovalDialog(page));
  assert.equal(
    await hasFocus(getRemovalDialog(page).getByRole('button', { name: 'Cancel' })),
    true,
    'the safe answer has the focus',
  );
  await page.keyboard.press('Escape');
  await getRemovalDialog(page).waitFor({ state: 'detached' });
  assert.equal(
    await hasFocus(edit.getByRole('button', { name: 'Remove Apple' })),
    true,
    'the focus is back in the editor',
  );
  await waitForSavedOrder(service, member, ['AAPL', ...others]);
});

test('offers an Undo in the editor only where there is room', { tag: '@slow' }, async ({ page, service, member }) => {
  const others = await createMemberOverLimit(page, service, member);
  await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
  const edit = dialog(page, 'Edit watchlist');
  await edit.getByRole('button', { name: 'Remove Apple' }).press('Enter');
  await getRemovalDialog(page).getByRole('button', { name: 'Remove' }).click();
  await waitForSavedOrder(service, member, others);
  await edit.getByText('Apple removed.', { exact: true }).waitFor();
  assert.equal(
    await edit.getByRole('button', { name: 'Undo' }).count(),
    0,
    'no action is offered that would be rejected',
  );
  await page.waitForFunction((symbol) => document.activeElement?.getAttribute('data-handle') === symbol, others[0]!);
  await edit
    .locator('li', { has: page.locator(`[data-handle="${others[1]!}"]`) })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await waitForSavedOrder(
    service,
    member,
    others.filter((symbol) => symbol !== others[1]),
  );
  await edit.getByRole('button', { name: 'Undo' }).click();
  await waitForSavedOrder(service, member, others);
});

test(
  'asks in the search and announces a final removal without an Undo',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const others = await createMemberOverLimit(page, service, member);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill('AAPL');
    await getCard(page)
      .getByRole('option', { name: /^AAPL.*watching/ })
      .waitFor();
    await getSearchField(page).press('Enter');
    await getRemovalDialog(page).getByRole('button', { name: 'Cancel' }).click();
    await getRemovalDialog(page).waitFor({ state: 'detached' });
    assert.equal(await hasFocus(getSearchField(page)), true);
    await waitForSavedOrder(service, member, ['AAPL', ...others]);
    await getSearchField(page).press('Enter');
    await getRemovalDialog(page).getByRole('button', { name: 'Remove' }).click();
    const notice = page.getByRole('status').locator('div', { hasText: 'Apple removed from your watchlist.' }).last();
    await notice.waitFor();
    assert.equal(await notice.getByRole('button', { name: 'Undo' }).count(), 0);
    await waitForSavedOrder(service, member, others);
  },
);

test(
  'asks in the panel and keeps the panel open until the answer',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    const others = await createMemberOverLimit(page, service, member);
    await getRows(page).first().click();
    const panel = dialog(page, 'Apple Inc.');
    await panel.getByRole('button', { name: 'Remove' }).click();
    await getRemovalDialog(page).waitFor();
    await page.keyboard.press('Escape');
    await getRemovalDialog(page).waitFor({ state: 'detached' });
    await panel.getByText('52-week range').waitFor();
    await panel.getByRole('button', { name: 'Remove' }).click();
    await getRemovalDialog(page).getByRole('button', { name: 'Remove' }).click();
    await panel.waitFor({ state: 'detached' });
    await waitForSavedOrder(service, member, others);
    await waitForRows(page, others);
  },
);
