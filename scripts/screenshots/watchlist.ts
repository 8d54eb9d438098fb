import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Look, states, tourWatchlist, type WatchlistState } from '../../test/e2e/watchlist-tour.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { pictureContext } from './picture-context.ts';

/** Every state of the watchlist, into `folder`, named by state, size and theme: `watchlist-list-phone-dark.png`. */
export async function pictureWatchlist(
  browser: Browser,
  service: TestService,
  folder: string,
  wanted: (state: WatchlistState) => boolean,
): Promise<void> {
  if (!states.some(wanted)) return;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const context = await pictureContext(browser, {
        baseURL: service.url,
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        hasTouch: size === 'phone',
      });
      const page = await context.newPage();
      const look: Look = async (state, shown) => {
        if (!wanted(state)) return;
        await page.evaluate(() => document.fonts.ready);
        // A card is shown whole, whatever the window's height; what lies over the page is shown as it is met.
        const path = join(folder, `watchlist-${state}-${size}-${theme}.png`);
        const isCard = shown !== null && (await shown.evaluate((part) => part.tagName !== 'DIALOG'));
        if (isCard) {
          await page.setViewportSize({
            width: viewport.width,
            height: await page.evaluate(() => document.documentElement.scrollHeight),
          });
          await shown.screenshot({ path });
          await page.setViewportSize(viewport);
        } else await (shown ?? page).screenshot({ path });
      };
      await tourWatchlist(page, service, look);
      await context.close();
    }
  }
}
