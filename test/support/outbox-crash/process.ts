/**
 * Runs as a process: captures events `from` to `to` of a test in batches, forwards waiting events concurrently, and
 * prints each committed event. Ends once nothing waits, or forwards until it is killed if not `ends`.
 */
import { isDistributed } from '../../../src/platform/database/distribute.ts';
import { connectDatabase, type DatabaseUrls } from '../../../src/platform/database/connect.ts';
import { createAnalytics, deterministicEventId } from '../../../src/platform/analytics/analytics.ts';
import { createLogger } from '../../../src/platform/http/logger.ts';

const [urls, host, from, to, batchSize, ends] = JSON.parse(process.argv[2]!) as [
  urls: DatabaseUrls,
  host: string,
  from: number,
  to: number,
  batchSize: number,
  ends: boolean,
];
const sql = connectDatabase(urls, { distributed: await isDistributed(urls.service) }).service;
const service = { host, apiKey: 'phc_test' };
const analytics = createAnalytics({ sql, logger: createLogger('silent'), service });
const signal = AbortSignal.timeout(600_000);
const report = (at: number): void => {
  process.stdout.write(`${at}\n`);
};

let writing = true;
const forwarding = (async () => {
  for (let left = true; left;) {
    const last = !writing;
    const done = await Promise.resolve(analytics.tasks['forward-analytics']!({} as never, { signal } as never)).then(
      () => true,
      () => false,
    );
    left = !(last && done);
  }
})();
/** Two members share 5,000 events to stay below the limit of a day. */
const getMember = (at: number): string => ((at / batchSize) % 2 === 0 ? 'user_a' : 'user_b');
for (let at = from; at < to;) {
  const end = Math.min(to, at + batchSize);
  const idpId = getMember(at);
  // The first event is written in a transaction, like a change of state. The others are sent as from a browser.
  await sql.transaction((tx) =>
    analytics.captureInTransaction(
      tx,
      idpId,
      [{ event: 'subscription_changed', properties: { amount_minor: at }, transition: `change ${at}` }],
      { declined: false },
    ),
  );
  const rest = Array.from({ length: end - at - 1 }, (_, i) => at + 1 + i);
  await analytics.record(
    idpId,
    rest.map((n) => ({
      id: deterministicEventId(`event ${n}`),
      event: 'watchlist_viewed',
      properties: { item_count: n },
      occurredAt: new Date(),
    })),
  );
  at = end;
  report(at);
}
writing = !ends;
await forwarding;
process.exit(0);
