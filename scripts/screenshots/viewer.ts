import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { visitDemo } from '../../test/e2e/demo-viewer.ts';
import { sizes, themes } from '../../test/support/browser.ts';
import type { TestService } from '../../test/support/service.ts';
import { waitForCards } from './pages.ts';
import { pictureContext } from './picture-context.ts';

interface Shot {
  name: string;
  path: string;
  /** The page to its end, not the first screen alone. */
  whole: boolean;
  prepare(page: Page): Promise<void>;
}

const shots: readonly Shot[] = [
  { name: 'viewer-dashboard', path: '/dashboard', whole: true, prepare: waitForCards },
  {
    name: 'viewer-api-keys',
    path: '/settings/api-keys',
    whole: false,
    prepare: (page) => page.getByRole('note').waitFor(),
  },
];

/** What a viewer of the demo account meets, into `folder`. */
export async function pictureViewer(
  browser: Browser,
  service: TestService,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<void> {
  const some = shots.filter(({ name }) => wanted(name));
  if (some.length === 0) return;
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const theme of themes) {
      const context = await pictureContext(browser, {
        baseURL: service.url,
        ...{ viewport, colorScheme: theme, reducedMotion: 'reduce' },
      });
      const page = await context.newPage();
      await visitDemo(page, service);
      // A font that comes late is not used: the first page brings it.
      await page.goto('/plans');
      await page.evaluate(() => document.fonts.ready);
      for (const { name, path, whole, prepare } of some) {
        await page.setViewportSize(viewport);
        await page.goto(path);
        await prepare(page);
        await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 0)));
        // A window as high as the page: what is drawn only once it is near would be missing below the fold.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        if (whole) await page.setViewportSize({ width: viewport.width, height });
        await page.waitForFunction(() => [...document.images].every((image) => image.complete));
        await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`), fullPage: whole });
      }
      await context.close();
    }
  }
}
