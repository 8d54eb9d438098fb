import assert from 'node:assert/strict';
import { addAndRemoveTicker, countMemory, type MemoryUse } from '../support/count-memory.ts';
import { eventually } from '../support/eventually.ts';
import { test } from './fixtures.ts';
import { getCard, createMemberWith, getSearchField } from './watchlist-card.ts';

/** Few enough for what a member may ask in a minute. */
const CYCLES = 10;

test(
  'adding and removing a ticker over and over leaves no node and no listener behind',
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
    // What is still being drawn or taken away, a row or a notice, is no leak: counted is what two looks find alike.
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
    // The first ones fetch and draw what stays.
    await runCycles(3);
    const before = await measureAtRest();
    await runCycles(CYCLES);
    const after = await measureAtRest();
    console.log(`${before.nodes} nodes and ${before.listeners} listeners, then ${after.nodes} and ${after.listeners}`);
    // One that is left behind in each cycle would be as many as there were cycles.
    assert.ok(after.nodes - before.nodes < CYCLES, `${after.nodes - before.nodes} more nodes after ${CYCLES} cycles`);
    assert.ok(
      after.listeners - before.listeners < CYCLES,
      `${after.listeners - before.listeners} more listeners after ${CYCLES} cycles`,
    );
  },
);
