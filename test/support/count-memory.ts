import type { CDPSession, Page } from '@playwright/test';

export interface MemoryUse {
  /** Bytes of the JavaScript heap, after a collection. */
  heap: number;
  nodes: number;
  listeners: number;
}

/** What a page keeps, once all that nothing refers to any more has been collected. */
export async function countMemory(cdp: CDPSession): Promise<MemoryUse> {
  // What ends only when it is collected may let go of more: the second round takes that.
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}

/**
 * Adds the ticker that the search has found and removes it again, by keyboard; each change has been saved when it
 * returns.
 */
export async function addAndRemoveTicker(page: Page, symbol: string): Promise<void> {
  for (const [method, watched] of [
    ['POST', 'true'],
    ['DELETE', 'false'],
  ] as const) {
    const saved = page.waitForResponse(
      (response) => response.request().method() === method && response.url().includes('/api/watchlist'),
    );
    const read = page.waitForResponse(
      (response) => response.request().method() === 'GET' && new URL(response.url()).pathname === '/api/watchlist',
    );
    await page.keyboard.press('Enter');
    await page.locator(`[role="option"][aria-selected="${watched}"]`).filter({ hasText: symbol }).first().waitFor();
    const { ok, status } = await saved.then((response) => ({ ok: response.ok(), status: response.status() }));
    if (!ok) throw new Error(`The ${method} was answered with ${status}.`);
    await (await read).finished();
  }
}
