import { steps } from './browser-steps.ts';
import { openConformanceApp } from './conformance-app.ts';
import { addLibraryPage, openLibraryBrowser, openLibraryPage } from './library-browser.ts';
import { printComparison } from './print-comparison.ts';

/** Tests the embedded provider with the unchanged browser library in Chromium. Returns `true` if all results agree. */
export async function compareInBrowser(library: string): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const app = await openConformanceApp(
    (work) => stack.defer(work),
    (http) => addLibraryPage(http, library),
  );
  const browser = await openLibraryBrowser(stack, app.url);
  const page = await browser.openPage();
  const open = () => openLibraryPage(page);
  await open();
  const differing = await printComparison(steps, { ...app, page, open });
  console.log(
    `${steps.length - differing} of ${steps.length} steps went as clerk-js 6.34.1 wants them in Chromium, ` +
      `${browser.foreignRequests.length} requests to elsewhere`,
  );
  return differing === 0 && browser.foreignRequests.length === 0;
}
