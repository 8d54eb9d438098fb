import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInEachLook, onOneWay } from '../support/browser.ts';
import { findCutTexts } from '../support/cut-texts.ts';

export const panel = (page: Page) => page.getByRole('dialog', { name: 'Assistant' });
export const button = (page: Page, name: string | RegExp) => panel(page).getByRole('button', { name, exact: true });
/** What the panel says by itself. */
export const spoken = (page: Page) => panel(page).getByRole('status').first();

/** Addresses of the panel's links, each once. */
export async function linksOf(page: Page): Promise<string[]> {
  const all = await panel(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
  return [...new Set(all)];
}

/** Axe in both themes and sizes, on the page or a part; nothing cut from the narrowest phone to the widest window. */
export async function looksRight(page: Page, state: string, part?: Locator): Promise<void> {
  await assertAccessibleInEachLook(page, state, onOneWay, part);
  const before = page.viewportSize();
  for (const width of [320, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await findCutTexts(page, []), [], `${state}, ${width} pixels`);
    const wide = await panel(page).evaluate((dialog) => [
      document.documentElement.scrollWidth - innerWidth,
      dialog.scrollWidth - dialog.clientWidth,
    ]);
    assert.ok(
      wide.every((more) => more <= 0),
      `${state} is wider than ${width} pixels: ${wide.join()}`,
    );
  }
  if (before) await page.setViewportSize(before);
}
