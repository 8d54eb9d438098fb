import type { Locator, Page } from '@playwright/test';

/** Returns the holdings of a page: a table where the card is wide, otherwise a list. */
export const getHoldings = (page: Page): Locator =>
  page.getByRole('table', { name: 'Holdings' }).or(page.getByRole('list', { name: 'Holdings', exact: true }));

/** Returns the rows of the holdings, without headings. */
export const getHoldingRows = (page: Page): Locator =>
  getHoldings(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
    .or(page.getByRole('list', { name: 'Holdings', exact: true }).getByRole('listitem'));
