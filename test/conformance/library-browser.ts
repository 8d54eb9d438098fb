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

/** Opens Chromium with the application at `url` as its only reachable site. */
export async function openLibraryBrowser(stack: AsyncDisposableStack, url: string): Promise<LibraryBrowser> {
  const found = await findBrowser();
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP tally.test 127.0.0.1:${new URL(url).port}, MAP * ~NOTFOUND`,
      `--unsafely-treat-insecure-origin-as-secure=${SITE}`,
    ],
  });
  stack.defer(() => browser.close());
  const foreignRequests: string[] = [];
  return {
    foreignRequests,
    async openPage() {
      const page = await (await browser.newContext()).newPage();
      page.on('request', (request) => {
        const requestUrl = request.url();
        if (!/^(blob|data):/.test(requestUrl) && !requestUrl.startsWith(`${SITE}/`)) foreignRequests.push(requestUrl);
      });
      return page;
    },
  };
}

/** Reloads the page with the library. */
export async function openLibraryPage(page: Page): Promise<void> {
  await page.goto(`${SITE}/page`);
  await page.waitForFunction(() => (globalThis as { loaded?: boolean }).loaded === true);
}
