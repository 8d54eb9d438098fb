import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { themes } from '../../test/support/browser.ts';
import { pictureContext } from './picture-context.ts';

/** As the landing page shows them: CSS pixels, and how many dots one has. */
const BOX = { width: 592, height: 540 };
const DOTS = 1.5;

/** The pictures of the landing page, of a window in which one column is as wide as they are. */
export async function pictureProducts(
  browser: Browser,
  url: string,
  member: { email: string; password: string },
  folder: string,
): Promise<void> {
  for (const theme of themes) {
    const context = await pictureContext(browser, {
      baseURL: url,
      // So high that every row is drawn.
      viewport: { width: 640, height: 3_200 },
      deviceScaleFactor: DOTS,
      colorScheme: theme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill(member.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(member.password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('list', { name: 'Watched tickers' }).waitFor();
    await take(
      page,
      page.getByRole('region', { name: 'Watchlist', exact: true }),
      join(folder, `watch-${theme}.webp`),
      'upper',
    );
    await page.goto('/settings/api-keys');
    await page.getByLabel('System prompt').fill('You answer in one sentence.');
    await page.getByLabel('Message').fill('What is a tally mark, and why is every fifth one drawn across the others?');
    await page
      .getByRole('status')
      .getByText(/input tokens/)
      .waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const playground = page.getByRole('region', { name: 'Playground' });
    await beginAtSystemPrompt(playground);
    await take(page, playground, join(folder, `count-${theme}.webp`), 'lower');
    await context.close();
  }
}

/** Makes the message's field lower, as one does by its corner, until the picture begins above a label and cuts none. */
async function beginAtSystemPrompt(playground: Locator): Promise<void> {
  await playground.evaluate((card, height) => {
    const label = [...card.querySelectorAll('label')].find(({ innerText }) => innerText === 'System prompt')!;
    const field = card.querySelector<HTMLElement>('textarea[name="message"]')!;
    const excess = card.getBoundingClientRect().bottom - label.getBoundingClientRect().top + 12 - height;
    field.style.height = `${field.offsetHeight - excess}px`;
  }, BOX.height);
}

/** The upper or the lower part of a card as WebP, which is a third of a PNG. */
async function take(page: Page, card: Locator, path: string, part: 'upper' | 'lower'): Promise<void> {
  await card.scrollIntoViewIfNeeded();
  await page.evaluate(() => document.fonts.ready);
  // A row that has come near is drawn with the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || !image.checkVisibility({ contentVisibilityAuto: true })),
  );
  // One that has arrived is drawn once it is decoded.
  await page.evaluate(() =>
    Promise.all([...document.images].filter(({ complete }) => complete).map((image) => image.decode().catch(() => {}))),
  );
  const box = await card.boundingBox();
  if (!box) throw new Error('the card to be pictured is not there');
  const { x, y } = await page.evaluate(() => ({ x: scrollX, y: scrollY }));
  const cdp = await page.context().newCDPSession(page);
  const { data } = await cdp.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 82,
    captureBeyondViewport: true,
    clip: { x: box.x + x, y: box.y + y + (part === 'lower' ? box.height - BOX.height : 0), ...BOX, scale: 1 },
  });
  await writeFile(path, Buffer.from(data, 'base64'));
}
