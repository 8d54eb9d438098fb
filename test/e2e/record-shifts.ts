import type { Page } from '@playwright/test';
import type { Size } from '../support/browser.ts';
import type { TestService } from '../support/service.ts';
import type { Visit } from './fixtures.ts';
import { registerSampleMember } from './sample-member.ts';
import { WATCHLIST_URL } from './watchlist-card.ts';

/** What the browser reports of elements that have moved by themselves. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

interface Recorder {
  recorder: PerformanceObserver;
  shifts: string[];
}

/**
 * From the next document on, notes each shift with what has moved; those that follow an input within half a second are
 * meant.
 */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = [];
    const note = (entries: PerformanceEntryList): void => {
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
    const recorder = new PerformanceObserver((list) => note(list.getEntries()));
    recorder.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { recorder, shifts, note });
  });
}

/** What has moved so far, once the screen has been drawn again. */
export async function getLayoutShifts(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve));
    const { recorder, shifts, note } = window as unknown as Recorder & {
      note: (entries: PerformanceEntryList) => void;
    };
    note(recorder.takeRecords());
    return shifts;
  });
}

/**
 * Answers arrive one after the other, as on a slow line: what moves when one is late shows. The last of the list is the
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

/** Loads the dashboard as a browser that has nothing in its cache. */
export async function loadWithoutCache(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto('/dashboard');
}

/** Waits until each card shows what it is for. */
export async function waitForAllCards(page: Page): Promise<void> {
  for (const name of ['Holdings', 'Upcoming earnings', 'Latest news', 'Watched tickers'])
    await page.getByRole('list', { name }).waitFor();
  await page.getByRole('slider', { name: 'Net worth over time' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

/** What the dashboard asks for beside the watchlist. */
export const OTHER_API_PATHS = [
  '**/api/dashboard',
  '**/api/net-worth*',
  '**/api/investments/**',
  '**/api/earnings*',
  '**/api/news*',
];

/** What the dashboard asks for. */
export const DASHBOARD_API_PATHS = [...OTHER_API_PATHS, WATCHLIST_URL];

/** A page of a member with a plan, which notes shifts and shows nothing yet. */
export async function visitAsMember(
  visit: Visit,
  service: TestService,
  tier: 'free' | 'pro' | 'max',
  size: Size,
): Promise<Page> {
  const page = await visit({ size });
  await registerSampleMember(page, service, tier);
  await recordShifts(page);
  return page;
}
