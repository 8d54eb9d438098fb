import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type RoutePath, routePaths } from '../../src/ui/shell/route-paths.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { register } from './people.ts';
import { getCard, getRows, waitForRows, addToWatchlist } from './watchlist-card.ts';

/**
 * Returns the scripts that a page has fetched, each once. The import of a prefetched script reads the browser's cache.
 */
const listScripts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...new Set(performance.getEntriesByType('resource').map(({ name }) => name))].filter((name) =>
      new URL(name).pathname.endsWith('.js'),
    ),
  );

/** Returns the total size of scripts in bytes as browsers receive them, compressed by brotli. */
async function sumBytes(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    urls.map(async (url) => {
      const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
      assert.equal(headers.get('content-encoding'), 'br', url);
      return Number(headers.get('content-length'));
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Matches the script that sends events. It loads a second after a page's first event, whatever opens at that time. */
const isEventScript = (url: string): boolean => /\/send-events-/.test(url);

/** Matches the scripts of the playground's worker, which starts after the first view. */
const isPlaygroundWorkerScript = (path: string): boolean => /\/(count-worker|read-pdf-data|pdfjs)-/.test(path);

/** Matches the scripts of the alert bell, which every page of a member loads once the session is known. */
const isBellScript = (path: string): boolean => /\/(alert-bell|unread-alerts)-/.test(path);

const DASHBOARD_BUDGET = 127_000;
const LANDING_BUDGET = 89_000;

/** Parts of the watchlist with the bytes that each may fetch beyond the dashboard, including all its imports. */
const parts = [
  {
    name: 'search',
    budget: 10_000,
    async open(page: Page) {
      await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
      await getCard(page).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'edit',
    budget: 15_000,
    async open(page: Page) {
      await getCard(page).getByRole('button', { name: 'Edit watchlist' }).click();
      await page.getByRole('dialog', { name: 'Edit watchlist' }).getByRole('button', { name: 'Done' }).waitFor();
    },
  },
  {
    name: 'detail',
    budget: 14_000,
    async open(page: Page) {
      await getRows(page).first().click();
      await page.getByRole('dialog').getByText('Previous close').waitFor();
    },
  },
] as const;

test('keeps the landing page within its budget', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('slider', { name: /^Net worth of the sample/ }).waitFor();
  await page.getByRole('list', { name: 'Plans' }).getByText('$9.99 a month').waitFor();

  const bytes = await sumBytes((await listScripts(page)).filter((url) => !isEventScript(url)));

  console.log(`/: ${(bytes / 1000).toFixed(1)} kB of script, brotli`);
  assert.ok(bytes > 50_000 && bytes <= LANDING_BUDGET, `/ fetches ${bytes} bytes`);
});

test('keeps dashboard, search, edit and detail within their budgets', async ({ page, service }) => {
  await addToWatchlist(service, await register(page), ['AAPL']);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Not now' }).click();
  for (const { name, budget, open } of parts) {
    // A page without a pointer prefetches nothing.
    const isolated = await page.context().newPage();
    await isolated.goto('/dashboard');
    await waitForRows(isolated, ['AAPL']);
    for (const title of ['Net worth', 'Holdings', 'Upcoming earnings', 'Latest news'])
      await isolated.getByRole('region', { name: title }).waitFor();
    const before = new Set(await listScripts(isolated));
    const first = await sumBytes([...before].filter((url) => !isEventScript(url)));
    console.log(`/dashboard with every card: ${(first / 1000).toFixed(1)} kB of script, brotli`);
    assert.ok(first > 90_000 && first <= DASHBOARD_BUDGET, `/dashboard fetches ${first} bytes`);
    await open(isolated);
    const bytes = await sumBytes(
      (await listScripts(isolated)).filter((url) => !before.has(url) && !isEventScript(url)),
    );
    console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB of script, brotli`);
    assert.ok(bytes > 1_000, `opening ${name} fetches ${bytes} bytes: its code was there before`);
    assert.ok(bytes <= budget, `opening ${name} fetches ${bytes} bytes`);
    await isolated.close();
  }
});

/** Waits for the content of each page after its first view has loaded. */
const waitForPage: Readonly<Record<RoutePath, (page: Page) => Promise<void>>> = {
  '/': (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  '/sign-up': (page) => page.getByRole('button', { name: 'Create account' }).first().waitFor(),
  '/sign-in': (page) => page.getByRole('button', { name: 'Sign in' }).first().waitFor(),
  '/forgot-password': (page) => page.getByRole('heading', { name: 'Forgot your password?' }).waitFor(),
  '/reset-password': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/verify-email': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/stop-email-change': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/stop-alert-mails': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/developers': (page) => page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor(),
  '/developers/playground': (page) => page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor(),
  '/privacy': (page) => page.getByRole('heading', { name: 'Where it is stored' }).waitFor(),
  '/terms': (page) => page.getByText('has not published terms of use').waitFor(),
  '/dashboard': (page) => waitForRows(page, ['AAPL']),
  '/portfolio': (page) => page.getByRole('heading', { name: 'No holdings yet' }).waitFor(),
  '/watchlist': (page) => page.getByRole('link', { name: /^AAPL/ }).waitFor(),
  '/assistant': (page) => page.getByRole('button', { name: 'How has my net worth changed?' }).waitFor(),
  '/plans': (page) => page.getByRole('heading', { name: 'Plans', level: 1 }).waitFor(),
  '/plans/return': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/connections/return': (page) => page.getByRole('heading', { name: 'Link not valid' }).waitFor(),
  '/settings': (page) => page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor(),
  '/settings/security': (page) => page.getByText('This browser', { exact: true }).waitFor(),
  '/settings/connections': (page) => page.getByRole('button', { name: 'Connect an account' }).waitFor(),
  '/settings/billing': (page) => page.getByText('No invoices yet.').waitFor(),
  '/settings/api-keys': (page) => page.getByText('No keys yet.').waitFor(),
  '/operator': (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  '/operator/revenue': (page) => page.getByRole('button', { name: 'Show the report' }).waitFor(),
  '/settings/assistant': (page) => page.getByText('No tokens yet.').waitFor(),
  '/settings/invite': (page) => page.getByText('No sign-ups yet.').waitFor(),
};

/** Asserts that each of these documents preloads the code of its first view. */
async function assertPreloads(page: Page, service: TestService, paths: readonly RoutePath[]): Promise<void> {
  let requestedPaths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isLater = isPlaygroundWorkerScript(pathname) || isEventScript(pathname) || isBellScript(pathname);
    const isFirstView = pathname.endsWith('.js') && !isLater;
    if (isFirstView || pathname === '/api/config' || pathname === '/_idp/v1/client') requestedPaths.push(pathname);
  });
  for (const path of paths)
    await test.step(`preloads the code of the first view of ${path} and fetches each file once`, async () => {
      const document = await fetch(service.url + path);
      const named = [...(await document.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+\.js|\/api\/[^"]+)"/g)].map(
        ([, file]) => file,
      );
      named.push(...[...(document.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, address]) => address));
      // The earlier page's requests end here.
      await page.goto('about:blank');
      requestedPaths = [];
      await page.goto(path);
      await waitForPage[path](page);
      assert.ok(named.includes('/_idp/v1/client'));
      const loading = forVisitors.includes(path) ? [] : await readLoadingTexts(page);
      assert.ok(loading.length <= 1, `loading texts at once: ${loading.join(', ')}`);
      assert.deepEqual(requestedPaths.sort(), named.sort());
    });
}

const forVisitors: readonly RoutePath[] = ['/', '/sign-up', '/sign-in', '/forgot-password'];

test('loads the pages of a visitor', async ({ page, service }) => {
  await test.step('keeps the scripts of the public pages within their budget', async () => {
    const budget = { '/': LANDING_BUDGET, '/sign-in': 87_000 } as const;
    for (const path of ['/', '/sign-in'] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const bytes = await sumBytes(await listScripts(page));
      console.log(`${path}: ${(bytes / 1000).toFixed(1)} kB of script, brotli`);
      assert.ok(bytes > 40_000 && bytes <= budget[path], `${path} fetches ${bytes} bytes`);
    }
  });
  await assertPreloads(page, service, forVisitors);
});

/** Records the largest number of loading texts that each document shows at once. */
const recordLoadingTexts = (page: Page): Promise<unknown> =>
  page.context().addInitScript(() => {
    const loading = { longest: [] as string[] };
    Object.assign(window, { loading });
    new MutationObserver(() => {
      const main = document.getElementById('main');
      const loadingLines = main?.innerText.match(/^(Loading|Looking up) .*$/gm) ?? [];
      if (loadingLines.length > loading.longest.length) loading.longest = loadingLines;
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

const readLoadingTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { loading: { longest: string[] } }).loading.longest);

test('loads the pages of a member', { tag: '@slow' }, async ({ page, service }) => {
  await recordLoadingTexts(page);
  await addToWatchlist(service, await register(page), ['AAPL']);
  await page.goto('/dashboard');
  // The first steps load on their own, for a member without holdings.
  await page.getByRole('button', { name: 'Not now' }).click();
  await assertPreloads(
    page,
    service,
    routePaths.filter((path) => !forVisitors.includes(path)),
  );
  await test.step('reads the shown cards before their order arrives, and no hidden card', async () => {
    const reads = ['/api/net-worth', '/api/portfolio/holdings', '/api/earnings', '/api/news'];
    let missing = new Set(reads);
    let all = Promise.withResolvers<void>();
    page.on('request', (request) => {
      // The page before may have sent reads late.
      if (request.isNavigationRequest()) missing = new Set(reads);
      missing.delete(new URL(request.url()).pathname);
      if (missing.size === 0) all.resolve();
    });
    // The response with the order waits until every read has been sent.
    await page.route('**/api/dashboard', async (route) => {
      await all.promise;
      await route.continue();
    });
    await page.goto('/dashboard');
    await page.getByRole('region', { name: 'Latest news' }).waitFor();
    await page.unroute('**/api/dashboard');
    await page.getByRole('button', { name: 'Arrange' }).click();
    const saved = page.waitForResponse(
      (response) => response.url().endsWith('/api/dashboard') && response.request().method() === 'PUT' && response.ok(),
    );
    await page.getByRole('button', { name: 'Remove Latest news' }).click();
    await saved;
    all = Promise.withResolvers();
    await page.reload();
    for (const title of ['Net worth', 'Holdings', 'Upcoming earnings'])
      await page.getByRole('region', { name: title }).waitFor();
    await waitForRows(page, ['AAPL']);
    assert.deepEqual([...missing], ['/api/news']);
  });
});

test('serves hashed files compressed for a year and forbids inline code', async ({ service }) => {
  const document = await fetch(service.url);
  const policy = document.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  const html = await document.text();
  // The policy allows code in the document itself only by its hash: the theme's script and the style sheet.
  const INLINE = /<(script|style)>([^]*?)<\/\1>/g;
  const inline = [...html.matchAll(INLINE)];
  assert.doesNotMatch(html.replaceAll(INLINE, ''), /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=/i);
  assert.deepEqual(
    inline.map(([, tag]) => tag),
    ['script', 'style'],
  );
  for (const [, tag, text] of inline)
    assert.ok(
      policy.includes(`${tag}-src 'self' 'sha256-${createHash('sha256').update(text!).digest('base64')}';`),
      tag,
    );
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path);
  assert.ok(assets.length >= 3);
  for (const path of assets) {
    const answer = await fetch(service.url + path, { headers: { 'accept-encoding': 'br' } });
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/, path);
    assert.equal(answer.headers.get('content-encoding'), 'br', path);
  }
});
