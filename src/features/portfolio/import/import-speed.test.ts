import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { ImportResponse } from './contract.ts';
import { MAX_IMPORT_ROWS } from './holdings-file.ts';
import { MAX_IMPORT_BYTES } from './import-holdings.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

const RUNS = 7;

/** Fills the texts of the rows up to the maximum size of a file. */
function fill(header: string, toRow: (index: number, note: string) => string): string {
  const rowBytes = Math.floor((MAX_IMPORT_BYTES - header.length - 1) / MAX_IMPORT_ROWS) - 1;
  const rows = Array.from({ length: MAX_IMPORT_ROWS }, (_, index) => {
    const length = toRow(index, '').length;
    return toRow(index, 'x'.repeat(Math.max(0, rowBytes - length)));
  });
  return [header, ...rows, ''].join('\n');
}

const symbols = ['AAPL', 'MSFT', 'KO', 'VOO', 'NVDA', 'AMZN', 'JPM', 'V'];
const toDate = (index: number): string => new Date(Date.UTC(2024, 0, 1) + index * 3_600_000).toISOString();
const files = {
  'positions of known securities': fill(
    'Account,Symbol,Quantity,Cost basis,Currency,Note',
    (index, note) => `Depot ${index % 9},${symbols[index % 8]},${1 + (index % 7)}.25,${100 + index}.5,USD,${note}`,
  ),
  'positions of unknown securities': fill(
    'Account,Symbol,Quantity,Cost basis,Currency,Note',
    (index, note) => `Depot,ZQ${index},${1 + (index % 7)}.25,${100 + index}.5,EUR,${note}`,
  ),
  transactions: fill(
    'Date,Action,Symbol,Quantity,Price,Currency,Fee,Note',
    (index, note) =>
      `${toDate(index)},${index % 3 === 2 ? 'Sell' : 'Buy'},${symbols[Math.floor(index / 3) % 8]},1.5,200.25,USD,1,${note}`,
  ),
};

const computeMedian = (times: readonly number[]): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!);

for (const [index, [name, text]] of Object.entries(files).entries())
  test(`previews 10,000 rows of 1 MB: ${name}`, async () => {
    // A member has a limit of previews.
    const member = `user_speed_${index}`;
    await app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
    assert.ok(text.length > 0.95 * MAX_IMPORT_BYTES && text.length <= MAX_IMPORT_BYTES);
    const body = JSON.stringify({ text });
    const times: number[] = [];
    const processorTimes: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = performance.now();
      const used = process.cpuUsage();
      // The checks of app.call would take longer than the preview.
      const response = await fetch(`${app.url}/api/holdings/import?dry_run=1`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-member': member },
        body,
      });
      const answer = await response.text();
      times.push(performance.now() - startedAt);
      const { user, system } = process.cpuUsage(used);
      processorTimes.push((user + system) / 1_000);
      assert.equal(response.status, 200);
      const { lines, errors } = JSON.parse(answer) as ImportResponse;
      assert.deepEqual([lines.total, errors.length], [MAX_IMPORT_ROWS + 1, 0]);
    }
    console.log(
      `${name}: median of ${RUNS} previews ${computeMedian(times)} ms, of them ${computeMedian(processorTimes)} ms of this process`,
    );
  });
