import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openSampleDashboard } from '../../test/e2e/sample-member.ts';
import { card, relist, rows, showsRows } from '../../test/e2e/watchlist-card.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { pictureContext } from './picture-context.ts';

/** In CSS pixels, as in `test/e2e/widths.e2e.ts`, which compares boxes at each. */
const WIDTHS = [320, 360, 390, 640, 768, 1024, 1280, 1920];
/** Of each kind, with the longest symbols: a stock, a fund, bonds, other currencies. */
const WATCHED = ['AAPL', 'VTIAX', '91282CLW9', 'BRK.B', 'TEVA.TA', 'NPN.JO', 'VOO', '912810SP4'];
const PANELS = { stock: 'AAPL', fund: 'VTIAX', bond: '91282CLW9' } as const;

/**
 * The list at eight widths, `list-width-320-light.png`, and the panel of each kind, `panel-bond-phone-dark.png`, into
 * `folder`.
 */
export async function pictureWidths(browser: Browser, service: TestService, folder: string): Promise<void> {
  const context = await pictureContext(browser, {
    baseURL: service.url,
    viewport: sizes.desktop,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const person = await openSampleDashboard(page, service, 'max');
  await relist(page, service, person, WATCHED);
  await showsRows(page, WATCHED);
  await page.waitForFunction(() => document.querySelector('main .skeleton') === null);
  await page.evaluate(() => document.fonts.ready);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    // The panel that was closed has given its row the focus back.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    for (const width of WIDTHS) {
      // So high that every row is drawn.
      await page.setViewportSize({ width, height: 3200 });
      await card(page).screenshot({ path: join(folder, `list-width-${width}-${colorScheme}.png`) });
    }
    for (const [kind, symbol] of Object.entries(PANELS)) {
      await rows(page).getByText(symbol, { exact: true }).click();
      const panel = page.locator('dialog[open]');
      await panel.getByRole('button', { name: 'Remove' }).waitFor();
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport);
        await panel.screenshot({ path: join(folder, `panel-${kind}-${size}-${colorScheme}.png`) });
      }
      await page.setViewportSize({ width: 1280, height: 3200 });
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
    }
  }
  await context.close();
}
