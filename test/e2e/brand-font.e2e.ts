import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { getLayoutShifts, recordShifts } from './record-shifts.ts';

const BRAND = 'Hanken Grotesk Variable';
const FALLBACK = 'Hanken Grotesk Fallback';
const FONT_FILES = '**/hanken-grotesk*.woff2';
const PAGES = ['/', '/sign-in', '/demo-access'] as const;

/** Its letters are as wide as Arial's, which not every machine has. */
const ARIMO = fileURLToPath(import.meta.resolve('@fontsource/arimo/files/arimo-latin-400-normal.woff2'));

/**
 * Lets documents read the fallback from a file with the widths of Arial instead of the fonts of the machine, and place
 * letters between pixels, as all screens do but those of low resolution on Linux.
 */
async function serveArialWidths(page: Page): Promise<void> {
  await page.route('**/arimo.woff2', (route) => route.fulfill({ path: ARIMO }));
  await page.route(
    ({ pathname }) => (PAGES as readonly string[]).includes(pathname),
    async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const withFont = text.replace(/src:local\(Arial\)[^;]*/, 'src:url(/arimo.woff2)');
      assert.notEqual(withFont, text, 'the fallback is in the document');
      const body = withFont.replace('</head>', '<style>:root{text-rendering:geometricPrecision}</style></head>');
      const { 'content-security-policy': _, ...headers } = response.headers();
      await route.fulfill({ response, body, headers });
    },
  );
}

/** Runs in the page. */
const hasFont = (family: string): boolean =>
  [...document.fonts].some((font) => font.family.includes(family) && font.status === 'loaded');

/** Returns the width and the height in px of a line of 1,000 px in a font. */
const measureLine = (page: Page, font: string, weight: number, text: string): Promise<[number, number]> =>
  page.evaluate(
    async ([family, fontWeight, line]) => {
      await document.fonts.load(`${fontWeight} 16px "${family}"`);
      const element = document.createElement('span');
      Object.assign(element.style, {
        position: 'absolute',
        whiteSpace: 'nowrap',
        font: `${fontWeight} 1000px/normal "${family}"`,
        fontVariantNumeric: 'tabular-nums',
      });
      element.textContent = line;
      document.body.append(element);
      const { width, height } = element.getBoundingClientRect();
      element.remove();
      return [width, height] as [number, number];
    },
    [font, String(weight), text] as const,
  );

const TEXTS = [
  'The value of each account, with its gain since yesterday and the next report of Microsoft Corporation',
  '$114,227.38 and 0123456789',
];

test('has the metrics of the brand font within about one percent in the fallback, and two in headings', async ({
  page,
}) => {
  await serveArialWidths(page);
  await page.goto('/sign-in');
  for (const weight of [400, 500, 600])
    for (const text of TEXTS) {
      const [width, height] = await measureLine(page, BRAND, weight, text);
      const [fallbackWidth, fallbackHeight] = await measureLine(page, FALLBACK, weight, text);
      assert.ok(
        Math.abs(fallbackWidth / width - 1) <= (weight === 600 ? 0.02 : 0.0125),
        `${weight}: ${fallbackWidth} for ${width}, ${text}`,
      );
      assert.ok(Math.abs(fallbackHeight / height - 1) <= 0.01, `${weight}: ${fallbackHeight} for ${height} high`);
      assert.notEqual(fallbackWidth, width);
    }
  for (const family of [BRAND, FALLBACK]) assert.ok(await page.evaluate(hasFont, family), family);
});

for (const path of PAGES)
  test(`shifts nothing on ${path} when the brand font comes late`, async ({ visit }) => {
    for (const size of ['phone', 'desktop'] as const) {
      const page = await visit({ size });
      await recordShifts(page, { hasBrandFont: true });
      await serveArialWidths(page);
      const { promise: late, resolve: sendFont } = Promise.withResolvers<void>();
      await page.route(FONT_FILES, async (route) => {
        await late;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate(async (family) => {
        await document.fonts.load(`16px "${family}"`);
      }, FALLBACK);
      assert.equal(await page.evaluate(hasFont, FALLBACK), true);
      const earlier = await getLayoutShifts(page);
      assert.equal(await page.evaluate(hasFont, BRAND), false, 'the fallback is on screen');
      sendFont();
      await page.waitForFunction(hasFont, BRAND);
      const shifts = (await getLayoutShifts(page)).slice(earlier.length);
      const total = shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0);
      assert.ok(total < 0.001, `${size}: ${shifts.join('; ')}`);
    }
  });
