import assert from 'node:assert/strict';
import { type Browser, type BrowserContext, type Page, test as base } from '@playwright/test';
import { type Size, sizes, type Theme } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import { forkService, joinSharedService } from '../support/forked-service.ts';
import { isTimeUp, TIME_IS_UP } from '../support/time-limit.ts';
import { type Person, register } from './people.ts';

export interface VisitOptions {
  size?: Size;
  theme?: Theme;
  forcedColors?: 'active' | 'none';
  reducedMotion?: 'reduce' | 'no-preference';
  /** The browser's language as a BCP 47 tag. */
  locale?: string;
  /** Whether pages may start the worker that opens them offline. */
  allowsWorker?: boolean;
  /** Errors that this test causes on purpose, as patterns of their text. */
  expected?: readonly RegExp[];
}

/** Opens a page in its own browser profile. */
export type Visit = (options?: VisitOptions) => Promise<Page>;

interface WorkerFixtures {
  /**
   * Settings of a separate service for the file, for tests that would affect others. Files without settings share one
   * service.
   */
  settings: Record<string, string> | undefined;
  service: TestService;
}

interface Fixtures {
  /** Skips the tests that start when the time of the run is up. */
  timeLimit: void;
  /** At the end of the test its pages must have had no error, no policy violation and no request to another site. */
  visit: Visit;
  /** A new member, signed in on `page`. */
  member: Person;
}

/** Playwright's test with a running service, pages of the service, and a member. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  settings: [undefined, { option: true, scope: 'worker' }],
  service: [
    async ({ settings }, use) => {
      const service = await (settings ? forkService({ settings }) : joinSharedService());
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  timeLimit: [
    async ({ settings: _ }, use, testInfo) => {
      // A retry is not skipped, since its test has failed.
      testInfo.skip(isTimeUp() && testInfo.retry === 0, TIME_IS_UP);
      await use();
    },
    { auto: true },
  ],
  visit: async ({ browser, service }, use) => {
    const visits: OpenVisit[] = [];
    await use(async (options = {}) => {
      const opened = await openVisit(browser, service, options);
      visits.push(opened);
      return opened.context.newPage();
    });
    for (const { context } of visits) await context.close();
    for (const opened of visits) assertNoFaults(opened);
  },
  page: async ({ visit }, use) => use(await visit()),
  member: async ({ page }, use) => use(await register(page)),
});

/**
 * Returns a test whose `page` and `member` are shared by all tests of the file, since a sign-up and a page load take
 * seconds. `open` runs before the first of them. Each test arranges its own data.
 */
export function shareMember(open: (page: Page, service: TestService) => Promise<Person>, options: VisitOptions = {}) {
  let shared: (OpenVisit & { page: Page; member: Person }) | undefined;
  const sharedTest = test.extend<{ shared: { page: Page; member: Person } }>({
    shared: async ({ browser, service }, use) => {
      if (!shared) {
        const opened = await openVisit(browser, service, options);
        const page = await opened.context.newPage();
        shared = { ...opened, page, member: await open(page, service) };
      }
      await use(shared);
      assertNoFaults(shared);
    },
    page: async ({ shared }, use) => use(shared.page),
    member: async ({ shared }, use) => use(shared.member),
  });
  sharedTest.afterAll(async () => {
    if (!shared) return;
    await shared.context.close();
    assertNoFaults(shared);
  });
  return sharedTest;
}

interface OpenVisit {
  context: BrowserContext;
  faults: string[];
  expected: readonly RegExp[];
}

async function openVisit(browser: Browser, service: TestService, options: VisitOptions): Promise<OpenVisit> {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: sizes[options.size ?? 'desktop'],
    colorScheme: options.theme ?? 'light',
    forcedColors: options.forcedColors ?? 'none',
    reducedMotion: options.reducedMotion ?? 'no-preference',
    hasTouch: options.size === 'phone',
    serviceWorkers: options.allowsWorker ? 'allow' : 'block',
    ...(options.locale !== undefined && { locale: options.locale }),
  });
  context.setDefaultTimeout(60_000);
  context.on('page', readCardsAlone);
  const faults = await collectBrowserFaults(context, service.url);
  return { context, faults, expected: options.expected ?? [] };
}

const CARD_ROUTES = /\/api\/(dashboard|net-worth|accounts|investments|connections|earnings|news|watchlist)/;

/** Lets each card of Home send its own request on a page whose test answers or delays one of these. */
function readCardsAlone(page: Page): void {
  const addRoute = page.route.bind(page);
  page.route = async (address, ...rest) => {
    const pattern = address instanceof RegExp ? address.source.replaceAll('\\', '') : address;
    if (typeof pattern === 'string' && CARD_ROUTES.test(pattern))
      await addRoute('**/api/home', (route) => route.fulfill({ json: {} }));
    return addRoute(address, ...rest);
  };
}

function assertNoFaults({ faults, expected }: OpenVisit): void {
  assert.deepEqual(
    faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
    [],
    'the browser reports no fault',
  );
}

/** Records errors, policy violations and foreign requests of every page. */
async function collectBrowserFaults(context: BrowserContext, origin: string): Promise<string[]> {
  const faults: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy violation: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`),
    );
  });
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) faults.push(`request to elsewhere: ${url}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) faults.push(`answer ${response.status()}: ${response.url()}`);
  });
  context.on('weberror', (error) => faults.push(`uncaught: ${error.error().message}`));
  context.on('console', (message) => {
    // The browser reports every 4xx response. The tests themselves check whether a rejection was correct.
    if (/^Failed to load resource: the server responded with a status of 4/.test(message.text())) return;
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  return faults;
}
