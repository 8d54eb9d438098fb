import type { Page } from 'playwright-core';

interface Stopwatch {
  /** Milliseconds of the main thread, on its own clock, for a key and everything up to the next two frames. */
  work(key: string): Promise<number>;
  /** Milliseconds from the key to the frame after it, with the processor four times slower. */
  toPaint(key: string): Promise<number>;
}

const settled = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))),
  );

/**
 * Measures what a key costs on a page. The thread's own clock is hardly moved by what else the machine does; the other
 * is what one feels.
 */
export async function startStopwatch(page: Page): Promise<Stopwatch> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    const state = { last: 0 };
    Object.assign(window, { keyToPaint: state });
    const watch = ({ timeStamp }: Event): void =>
      void requestAnimationFrame(() => setTimeout(() => (state.last = performance.now() - timeStamp), 0));
    addEventListener('keydown', watch, true);
  });
  const busy = async (): Promise<number> =>
    ((await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) *
    1000;
  return {
    async work(key) {
      const before = await busy();
      await page.keyboard.press(key);
      await settled(page);
      return (await busy()) - before;
    },
    async toPaint(key) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.keyboard.press(key);
      await settled(page);
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      return page.evaluate(() => (window as unknown as { keyToPaint: { last: number } }).keyToPaint.last);
    },
  };
}
