import type { Browser, BrowserContext, Page } from '@playwright/test';
import { buildWeb } from '../../tools/build-web.ts';
import { createPerson, type Person, signUp } from '../../test/e2e/people.ts';
import { getCard, setTier, addToWatchlist } from '../../test/e2e/watchlist-card.ts';
import { sizes } from '../../test/support/browser.ts';
import { openBrowser } from '../../test/support/open-browser.ts';
import { startTestCluster } from '../../test/support/cluster.ts';
import { insertTickers } from '../../test/support/many-tickers.ts';
import { startService, type TestService } from '../../test/support/service.ts';

export interface BenchSite {
  service: TestService;
  browser: Browser;
}

/**
 * Runs `run` on the whole service (built and seeded) and a browser, and stops both afterwards. `args` are browser
 * arguments.
 */
export async function withSite(run: (site: BenchSite) => Promise<void>, args: readonly string[] = []): Promise<void> {
  await buildWeb({ ifStale: true });
  const cluster = await startTestCluster();
  try {
    Object.assign(process.env, cluster.env);
    const service = await startService({ API_RATE_LIMIT: '1000000' });
    const browser = await openBrowser(args);
    try {
      await run({ service, browser });
    } finally {
      await browser.close();
      await service.stop();
    }
  } finally {
    await cluster.stop();
  }
}

interface LongListPage {
  page: Page;
  context: BrowserContext;
  member: Person;
  /** A catalog symbol that is not on the list. With this symbol the list has `rows` symbols. */
  spareSymbol: string;
}

/** Opens a desktop window on the dashboard of a new member on the Max plan who watches `rows` − 1 tickers. */
export async function openLongList({ service, browser }: BenchSite, rows: number): Promise<LongListPage> {
  const context = await browser.newContext({ baseURL: service.url, viewport: sizes.desktop });
  const page = await context.newPage();
  const member = await signUp(page, createPerson());
  await getCard(page).waitFor();
  await setTier(service, member, 'max');
  const symbols = await insertTickers(service.database, rows);
  const spareSymbol = symbols.pop()!;
  await addToWatchlist(service, member, symbols);
  await page.reload();
  await getCard(page)
    .getByRole('list', { name: 'Watched tickers' })
    .getByRole('listitem')
    .nth(rows - 2)
    .waitFor({ state: 'attached' });
  // A member without holdings sees the other cards after this choice.
  await page.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('region', { name: 'Net worth' }).waitFor();
  return { page, context, member, spareSymbol };
}
