import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type Locator, type Page, test } from '@playwright/test';
import type { TestService } from './service.ts';
import { joinSharedService } from './shared-service.ts';

export const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;
export const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];

interface Look {
  theme: Theme;
  size: Size;
}

/** A way through states of a page, begun in one look; in each state the page is looked at in each of `looks`. */
interface Walk extends Look {
  looks: readonly Look[];
}

const everyLook = themes.flatMap((theme) => (Object.keys(sizes) as Size[]).map((size): Look => ({ theme, size })));

/**
 * The ways on which the accessibility of pages is looked at: with `ALL_LOOKS=on` (`ALL_LOOKS=on npm test`) one for
 * each theme at each size, else one with two looks that have each theme and each size once, since the way takes longer
 * than to look.
 */
export const walks: readonly Walk[] =
  process.env['ALL_LOOKS'] === 'on'
    ? everyLook.map((look) => ({ ...look, looks: [look] }))
    : [
        {
          theme: 'light',
          size: 'desktop',
          looks: everyLook.filter(({ theme, size }) => (theme === 'light') === (size === 'desktop')),
        },
      ];

/** For a state on the way of another test: looked at in each look of all the walks. */
export const onOneWay: Walk = { theme: 'light', size: 'desktop', looks: walks.flatMap(({ looks }) => looks) };

/** Looks at a page as it stands in each look of a walk, which goes on in its own. */
export async function inEachLook(
  page: Page,
  { looks, ...own }: Walk,
  look: (name: string, seen: Look) => Promise<void>,
): Promise<void> {
  const show = async ({ theme, size }: Look): Promise<void> => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(sizes[size]);
  };
  for (const seen of looks) {
    if (looks.length > 1) await show(seen);
    await look(`${seen.theme}, ${seen.size}`, seen);
  }
  if (looks.length > 1) await show(own);
}

export interface VisitOptions {
  size?: Size;
  theme?: Theme;
  forcedColors?: 'active' | 'none';
  reducedMotion?: 'reduce' | 'no-preference';
  /** The browser's language, as a BCP 47 tag. */
  locale?: string;
  /** Faults that this test causes on purpose, by a part of their text. */
  expected?: readonly RegExp[];
}

/**
 * A running service and a browser; each visit is a browser profile of its own, and members are made by the test that
 * needs them.
 */
export interface Site {
  readonly service: TestService;
  /** Opens a page; when the test ends it must have had no error, no policy violation and no request to elsewhere. */
  visit(options?: VisitOptions): Promise<Page>;
}

/**
 * The service that the files of a run share, and the browser of this worker. With `settings` the service is the file's
 * own, for what no other file may meet.
 */
export function useSite(settings?: Record<string, string>): Site {
  let service: TestService | undefined;
  let browser: Browser | undefined;
  let visits: { context: BrowserContext; faults: string[]; expected: readonly RegExp[] }[] = [];
  test.beforeAll(async ({ browser: ofWorker }) => {
    browser = ofWorker;
    service = settings ? await startOwnService(settings) : await joinSharedService();
  });
  test.afterEach(async () => {
    const ended = visits;
    visits = [];
    for (const { context } of ended) await context.close();
    for (const { faults, expected } of ended)
      assert.deepEqual(
        faults.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
        [],
        'the browser reports no fault',
      );
  });
  test.afterAll(async () => {
    await service?.stop();
  });
  const running = (): TestService => {
    assert.ok(service, 'the service runs once the tests do');
    return service;
  };
  return {
    get service() {
      return running();
    },
    async visit(options = {}) {
      assert.ok(browser);
      const context = await browser.newContext({
        baseURL: running().url,
        viewport: sizes[options.size ?? 'desktop'],
        colorScheme: options.theme ?? 'light',
        forcedColors: options.forcedColors ?? 'none',
        reducedMotion: options.reducedMotion ?? 'no-preference',
        hasTouch: options.size === 'phone',
        ...(options.locale !== undefined && { locale: options.locale }),
      });
      context.setDefaultTimeout(60_000);
      const faults = await watch(context, running().url);
      visits.push({ context, faults, expected: options.expected ?? [] });
      return context.newPage();
    },
  };
}

/** The whole service is loaded only where a file starts one. */
const startOwnService = async (settings?: Record<string, string>): Promise<TestService> =>
  (await import('./service.ts')).startService(settings);

/** Collects what must not happen on any page. */
async function watch(context: BrowserContext, origin: string): Promise<string[]> {
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
    // The browser notes every refusal (4xx); whether one was due is what the tests look at.
    if (/^Failed to load resource: the server responded with a status of 4/.test(message.text())) return;
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`console: ${message.text()}`);
  });
  return faults;
}

let axeSource: string | undefined;
/** The small build: each new document takes and compiles it, and the other one has more than twice its size. */
const readAxe = (): string => readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Fails with every rule of axe-core that the page, or the part of it that is meant, breaks, and where. Animations are
 * waited for: half-faded text has no contrast. One that is cancelled meanwhile is over too.
 */
export async function assertAccessible(page: Page, state: string, part: Locator | null = null): Promise<void> {
  await page.evaluate(async () => {
    // One that ends may have been replaced by another.
    for (;;) {
      const moving = document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
      if (moving.length === 0) return;
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
  // Past the page's policy, as a browser's own tools are, and once a document: it is half a megabyte of script.
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate((axeSource ??= readAxe()));
  const look = (where: Element | null): Promise<AxeResults> => {
    const { axe: rules } = window as unknown as { axe: { run(where: Node, options: RunOptions): Promise<AxeResults> } };
    // Without the style sheets, which an experimental rule alone reads: to gather them took a third of each run.
    return rules.run(where ?? document, { resultTypes: ['violations'], preload: { assets: ['media'] } });
  };
  const { violations } = part ? await part.evaluate(look) : await page.evaluate(look, null);
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help} at ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
  assert.deepEqual(told, [], `axe-core finds nothing on: ${state}`);
}

/** Fails with what axe-core finds in any look of a walk, on the page or on a part of it; it stands in `state` then. */
export const assertAccessibleInEachLook = (
  page: Page,
  state: string,
  walk: Walk = onOneWay,
  part: Locator | null = null,
): Promise<void> => inEachLook(page, walk, (look) => assertAccessible(page, `${state} (${look})`, part));
