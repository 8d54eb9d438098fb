import { createClerkClient } from '@clerk/backend';
import { startDemoApp } from '../support/demo-access.ts';
import { SECRET_KEY } from '../support/identity.ts';
import { getRejection } from './compare-with-library.ts';
import { demoSteps } from './demo-steps.ts';
import { addLibraryPage, openLibraryBrowser } from './library-browser.ts';
import { recordForeignRequests } from './record-requests.ts';
import { printComparison } from './print-comparison.ts';

/**
 * Tests a sign-in link from its creation to its revocation with both unchanged libraries of the hosted provider. The
 * browser library redeems tickets, and the backend library reads the state. Returns `true` if all results agree.
 */
export async function compareDemoAccess(source: string): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const after = (work: unknown): void =>
    stack.defer(async () => {
      await (work as () => Promise<void>)();
    });
  const demo = await startDemoApp({ onTestFinished: after } as never, {
    addRoutes: (app) => addLibraryPage(app, source),
  });
  const library = createClerkClient({
    secretKey: SECRET_KEY,
    apiUrl: `${demo.url}/_idp`,
    telemetry: { disabled: true },
  });
  const sent = recordForeignRequests();
  const browser = await openLibraryBrowser(stack, demo.url);
  const differing = await printComparison(demoSteps, {
    demo,
    library,
    getRejection,
    openPage: browser.openPage,
  });
  const foreignRequestCount = sent.length + browser.foreignRequests.length;
  console.log(
    `${demoSteps.length - differing} of ${demoSteps.length} steps of a sign-in link went as both libraries want them` +
      `, ${foreignRequestCount} requests to elsewhere`,
  );
  return differing === 0 && foreignRequestCount === 0;
}
