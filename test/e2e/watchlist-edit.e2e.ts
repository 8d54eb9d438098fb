import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { shareMember } from './fixtures.ts';
import {
  getCard,
  waitForSavedOrder,
  createMemberWith,
  replaceWatchlist,
  waitForRows,
  getCatalogSymbols,
  addToWatchlist,
} from './watchlist-card.ts';

const FOUR = ['AAPL', 'MSFT', 'NVDA', 'VOO'];
const test = shareMember((page, service) => createMemberWith(page, service, FOUR));
const phoneTest = shareMember((page, service) => createMemberWith(page, service, FOUR), { size: 'phone' });
/** Matches the address that moves one row. */
const isRow = /\/api\/watchlist\/[0-9a-f-]{36}$/;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Edit watchlist' });
const handle = (page: Page, name: string) => dialog(page).getByRole('button', { name: new RegExp(`^Reorder ${name}`) });

async function openEdit(page: Page): Promise<void> {
  await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
  await dialog(page).waitFor();
}

/** Returns the names of the controls that receive the focus while `act` runs, in order. */
async function getFocusAfter(page: Page, act: () => Promise<void>): Promise<string[]> {
  const names = await page.evaluateHandle(() => {
    const names: string[] = [];
    addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLButtonElement) names.push(target.ariaLabel ?? target.innerText);
    });
    return names;
  });
  await act();
  await page.waitForFunction(() => document.activeElement?.hasAttribute('data-handle'));
  return names.jsonValue();
}

test('moves a row by keyboard and announces names and positions without ids', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await openEdit(page);
  await handle(page, 'Apple').focus();
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Apple picked up, position 1 of 4.').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await dialog(page).getByText('Apple, position 3 of 4').waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).getByText('Apple moved to position 3 of 4').waitFor();
  await waitForSavedOrder(service, member, ['MSFT', 'NVDA', 'AAPL', 'VOO']);
  assert.equal(
    await handle(page, 'Apple').evaluate((button) => button === document.activeElement),
    true,
    'the focus goes with the row',
  );
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('Escape');
  await dialog(page).getByText('Canceled, Apple is back at position 3 of 4').waitFor();
  await dialog(page).waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await waitForSavedOrder(service, member, ['MSFT', 'AAPL', 'NVDA', 'VOO']);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await waitForRows(page, ['MSFT', 'AAPL', 'NVDA', 'VOO']);
});

test('moves a row by dragging its handle on desktop', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await openEdit(page);
  await dragToTop(page);
  await waitForSavedOrder(service, member, ['VOO', 'AAPL', 'MSFT', 'NVDA']);
});

test('restores a removed row to its place', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await openEdit(page);
  await dialog(page).getByRole('button', { name: 'Remove Microsoft' }).click();
  await waitForSavedOrder(service, member, ['AAPL', 'NVDA', 'VOO']);
  assert.equal(
    await handle(page, 'NVIDIA').evaluate((button) => button === document.activeElement),
    true,
    'the focus stays in the list',
  );
  await dialog(page).getByRole('button', { name: 'Undo' }).press('Enter');
  await waitForSavedOrder(service, member, FOUR);
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-handle') === 'MSFT');
});

test('undoes several removals in turn, the last one first', { tag: '@slow' }, async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await openEdit(page);
  await dialog(page).getByRole('button', { name: 'Remove Apple' }).click();
  await dialog(page).getByRole('button', { name: 'Remove NVIDIA' }).click();
  await waitForSavedOrder(service, member, ['MSFT', 'VOO']);
  await dialog(page).getByText('NVIDIA removed. Undo').waitFor();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await dialog(page).getByText('NVIDIA is back at position 2').waitFor({ state: 'attached' });
  await dialog(page).getByText('Apple removed. Undo').waitFor();
  await waitForSavedOrder(service, member, ['MSFT', 'NVDA', 'VOO']);
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await dialog(page).getByText('Apple is back at position 1').waitFor({ state: 'attached' });
  await waitForSavedOrder(service, member, FOUR);
  await dialog(page).getByText('4 of 20', { exact: true }).last().waitFor();
  assert.equal(await dialog(page).getByRole('button', { name: 'Undo' }).count(), 0);
});

test(
  'explains under another sort that the editor changes My order',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['VOO', 'AAPL', 'MSFT']);
    await openEdit(page);
    await handle(page, 'Vanguard').waitFor();
    assert.equal(await dialog(page).getByText('You are editing').count(), 0);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await getCard(page).getByRole('combobox', { name: 'Sort' }).selectOption('Name A-Z');
    await openEdit(page);
    await dialog(page).getByText('You are editing “My order”. The card is sorted by Name A-Z.').waitFor();
    await handle(page, 'Vanguard').press('Alt+ArrowDown');
    await waitForSavedOrder(service, member, ['AAPL', 'VOO', 'MSFT']);
  },
);

test(
  'sends quick moves of a row as one or two requests, the last one wins',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, FOUR);
    let sent = 0;
    const moved = Promise.withResolvers<void>();
    await page.route(isRow, async (route) => {
      sent += 1;
      await moved.promise;
      await route.continue();
    });
    await openEdit(page);
    await handle(page, 'Apple').focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowUp');
    await handle(page, 'Apple, position 3 of 4').waitFor();
    moved.resolve();
    await waitForSavedOrder(service, member, ['MSFT', 'NVDA', 'AAPL', 'VOO']);
    assert.ok(sent <= 2, `${sent} requests for four moves`);
  },
);

test(
  'applies a move as intended when another tab has changed the list',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, FOUR);
    await openEdit(page);
    await handle(page, 'Apple').waitFor();
    await addToWatchlist(service, member, ['KO']);
    await handle(page, 'Apple').press('Alt+ArrowDown');
    await waitForSavedOrder(service, member, ['MSFT', 'AAPL', 'NVDA', 'VOO', 'KO']);
  },
);

test(
  'keeps the focus in the editor when the last row disappears',
  { tag: '@slow' },
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, ['AAPL']);
    await openEdit(page);
    await dialog(page).getByRole('button', { name: 'Remove Apple' }).press('Enter');
    await waitForSavedOrder(service, member, []);
    await dialog(page).getByText('Your watchlist is empty.').waitFor();
    assert.equal(await dialog(page).evaluate((part) => part.contains(document.activeElement)), true);
  },
);

test('shows locked rows under a notice after a downgrade and unlocks the first N', async ({
  page,
  service,
  member,
}) => {
  const many = await getCatalogSymbols(service, 23);
  await replaceWatchlist(page, service, member, many, many.slice(0, 20));
  await getCard(page).getByText('3 more saved tickers are locked').waitFor();
  const locked = getCard(page).getByRole('list', { name: 'Locked tickers' });
  assert.deepEqual(
    (await locked.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0] && text.includes('Locked')),
    [true, true, true],
  );
  assert.doesNotMatch(await locked.innerText(), /\$|%/, 'a locked row shows no market data');
  assert.match(
    (await getCard(page).getByRole('link', { name: 'Upgrade' }).getAttribute('href')) ?? '',
    /entry=watchlist_locked$/,
  );
  await getCard(page).getByRole('button', { name: 'Choose which 20' }).click();
  await dialog(page).getByText('Active above this line (20)').waitFor();
  const last = dialog(page).locator(`[data-handle="${many[22]!}"]`);
  await last.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByText(/moved to position 1 of 23, now active/)
    .waitFor();
  await waitForSavedOrder(service, member, [many[22]!, ...many.slice(0, 22)]);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await waitForRows(page, [many[22]!, ...many.slice(0, 19)]);
  await page.waitForFunction(
    (symbol) => /\$|£|€/.test(document.querySelector(`a[aria-label^="${symbol},"]`)?.getAttribute('aria-label') ?? ''),
    many[22]!,
  );
});

/** Drags the last row by its handle to the top. */
async function dragToTop(page: Page): Promise<void> {
  const box = (await handle(page, 'Vanguard').boundingBox())!;
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 60, { steps: 4 });
  await page.mouse.move(x, y - 3 * 52, { steps: 4 });
  await page.mouse.up();
}

phoneTest('moves a row by dragging its handle on phone', async ({ page, service, member }) => {
  await replaceWatchlist(page, service, member, FOUR);
  await openEdit(page);
  await dragToTop(page);
  await waitForSavedOrder(service, member, ['VOO', 'AAPL', 'MSFT', 'NVDA']);
});

phoneTest(
  'moves a row without dragging up, down, to either end and to a position',
  async ({ page, service, member }) => {
    await replaceWatchlist(page, service, member, FOUR);
    await openEdit(page);
    const move = async (name: string, how: string): Promise<void> => {
      await dialog(page)
        .getByRole('button', { name: new RegExp(`^Move ${name}`) })
        .tap();
      await dialog(page)
        .getByRole('group', { name: new RegExp(`^Move ${name}`) })
        .getByRole('button', { name: how })
        .tap();
    };
    const focused = await getFocusAfter(page, () => move('Apple', 'Move down'));
    assert.deepEqual(
      focused,
      ['Move Apple', 'Move down', 'Reorder Apple, position 2 of 4'],
      'from the menu straight to the handle of the row, without the button that opened the menu',
    );
    await waitForSavedOrder(service, member, ['MSFT', 'AAPL', 'NVDA', 'VOO']);
    await move('NVIDIA', 'Move up');
    await waitForSavedOrder(service, member, ['MSFT', 'NVDA', 'AAPL', 'VOO']);
    await move('Vanguard', 'Move to top');
    await waitForSavedOrder(service, member, ['VOO', 'MSFT', 'NVDA', 'AAPL']);
    await move('Vanguard', 'Move to bottom');
    await waitForSavedOrder(service, member, ['MSFT', 'NVDA', 'AAPL', 'VOO']);
    await dialog(page)
      .getByRole('button', { name: /^Move Microsoft/ })
      .tap();
    await dialog(page).getByLabel('To position').fill('3');
    await dialog(page).getByRole('button', { name: 'Move', exact: true }).tap();
    await waitForSavedOrder(service, member, ['NVDA', 'AAPL', 'MSFT', 'VOO']);
    await dialog(page)
      .getByRole('button', { name: /^Move NVIDIA/ })
      .tap();
    assert.equal(
      await dialog(page).getByRole('button', { name: 'Move up' }).isDisabled(),
      true,
      'nothing above the first',
    );
  },
);
