import type { CDPSession, Page } from '@playwright/test';

export interface MemoryUse {
  /** Bytes of the JavaScript heap after a garbage collection. */
  heap: number;
  nodes: number;
  listeners: number;
}

/** Measures the memory of a page after a garbage collection. */
export async function countMemory(cdp: CDPSession): Promise<MemoryUse> {
  // Finalizers of the first collection may release more objects, which the second one collects.
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  return { heap: usedSize, nodes, listeners: jsEventListeners };
}

/** Adds the ticker that the search has found and removes it again by keyboard. Resolves once both changes are saved. */
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
