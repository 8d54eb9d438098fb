/**
 * `npm run lab -- screenshots [name …]`: takes the pictures of the docs from the running product, and draws the icons
 * from the mark. Pages, states of the watchlist, of the entry page, of connecting and of paying × light and dark ×
 * desktop and phone, into docs/pictures; names narrow it to those.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../test/support/open-browser.ts';
import { startTestCluster } from '../test/support/cluster.ts';
import { startService } from '../test/support/service.ts';
import { buildWeb } from './build-web.ts';
import { pictureBilling } from './screenshots/billing.ts';
import { pictureConnections } from './screenshots/connections.ts';
import { pictureEntryPage } from './screenshots/entry-page.ts';
import { pictureProducts } from './screenshots/landing-pictures.ts';
import { picturePages } from './screenshots/pages.ts';
import { pictureViewer } from './screenshots/viewer.ts';
import { pictureWatchlist } from './screenshots/watchlist.ts';
import { pictureWidths } from './screenshots/widths.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(repository, 'docs', 'pictures');
const landing = join(repository, 'src', 'web', 'landing', 'pictures');
const icons = join(repository, 'src', 'web', 'public');

/** The icons that cannot be an SVG: on a home screen and in a task bar. */
async function drawIcons(browser: Browser): Promise<void> {
  const mark = (await readFile(join(icons, 'favicon.svg'), 'utf8')).replace(/@media[^}]*}[^}]*}\s*}/, '');
  for (const [name, pixels] of [
    ['apple-touch-icon.png', 180],
    ['icon-512.png', 512],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: pixels, height: pixels }, colorScheme: 'light' });
    await page.setContent(
      '<body style="margin:0;display:grid;place-items:center;height:100vh;background:#f6f5f1">' +
        `<div style="width:58%">${mark}</div>`,
    );
    await writeFile(join(icons, name), await page.screenshot());
    await page.close();
  }
}

const names = process.argv.slice(2);
const wanted = (name: string): boolean => names.length === 0 || names.includes(name);

const browser = await openBrowser();
try {
  await mkdir(pictures, { recursive: true });
  if (wanted('icons')) await drawIcons(browser);
  await buildWeb({ ifStale: true });
  const cluster = await startTestCluster();
  try {
    Object.assign(process.env, cluster.env);
    // A tour of the entry page sends more than one address may, and the screens of one member more than a member may.
    const service = await startService({
      DEMO_ACCESS_RESET: '04:30',
      TRUSTED_PROXIES: '127.0.0.1',
      API_RATE_LIMIT: '10000',
    });
    try {
      const member = service.firstRun.members.find(({ tier }) => tier === 'pro');
      if (!member) throw new Error('the first run has made no member to sign in as');
      if (wanted('landing-pictures')) await pictureProducts(browser, service.url, member, landing);
      await picturePages(browser, service.url, member, pictures, wanted);
      await pictureEntryPage(browser, service, pictures, (state) => wanted(`demo-entry-${state}`));
      await pictureViewer(browser, service, pictures, wanted);
      await pictureConnections(browser, service, pictures, wanted);
      await pictureBilling(browser, service, pictures, wanted);
      if (wanted('widths')) await pictureWidths(browser, service, pictures);
      await pictureWatchlist(browser, service, pictures, (state) => wanted(`watchlist-${state}`));
    } finally {
      await service.stop();
    }
  } finally {
    await cluster.stop();
  }
} finally {
  await browser.close();
}
