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
  await page.evaluate(installPaintProbe, { type, changes });
  await act();
  return page.evaluate(async () => {
    const { painted, since } = await (window as unknown as PaintProbe).armed;
    // The browser hands its figures over when it is idle.
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

/**
 * In the page: everything is prepared before the event, so that measuring costs next to nothing while it is handled.
 */
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
    // A message that is sent in the frame's callback arrives once the frame has been drawn.
    const nextPaint = (): void => void requestAnimationFrame(() => port2.postMessage(null));
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
