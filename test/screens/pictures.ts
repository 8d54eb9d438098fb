import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { themes } from '../support/browser.ts';
import { test } from '../e2e/fixtures.ts';
import { getRows } from '../e2e/watchlist-card.ts';

// `npm run pictures` renews the pictures of the landing page from the running product with the sample portfolio.

const FOLDER = fileURLToPath(new URL('../../src/features/site/ui/pictures/', import.meta.url));
/** Sizes in CSS pixels, as `dashboard-picture.tsx` shows them. */
const PICTURES = [
  { name: 'dashboard', width: 1216, height: 720, scale: 1.5 },
  { name: 'dashboard-phone', width: 390, height: 480, scale: 2 },
];
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

for (const { name, width, height, scale } of PICTURES)
  test(`takes the picture ${name} in both themes`, async ({ browser, service }) => {
    const context = await browser.newContext({
      baseURL: service.url,
      viewport: { width, height },
      deviceScaleFactor: scale,
    });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('button', { name: 'See a sample portfolio' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await getRows(page).first().waitFor();
    await page.getByRole('list', { name: 'Holdings' }).waitFor();
    // The picture shows the product of a member, who sees no bar.
    await page.getByRole('complementary', { name: 'Sample portfolio' }).evaluate((bar) => bar.remove());
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      // Logos of rows below the picture load only when they are in view.
      const isComplete = () => [...document.images].every((image) => image.complete);
      await page.waitForFunction(isComplete, null, { timeout: 2_000 }).catch(() => {});
      const png = await page.screenshot({ animations: 'disabled' });
      await writeFile(`${FOLDER}${name}-${colorScheme}.webp`, Buffer.from(await toWebp(page, png), 'base64'));
    }
    await context.close();
  });
