import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useSite } from '../support/browser.ts';
import { addAndRemove, countMemory } from '../support/count-memory.ts';
import { card, memberWith, search } from './watchlist-card.ts';

const site = useSite({ API_RATE_LIMIT: '100000' });

test('adding and removing a ticker over and over leaves no node and no listener behind', async (t) => {
  const page = await site.visit(t);
  await memberWith(page, site.service, ['AAPL', 'MSFT']);
  const cdp = await page.context().newCDPSession(page);
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill('TSLA');
  await card(page).getByRole('option', { name: /^TSLA/ }).waitFor();
  await search(page).focus();
  const cycles = async (count: number): Promise<void> => {
    for (let cycle = 0; cycle < count; cycle += 1) await addAndRemove(page, 'TSLA');
  };
  // The first ones fetch and draw what stays.
  await cycles(5);
  const before = await countMemory(cdp);
  await cycles(30);
  const after = await countMemory(cdp);
  t.diagnostic(`${before.nodes} nodes and ${before.listeners} listeners, then ${after.nodes} and ${after.listeners}`);
  // One that is left behind in each cycle would be 30; a row that is being drawn while it is counted is fewer than that.
  assert.ok(after.nodes - before.nodes < 30, `${after.nodes - before.nodes} more nodes after 30 cycles`);
  assert.ok(after.listeners - before.listeners < 30, `${after.listeners - before.listeners} more listeners after 30 cycles`);
});
