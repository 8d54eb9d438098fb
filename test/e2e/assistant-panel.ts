import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants, allVariants } from '../support/browser.ts';
import { findClippedTexts } from '../support/clipped-texts.ts';

export const getPanel = (page: Page) => page.getByRole('dialog', { name: 'Assistant' });
export const getButton = (page: Page, name: string | RegExp) =>
  getPanel(page).getByRole('button', { name, exact: true });
/** Returns the status line in which the panel announces changes. */
export const getAnnouncement = (page: Page) => getPanel(page).getByRole('status').first();

/** Returns the addresses of the panel's links, each once. */
export async function listLinks(page: Page): Promise<string[]> {
  const all = await getPanel(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  return [...new Set(all)];
}

/** Runs axe-core in both themes and sizes, on the page or a part of it, and finds clipped texts at all widths. */
export async function assertLayout(page: Page, state: string, part?: Locator): Promise<void> {
  await assertAccessibleInAllVariants(page, state, allVariants, part);
  const before = page.viewportSize();
  for (const width of [320, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await findClippedTexts(page, []), [], `${state}, ${width} pixels`);
    const isWide = await getPanel(page).evaluate((dialog) => [
      document.documentElement.scrollWidth - innerWidth,
      dialog.scrollWidth - dialog.clientWidth,
    ]);
    assert.ok(
      isWide.every((extra) => extra <= 0),
      `${state} is wider than ${width} pixels: ${isWide.join()}`,
    );
  }
  if (before) await page.setViewportSize(before);
}
