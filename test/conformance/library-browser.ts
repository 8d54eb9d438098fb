import { chromium, type Page } from '@playwright/test';
import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { findBrowser } from '../support/find-browser.ts';
import { SITE } from '../support/identity.ts';

const PAGE = '<!doctype html><title>conformance</title><script type="module" src="/page.js"></script>';
const SCRIPT = `import { Clerk } from '/library.mjs';
const clerk = new Clerk('pk_live_' + btoa('tally.test$'), { proxyUrl: location.origin + '/_idp' });
window.clerk = clerk;
await clerk.load({ standardBrowser: true, telemetry: false });
window.loaded = true;`;

/** Adds a page at `/page` that loads the browser library. */
export function addLibraryPage(http: HttpApp, library: string): void {
  const serve = (path: string, type: string, text: string): void => {
    void http.get(path, async (_request, reply) =>
      reply
        .type(type)
        .serializer(String)
        .send(text as never),
    );
  };
  serve('/page', 'text/html', PAGE);
  serve('/page.js', 'text/javascript', SCRIPT);
  serve('/library.mjs', 'text/javascript', library);
}

interface LibraryBrowser {
  /** Requests to any other origin. */
  foreignRequests: string[];
  /** Opens a page of a signed-out browser. */
  openPage(): Promise<Page>;
}

/** The library takes an automated browser for a robot, to which it offers no passkeys. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';

/** Opens Chromium with the application at `url` as its only reachable site, under the address `site`. */
export async function openLibraryBrowser(
  stack: AsyncDisposableStack,
  url: string,
  site = SITE,
): Promise<LibraryBrowser> {
  const found = await findBrowser();
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP ${new URL(site).hostname} 127.0.0.1:${new URL(url).port}, MAP * ~NOTFOUND`,
      `--unsafely-treat-insecure-origin-as-secure=${site}`,
      '--disable-blink-features=AutomationControlled',
    ],
  });
  stack.defer(() => browser.close());
  const foreignRequests: string[] = [];
  return {
    foreignRequests,
    async openPage() {
      const page = await (await browser.newContext({ userAgent: USER_AGENT })).newPage();
      page.on('request', (request) => {
        const requestUrl = request.url();
        if (!/^(blob|data):/.test(requestUrl) && !requestUrl.startsWith(`${site}/`)) foreignRequests.push(requestUrl);
      });
      return page;
    },
  };
}

/** Reloads the page with the library. */
export async function openLibraryPage(page: Page, site = SITE): Promise<void> {
  await page.goto(`${site}/page`);
  await page.waitForFunction(() => (globalThis as { loaded?: boolean }).loaded === true);
}
