/**
 * Runs as a process: refreshes these symbols again and again until it is killed, and prints a line after each refresh,
 * as a process of a deployment would.
 */
import { createAlertEvaluator } from '../../../src/features/alerts/evaluate-alerts.ts';
import { connectDatabase, type DatabaseUrls } from '../../../src/platform/database/connect.ts';
import { isDistributed } from '../../../src/platform/database/distribute.ts';
import { createLogger } from '../../../src/platform/http/logger.ts';
import { createMarket } from '../market-fixture.ts';

const [urls, baseUrl, key, now, symbols] = JSON.parse(process.argv[2]!) as [
  urls: DatabaseUrls,
  baseUrl: string,
  key: string,
  now: string,
  symbols: string[],
];
const database = connectDatabase(urls, { distributed: await isDistributed(urls.service) });
const market = createMarket(
  database,
  { fmp: { key, baseUrl, callsPerMinute: 1_000_000 } },
  () => new Date(now),
  createLogger('silent'),
  createAlertEvaluator({ sendsMail: true, capture: () => {} }),
);
let written = 1;
while (written > 0) {
  ({ written } = await market.refreshNow(symbols));
  process.stdout.write(`${written}\n`);
}
