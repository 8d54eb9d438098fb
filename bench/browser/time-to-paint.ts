import type { Page } from '@playwright/test';

export interface PaintTimes {
  /** Time in ms from the event to the frame after its change, by the page's clock. */
  painted: number;
  /**
   * Time in ms that the browser reports (Event Timing, in steps of 8 ms). Null for events without it, such as pointer
   * moves.
   */
  timed: number | null;
}

/**
 * Measures one interaction. The time is from the first event of `type` to the first frame that shows a change inside
 * `changes` (a selector), or to the first frame without it. `act` must cause both.
 */
export async function timeToPaint(
  page: Page,
  { type, changes, act }: { type: string; changes: string | null; act: () => Promise<void> },
): Promise<PaintTimes> {
  await page.evaluate(installPaintProbe, { type, changes });
  await act();
  return page.evaluate(async () => {
    const { painted, since } = await (window as unknown as PaintProbe).armed;
    // The browser reports its times when it is idle.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const entries = (window as unknown as PaintProbe).timings.filter(
      ({ startTime, interactionId }) => startTime >= since - 1 && interactionId !== 0,
    );
    return { painted, timed: entries.length > 0 ? Math.max(...entries.map(({ duration }) => duration)) : null };
  });
}

interface EventTiming extends PerformanceEntry {
  interactionId: number;
}

interface PaintProbe {
  armed: Promise<{ painted: number; since: number }>;
  timings: EventTiming[];
}

/** Runs in the page. Prepares everything before the event, so that measuring adds almost no time to its handling. */
function installPaintProbe({ type, changes }: { type: string; changes: string | null }): void {
  const page = window as unknown as PaintProbe & { isObserved?: true };
  page.timings = [];
  if (!page.isObserved) {
    page.isObserved = true;
    new PerformanceObserver((list) => page.timings.push(...(list.getEntries() as EventTiming[]))).observe({
      type: 'event',
      durationThreshold: 16,
    } as PerformanceObserverInit);
  }
  page.armed = new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    let since = 0;
    const timeout = setTimeout(
      () => reject(new Error(`no ${since === 0 ? type : 'change'} was seen within 10 s`)),
      10_000,
    );
    port1.addEventListener('message', () => {
      clearTimeout(timeout);
      resolve({ painted: performance.now() - since, since });
    });
    port1.start();
    // A message sent in the frame's callback is received after the frame has been drawn.
    const nextPaint = (): void => {
      requestAnimationFrame(() => port2.postMessage(null));
    };
    const container = changes === null ? null : document.querySelector(changes);
    const observer = new MutationObserver(() => {
      if (since === 0) return;
      observer.disconnect();
      nextPaint();
    });
    if (container)
      observer.observe(container, { subtree: true, childList: true, characterData: true, attributes: true });
    addEventListener(
      type,
      (event) => {
        since = event.timeStamp;
        if (!container) nextPaint();
      },
      { capture: true, once: true },
    );
  });
}
