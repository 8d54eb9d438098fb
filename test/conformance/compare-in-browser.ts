import { chromium } from 'playwright-core';
import type { HttpApp } from '../../src/http/app-type.ts';
import { findBrowser } from '../support/find-browser.ts';
import { SITE } from '../support/identity.ts';
import { steps } from './browser-steps.ts';
import { openConformanceApp } from './conformance-app.ts';
import { fetchBrowserLibrary } from './fetch-browser-library.ts';

const PAGE = '<!doctype html><title>conformance</title><script type="module" src="/page.js"></script>';
const SCRIPT = `import { Clerk } from '/library.mjs';
const clerk = new Clerk('pk_live_' + btoa('tally.test$'), { proxyUrl: location.origin + '/_idp' });
window.clerk = clerk;
await clerk.load({ standardBrowser: true, telemetry: false });
window.loaded = true;`;

/**
 * Drives the embedded provider with the unchanged browser library in Chromium; `true` where all agree or it cannot be
 * had.
 */
export async function compareInBrowser(): Promise<boolean> {
  const library = fetchBrowserLibrary();
  if ('reason' in library) {
    console.log(`The browser library was not compared: ${library.reason}.`);
    return true;
  }
  await using stack = new AsyncDisposableStack();
  const serve = (app: HttpApp, path: string, type: string, text: string): void =>
    void app.get(path, async (_request, reply) =>
      reply
        .type(type)
        .serializer(String)
        .send(text as never),
    );
  const app = await openConformanceApp(
    (work) => stack.defer(work),
    (http) => {
      serve(http, '/page', 'text/html', PAGE);
      serve(http, '/page.js', 'text/javascript', SCRIPT);
      serve(http, '/library.mjs', 'text/javascript', library.source);
    },
  );
  const found = await findBrowser();
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env } as Record<string, string>,
    args: [
      '--no-sandbox',
      `--host-resolver-rules=MAP tally.test 127.0.0.1:${new URL(app.url).port}, MAP * ~NOTFOUND`,
      `--unsafely-treat-insecure-origin-as-secure=${SITE}`,
    ],
  });
  stack.defer(() => browser.close());
  const page = await (await browser.newContext()).newPage();
  const elsewhere: string[] = [];
  page.on(
    'request',
    (request) =>
      void (
        /^(blob|data):/.test(request.url()) ||
        request.url().startsWith(`${SITE}/`) ||
        elsewhere.push(request.url())
      ),
  );

  const open = async (): Promise<void> => {
    await page.goto(`${SITE}/page`);
    await page.waitForFunction(() => (globalThis as { loaded?: boolean }).loaded === true);
  };
  await open();
  let differing = 0;
  for (const [name, step] of steps) {
    const [expected, actual] = await step({ ...app, page, open }).catch((error: unknown) => [
      'an outcome',
      String(error),
    ]);
    const same = JSON.stringify(expected) === JSON.stringify(actual);
    if (!same) differing += 1;
    console.log(
      `${same ? 'same' : 'DIFFERS'}  ` +
        `${name}${same ? '' : `\n  expected ${JSON.stringify(expected)}\n  library  ${JSON.stringify(actual)}`}`,
    );
  }
  console.log(
    `${steps.length - differing} of ${steps.length} steps went as clerk-js 6.34.1 wants them in Chromium, ` +
      `${elsewhere.length} requests to elsewhere`,
  );
  return differing === 0 && elsewhere.length === 0;
}
