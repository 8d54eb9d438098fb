import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { entryStates, tourEntryPage } from '../../test/e2e/demo-entry-tour.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { pictureContext } from './picture-context.ts';

/** Every state of the entry page, into `folder`, named by state, size and theme: `demo-entry-ready-phone-dark.png`. */
export async function pictureEntryPage(
  browser: Browser,
  service: TestService,
  folder: string,
  wanted: (state: string) => boolean,
): Promise<void> {
  if (!entryStates.some(wanted)) return;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const look = { viewport, colorScheme: theme, reducedMotion: 'reduce' } as const;
      const context = await pictureContext(browser, { baseURL: service.url, ...look });
      const page = await context.newPage();
      await tourEntryPage(page, service, async (state) => {
        if (wanted(state)) await page.screenshot({ path: join(folder, `demo-entry-${state}-${size}-${theme}.png`) });
      });
      await context.close();
    }
  }
}
