import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { eventuallyEquals } from '../../../test/support/eventually.ts';
import { SITE, sendRequest, TestBrowser } from '../../../test/support/identity.ts';
import { startService, type TestService } from '../../../test/support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ BASE_URL: SITE, API_RATE_LIMIT: '100000' });
});
afterAll(() => service.stop());

/** Creates the API calls of a new member who watches a company and optionally holds it. */
async function createMember(symbol: string, { isHolding }: { isHolding: boolean }) {
  const browser = new TestBrowser(service.url);
  const { sessionId } = await browser.signUp();
  const authorization = `Bearer ${await browser.token(sessionId)}`;
  const call = (method: string, path: string, body?: object) =>
    sendRequest(`${service.url}${path}`, method, body, { authorization });
  assert.equal((await call('POST', '/api/watchlist', { symbol })).status, 201);
  if (!isHolding) return call;
  const account = await call('POST', '/api/accounts', { name: 'Brokerage' });
  assert.equal(account.status, 201, JSON.stringify(account.body));
  const holdingResponse = await call('POST', '/api/investments/holdings', {
    account_id: account.body.account.id,
    symbol,
    quantity: 1,
  });
  assert.equal(holdingResponse.status, 201, JSON.stringify(holdingResponse.body));
  return call;
}

/** Returns the first date that each screen and report shows for a company. */
async function listShownDates(call: Awaited<ReturnType<typeof createMember>>, symbol: string) {
  const read = async (path: string) => (await call('GET', path)).body;
  const findRow = (rows: { symbol: string; date: string }[]) => rows.find((row) => row.symbol === symbol)?.date;
  const list = await read('/api/watchlist');
  const report = await read('/api/assistant/reports/reports_ahead?days=90');
  return {
    list: list.items[0].next_report?.date,
    panel: (await read(`/api/watchlist/ticker/${symbol}`)).next_report?.date,
    watched: findRow((await read('/api/watchlist/earnings')).earnings),
    card: findRow((await read('/api/earnings')).earnings),
    assistant: report.table.rows.find((row: unknown[]) => row[0] === symbol)?.[2],
  };
}

/** Formats a day like the reports of the assistant: Nov 25, 2026. */
const formatDay = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' });

const dayAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

for (const isHolding of [true, false])
  test(`shows one next report date on every screen when the company is ${isHolding ? 'held' : 'watched'}`, async () => {
    const symbol = isHolding ? 'ORCL' : 'ADBE';
    const call = await createMember(symbol, { isHolding });
    const tableDate = dayAhead(75);
    const cacheDate = dayAhead(10);
    const store = async (tableAge: string, cacheAge: string) => {
      await service.database.owner(`delete from public.earnings where symbol = $1`, [symbol]);
      await service.database.owner(
        `insert into public.earnings (symbol, date, "when", sample, updated_at)
         values ($1, $2, 'amc', true, now() - $3::interval)`,
        [symbol, tableDate, tableAge],
      );
      await service.database.owner(
        `insert into market.earnings_cache as c (symbol, reports, fetched_at, sample)
         values ($1, $2, now() - $3::interval, true)
         on conflict (symbol) do update set reports = excluded.reports, fetched_at = excluded.fetched_at`,
        [symbol, JSON.stringify([{ date: cacheDate, when: 'bmo', eps_estimate: 1, estimated: false }]), cacheAge],
      );
    };
    for (const [tableAge, cacheAge, date] of [
      ['2 hours', '1 hour', cacheDate],
      ['1 hour', '2 hours', tableDate],
    ] as const) {
      // A fetch that the add or the holding started may still replace the stored dates.
      const showStored = async () => {
        await store(tableAge, cacheAge);
        return listShownDates(call, symbol);
      };
      const expected = { list: date, panel: date, watched: date, card: date, assistant: formatDay(date) };
      await eventuallyEquals(showStored, expected);
    }
  });
