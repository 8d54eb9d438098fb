import type { Page } from '@playwright/test';
import type { TestService } from '../support/service.ts';
import { getHoldings } from './home-holdings.ts';
import type { Person } from './people.ts';
import { registerSampleMember } from './sample-member.ts';
import { WATCHLIST_URL } from './watchlist-card.ts';

/** A browser entry on elements that have moved without input. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

interface Recorder {
  observer: PerformanceObserver;
  shifts: string[];
}

/**
 * Records each layout shift with its moved elements from the next document on. A shift within half a second of an input
 * counts as intended. Unless `hasBrandFont` is set, the pages stay in the fallback font: `brand-font.e2e.ts` measures
 * by how much a late font moves texts.
 */
export async function recordShifts(page: Page, { hasBrandFont = false } = {}): Promise<void> {
  if (!hasBrandFont) {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    await cdp.send('Network.setBlockedURLs', { urls: ['*.woff2'] });
  }
  await page.addInitScript(() => {
    const shifts: string[] = [];
    const recordEntries = (entries: PerformanceEntryList): void => {
      for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
        if (hadRecentInput) continue;
        const formatBox = ({ x, y, width, height }: DOMRectReadOnly): string => `${x},${y} ${width}×${height}`;
        shifts.push(
          ...sources.map(
            ({ node, previousRect: from, currentRect: to }) =>
              `${value.toFixed(4)} ${(node as Element | null)?.className ?? node?.nodeName}: ${formatBox(from)} → ${formatBox(to)}`,
          ),
        );
      }
    };
    const observer = new PerformanceObserver((list) => recordEntries(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { observer, shifts, recordEntries });
  });
}

/** Returns the shifts so far, once the screen has been drawn again. */
export async function getLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    const { observer, shifts, recordEntries } = window as unknown as Recorder & {
      recordEntries: (entries: PerformanceEntryList) => void;
    };
    recordEntries(observer.takeRecords());
    return shifts;
  });
}

/**
 * Delays the responses of these paths by one more step each, as on a slow line. The last path of the list is the
 * slowest.
 */
export async function delayResponses(page: Page, paths: readonly (string | RegExp)[], step: number): Promise<void> {
  for (const [index, path] of paths.entries()) {
    await page.route(path, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, (index + 1) * step));
      await route.continue();
    });
  }
}

/** Loads the dashboard in a browser with an empty cache. */
export async function loadWithoutCache(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto('/dashboard');
}

/** Waits until each card shows its content. */
export async function waitForAllCards(page: Page): Promise<void> {
  await getHoldings(page).waitFor();
  for (const name of ['Upcoming earnings', 'Latest news', 'Watched tickers'])
    await page.getByRole('list', { name }).waitFor();
  await page.getByRole('slider', { name: 'Net worth over time' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** Paths that the dashboard requests in addition to the watchlist. */
export const OTHER_API_PATHS = [
  '**/api/dashboard',
  '**/api/net-worth*',
  '**/api/investments/**',
  '**/api/earnings*',
  '**/api/dividends*',
  '**/api/news*',
];

/** Paths that the dashboard requests. */
export const DASHBOARD_API_PATHS = [...OTHER_API_PATHS, WATCHLIST_URL];

/** Creates a signed-in member on a plan, whose page records shifts. */
export async function registerRecorded(
  page: Page,
  service: TestService,
  tier: 'free' | 'pro' | 'max',
): Promise<Person> {
  const member = await registerSampleMember(page, service, tier);
  await recordShifts(page);
  return member;
}
