import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { themes } from '../support/browser.ts';
import { test } from '../e2e/fixtures.ts';
import { getHoldings } from '../e2e/home-holdings.ts';

// `npm run pictures` renews the picture of shared links and the pictures of the documentation.

const SHARE_PICTURE = fileURLToPath(new URL('../../src/ui/shell/public/share.png', import.meta.url));
const DOCS_FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const QUALITY = 0.72;

/** Encodes a PNG as WebP in the browser, so that no image library is needed. */
const toWebp = (page: Page, png: Buffer): Promise<string> =>
  page.evaluate(
    async ([encoded, quality]) => {
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = document.createElement('canvas');
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
      return canvas.toDataURL('image/webp', quality).split(',')[1]!;
    },
    [png.toString('base64'), QUALITY] as const,
  );

/** Screens of the documentation, each with a text that appears last. */
const SCREENS = [
  { name: 'home', path: '/dashboard', lastText: 'AAPL' },
  { name: 'portfolio', path: '/portfolio', lastText: 'AAPL' },
  { name: 'watchlist', path: '/watchlist', lastText: 'AAPL' },
  { name: 'security', path: '/portfolio?symbol=AAPL', lastText: 'Dividend yield' },
];

/** Removes the bar of the sample portfolio, also behind a panel. */
const removeBar = (page: Page): Promise<void> =>
  page.getByRole('complementary', { name: 'Sample portfolio', includeHidden: true }).evaluate((bar) => bar.remove());

/** Opens the sample portfolio without the bar that a member does not see. */
async function openSample(context: BrowserContext): Promise<Page> {
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'See a sample portfolio' }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  await getHoldings(page).waitFor();
  await removeBar(page);
  return page;
}

/** Takes the picture in both themes into `<folder><name>-<theme>.webp`. */
async function takePicture(page: Page, folder: string, name: string): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => scrollTo(0, 0));
    // Logos of rows below the picture load only when they are in view.
    const isComplete = () => [...document.images].every((image) => image.complete);
    await page.waitForFunction(isComplete, null, { timeout: 2_000 }).catch(() => {});
    const png = await page.screenshot({ animations: 'disabled' });
    await writeFile(`${folder}${name}-${colorScheme}.webp`, Buffer.from(await toWebp(page, png), 'base64'));
  }
}

test('takes the picture of shared links from the landing page', async ({ browser, service }) => {
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1200, height: 630 } });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('region', { name: 'A sample portfolio' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: SHARE_PICTURE, animations: 'disabled' });
  await context.close();
});

test('takes the pictures of the documentation in both themes', async ({ browser, service }) => {
  const context = await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 900 } });
  const page = await openSample(context);
  for (const { name, path, lastText } of SCREENS) {
    await page.goto(path);
    await page.getByText(lastText).first().waitFor();
    await page.waitForFunction(() => document.querySelector('.skeleton') === null);
    await removeBar(page);
    await takePicture(page, DOCS_FOLDER, name);
  }
  await context.close();
});
