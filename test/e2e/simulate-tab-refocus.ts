import type { Page } from '@playwright/test';

/** Has a page read anew what may have changed, as when its tab is looked at again. */
export async function simulateTabRefocus(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}
