import type { Page } from '@playwright/test';

/** Makes a page read data again, as if the member had returned to its tab. */
export async function simulateTabRefocus(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}
