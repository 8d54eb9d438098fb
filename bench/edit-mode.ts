/**
 * `npm run bench -- edit-mode [--rows 250] [--rounds 15]`: the edit mode of the watchlist with so many rows, in
 * Chromium: what it costs to take a row by keyboard, to move it a step and to drop it, against React Aria's grid list
 * with drag and drop, whole and virtual, in the same run. First each must give the same order. Then what React Aria
 * would add to the page's scripts.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { buildWeb } from '../scripts/build-web.ts';
import { card, memberWith, setTier, watch } from '../test/e2e/watchlist-card.ts';
import { openBrowser } from '../test/support/open-browser.ts';
import { startService } from '../test/support/service.ts';
import { bundleOf, gzipOf, reactAriaParts } from './edit-mode/bundle.ts';
import { startStopwatch } from './edit-mode/stopwatch.ts';

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '250' }, rounds: { type: 'string', default: '15' } },
});
const rows = Number(options.rows);
const rounds = Number(options.rounds);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Takes, moves and drops the row that has the focus, over and over, and prints the medians. */
async function measure(name: string, page: Page): Promise<void> {
  const stopwatch = await startStopwatch(page);
  for (const clock of ['work', 'toPaint'] as const) {
    const times: Record<'take' | 'step' | 'drop', number[]> = { take: [], step: [], drop: [] };
    for (let round = 0; round < rounds; round += 1) {
      times.take.push(await stopwatch[clock]('Enter'));
      times.step.push(await stopwatch[clock]('ArrowDown'), await stopwatch[clock]('ArrowDown'));
      times.drop.push(await stopwatch[clock]('Enter'));
      // React Aria leaves the focus on the row: back to its handle.
      if (name !== 'ours') await page.keyboard.press('ArrowRight');
    }
    const told = Object.entries(times).map(([what, list]) => `${what} ${median(list).toFixed(0).padStart(4)} ms`);
    console.log(
      `${name.padEnd(20)} ${clock === 'work' ? 'main thread      ' : 'to paint, 4× slow'}  ${told.join('   ')}`,
    );
  }
}

const browser = await openBrowser();
await buildWeb({ ifStale: true });
const service = await startService({});
const script = await bundleOf(fileURLToPath(new URL('edit-mode/react-aria-list.tsx', import.meta.url)));
const peer = createServer((request, response) => {
  if (request.url === '/list.js') response.setHeader('content-type', 'text/javascript').end(script);
  else
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>React Aria</title><div id="app"></div>' +
          '<script type="module" src="/list.js"></script></html>',
      );
});
await new Promise<void>((listening) => peer.listen(0, '127.0.0.1', listening));
try {
  const page = await (
    await browser.newContext({ baseURL: service.url, viewport: { width: 1280, height: 800 } })
  ).newPage();
  const person = await memberWith(page, service, []);
  await setTier(service, person, 'max');
  const known = await service.database.owner<{ symbol: string }>(
    'select symbol from public.tracked_tickers_latest order by symbol limit $1',
    [rows],
  );
  assert.equal(known.length, rows, 'the catalog has so many symbols');
  await watch(
    service,
    person,
    known.map(({ symbol }) => symbol),
  );
  await page.reload();
  await card(page).getByRole('button', { name: 'Edit watchlist' }).click();
  const handles = page.getByRole('dialog').getByRole('button', { name: /^Reorder/ });
  const first = await handles.first().getAttribute('data-handle');
  await handles.first().focus();
  for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('dialog').getByText(`position 3 of ${rows}`).first().waitFor();
  assert.equal(await handles.nth(2).getAttribute('data-handle'), first, 'ours moves a row by two');
  await measure('ours', page);
  await page.close();

  for (const kind of ['whole', 'virtual']) {
    const other = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await other.goto(
      `http://127.0.0.1:${(peer.address() as AddressInfo).port}/?rows=${rows}${kind === 'virtual' ? '&virtual' : ''}`,
    );
    await other.getByRole('row', { name: 'Company 0', exact: true }).focus();
    await other.keyboard.press('ArrowRight');
    await other.keyboard.press('Enter');
    // From the gap above the row: below it, below the next, and the one after.
    await other
      .getByRole('button', { name: /^Insert/ })
      .first()
      .waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await other.keyboard.press(key);
    await other.getByText('S1 S2 S0 S3').or(other.getByText('S1 S0 S2 S3')).waitFor();
    await other.keyboard.press('ArrowRight');
    await measure(`React Aria, ${kind}`, other);
    await other.close();
  }
} finally {
  await browser.close();
  peer.close();
  await service.stop();
}

for (const [name, parts] of Object.entries(reactAriaParts)) {
  const [all, english] = [await gzipOf(parts, false), await gzipOf(parts, true)];
  console.log(`${name.padEnd(52)} ${all.toFixed(1)} kB gzip without React, ${english.toFixed(1)} with English alone`);
}
