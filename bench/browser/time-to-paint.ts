import type { Page } from '@playwright/test';

export interface PaintTimes {
  /** Milliseconds from the event to the frame after the change that it makes, by the page's own clock. */
  painted: number;
  /**
   * The browser's own figure (Event Timing, in steps of 8 ms); null for events that it does not time, such as moves of
   * a pointer.
   */
  timed: number | null;
}

/**
 * Times one interaction: from the first event of `type` to the first frame that shows a change inside `changes` (a
 * selector), or the first frame at all without it. `act` must cause both.
 */
export async function timeToPaint(
  page: Page,
  { type, changes, act }: { type: string; changes: string | null; act: () => Promise<void> },
): Promise<PaintTimes> {
  await page.evaluate(arm, { type, changes });
  await act();
  return page.evaluate(async () => {
    const { painted, since } = await (window as unknown as Armed).armed;
    // The browser hands its figures over when it is idle.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const entries = (window as unknown as Armed).timings.filter(
      ({ startTime, interactionId }) => startTime >= since - 1 && interactionId !== 0,
    );
    return { painted, timed: entries.length > 0 ? Math.max(...entries.map(({ duration }) => duration)) : null };
  });
}

interface Timing extends PerformanceEntry {
  interactionId: number;
}

interface Armed {
  armed: Promise<{ painted: number; since: number }>;
  timings: Timing[];
}

/**
 * In the page: everything is prepared before the event, so that measuring costs next to nothing while it is handled.
 */
function arm({ type, changes }: { type: string; changes: string | null }): void {
  const page = window as unknown as Armed & { observed?: true };
  page.timings = [];
  if (!page.observed) {
    page.observed = true;
    new PerformanceObserver((list) => page.timings.push(...(list.getEntries() as Timing[]))).observe({
      type: 'event',
      durationThreshold: 16,
    } as PerformanceObserverInit);
  }
  page.armed = new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    let since = 0;
    const late = setTimeout(
      () => reject(new Error(`no ${since === 0 ? type : 'change'} was seen within 10 s`)),
      10_000,
    );
    port1.addEventListener('message', () => {
      clearTimeout(late);
      resolve({ painted: performance.now() - since, since });
    });
    port1.start();
    // A message that is sent in the frame's callback arrives once the frame has been drawn.
    const nextPaint = (): void => void requestAnimationFrame(() => port2.postMessage(null));
    const within = changes === null ? null : document.querySelector(changes);
    const observer = new MutationObserver(() => {
      if (since === 0) return;
      observer.disconnect();
      nextPaint();
    });
    if (within) observer.observe(within, { subtree: true, childList: true, characterData: true, attributes: true });
    addEventListener(
      type,
      (event) => {
        since = event.timeStamp;
        if (!within) nextPaint();
      },
      { capture: true, once: true },
    );
  });
}
