import assert from 'node:assert/strict';
import { addAndRemoveTicker, countMemory, type MemoryUse } from '../support/count-memory.ts';
import { eventually } from '../support/eventually.ts';
import { test } from './fixtures.ts';
import { getCard, createMemberWith, getSearchField } from './watchlist-card.ts';

/** Cycles of one run, below the requests that a member may send in a minute. */
const CYCLES = 10;

test(
  'leaves no node or listener behind after repeated adds and removals',
  { tag: '@slow' },
  async ({ page, service }) => {
    await createMemberWith(page, service, ['AAPL', 'MSFT']);
    const cdp = await page.context().newCDPSession(page);
    await getCard(page).getByRole('button', { name: 'Add tickers' }).click();
    await getSearchField(page).fill('TSLA');
    await getCard(page).getByRole('option', { name: /^TSLA/ }).waitFor();
    await getSearchField(page).focus();
    const runCycles = async (count: number): Promise<void> => {
      for (let cycle = 0; cycle < count; cycle += 1) await addAndRemoveTicker(page, 'TSLA');
    };
    // A row or notice that is still being drawn or removed is no leak. Two equal measurements in a row count.
    const measureAtRest = async (): Promise<MemoryUse> => {
      let last = await countMemory(cdp);
      await eventually(async () => {
        const before = last;
        await page.waitForTimeout(500);
        last = await countMemory(cdp);
        return last.nodes === before.nodes && last.listeners === before.listeners;
      });
      return last;
    };
    // The first cycles fetch code and draw elements that stay.
    await runCycles(3);
    const before = await measureAtRest();
    await runCycles(CYCLES);
    const after = await measureAtRest();
    console.log(`${before.nodes} nodes and ${before.listeners} listeners, then ${after.nodes} and ${after.listeners}`);
    // A leak in each cycle would add as many nodes as there were cycles.
    assert.ok(after.nodes - before.nodes < CYCLES, `${after.nodes - before.nodes} more nodes after ${CYCLES} cycles`);
    assert.ok(
      after.listeners - before.listeners < CYCLES,
      `${after.listeners - before.listeners} more listeners after ${CYCLES} cycles`,
    );
  },
);
