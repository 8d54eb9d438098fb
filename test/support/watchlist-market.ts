import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceSql } from '../../src/platform/database/roles.ts';
import { marketCalendar } from '../../src/market-data/domain/market-calendar.ts';
import type { ReportsResult } from '../../src/market-data/services/earnings/list-reports.ts';
import type { WatchlistMarket } from '../../src/features/watchlist/context.ts';

const NAMES = ['AAPL', 'MSFT', 'NVDA', 'AMZN', 'GOOGL', 'META', 'BRK.B', 'KO', 'JPM', 'XOM'];

/**
 * Inserts a catalog with the four kinds and edge cases: ten stocks with a year of closes, AAA01–AAA60 with a handful,
 * an ETF, a fund with only a price, a bond, a stock without a name, one with 12 days of history, and symbols that need
 * escaping in a path.
 */
export async function insertTickers(sql: ServiceSql): Promise<void> {
  await sql.query(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, exchange, currency, current_price, change_1d,
      change_amount, prev_close,
       open, day_low, day_high, volume, market_cap, price_at, delayed_minutes, source)
     select s, 'stock', s || ' Inc.', 'NASDAQ', 'USD', 200.5, 1.25, 2.47, 198.03, 199, 197.5, 201, 51234567, 3.1e12,
       '2026-11-18T20:15:00Z', 15, 'fmp'
       from unnest($1::text[]) s`,
    [
      [
        ...NAMES,
        ...Array.from({ length: 60 }, (_, i) => `AAA${String(i + 1).padStart(2, '0')}`),
        'BF-B',
        'BRK/A',
        'RY=F',
        'A^B',
      ],
    ],
  );
  await sql.query(
    `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency, current_price, price_at, source)
      values
       ('VOO', 'etf', 'Vanguard S&P 500 ETF', 'USD', 612.4, '2026-11-18T20:15:00Z', 'simulator'),
       ('VFIAX', 'mutual_fund', 'Vanguard 500 Index Fund', 'USD', 540.12, '2026-11-17T22:00:00Z', 'simulator'),
       ('US912810TM09', 'bond', 'US Treasury 4% 2052', 'USD', 98.125, '2026-11-18T20:00:00Z', 'simulator'),
       ('NONAME', 'stock', null, null, null, null, 'simulator'),
       ('YOUNG', 'stock', 'Young Company', 'USD', 12, '2026-11-18T20:15:00Z', 'simulator')`,
  );
  await sql.query(
    `insert into public.tracked_tickers_historical (ticker_id, d, close)
     select t.ticker_id, g::date, 100 + extract(doy from g) / 10
       from public.tracked_tickers_latest t,
            generate_series(case when t.symbol = 'YOUNG' then date '2026-11-03'
              when t.symbol like 'AAA%' then date '2026-11-10' else date '2025-11-01' end, date '2026-11-17', '1 day') g
      where t.asset_type in ('stock', 'etf') and t.symbol <> 'NONAME' and extract(isodow from g) < 6`,
  );
}

/** Symbols that the market was called with, in order. */
export interface MarketLog {
  backfills: string[];
  registered: string[];
  /** Symbols of registrations, known or not. `lookups` has those of lookups without a registration. */
  registrationRequests: string[];
  lookups: string[];
}

/** Returns true for companies that the catalog lacks: NEWCO, and NEW0, NEW1, … */
const isNewCompany = (symbol: string): boolean => /^NEW(CO|\d+)$/.test(symbol);

/**
 * Creates a market that registers symbols of the catalog and of these new companies and has a few reports. Each part
 * fails while its name is in `unavailable`. Parts in `pending` do not resolve until they are removed from it.
 */
export function createCatalogMarket(
  sql: ServiceSql,
  log: MarketLog,
): WatchlistMarket & { unavailable: Set<string>; pending: Set<string> } {
  const unavailable = new Set<string>();
  const pending = new Set<string>();
  const reports: ReportsResult['reports'] = [
    { symbol: 'AAPL', date: '2026-11-19', when: 'amc', eps_estimate: 1.61, estimated: false, sample: false },
    { symbol: 'MSFT', date: '2026-11-27', when: null, eps_estimate: null, estimated: true, sample: false },
    { symbol: 'KO', date: '2027-02-16', when: 'bmo', eps_estimate: 0.55, estimated: true, sample: false },
    { symbol: 'XOM', date: '2027-02-17', when: 'bmo', eps_estimate: 2, estimated: true, sample: false },
    { symbol: 'VOO', date: '2026-12-01', when: null, eps_estimate: null, estimated: true, sample: false },
    { symbol: 'NVDA', date: '2026-12-02', when: 'amc', eps_estimate: 1.2, estimated: false, sample: false },
    { symbol: 'AMZN', date: '2026-12-02', when: 'amc', eps_estimate: 2.1, estimated: false, sample: false },
  ];
  const assertAvailable = (name: string): void => {
    if (unavailable.has(name)) throw new Error(`${name} is unavailable.`);
  };
  return {
    unavailable,
    pending,
    source: 'catalog',
    calendar: marketCalendar,
    async status() {
      assertAvailable('status');
      return { session: 'open', next_change_at: '2026-11-18T21:00:00.000Z', session_valid_seconds: 60 };
    },
    async lookUpSymbol(symbol) {
      log.lookups.push(symbol);
      if (unavailable.has('provider')) return { ok: false, reason: 'unavailable' };
      if (symbol.endsWith('USDT')) return { ok: false, reason: 'unsupported' };
      if (isNewCompany(symbol)) return { ok: true, symbol };
      return { ok: false, reason: 'unknown' };
    },
    async registerSymbol(symbol) {
      log.registrationRequests.push(symbol);
      if (unavailable.has('provider')) return { ok: false, reason: 'unavailable' };
      if (symbol.endsWith('USDT')) return { ok: false, reason: 'unsupported' };
      if (isNewCompany(symbol))
        await sql.query(
          `insert into public.tracked_tickers_latest (symbol, asset_type, name, currency) values ($1, 'stock', ` +
            `'New Company', 'USD') on conflict do nothing`,
          [symbol],
        );
      const [row] = await sql.query<{ symbol: string }>(
        `select symbol from public.tracked_tickers_latest where symbol = $1`,
        [symbol],
      );
      if (!row) return { ok: false, reason: 'unknown' };
      log.registered.push(symbol);
      return {
        ok: true,
        ticker: {
          symbol,
          asset_type: 'stock',
          name: null,
          exchange: null,
          currency: null,
          logo: null,
          logo_source: null,
          isin: null,
        },
      };
    },
    async requestBackfill(symbol) {
      log.backfills.push(symbol);
      while (pending.has('backfill')) await sleep(10);
      assertAvailable('backfill');
    },
    async earnings(symbols, { from, to }) {
      const inRange = reports.filter(
        (report) => symbols.includes(report.symbol) && report.date >= from && report.date <= to,
      );
      return { reports: inRange, complete: !unavailable.has('earnings') };
    },
    async nextReports(symbols) {
      assertAvailable('reports');
      if (pending.has('reports')) await new Promise(() => {});
      return new Map(
        reports
          .filter((report) => symbols.includes(report.symbol))
          .map(({ symbol, date, when }) => [symbol, { date, when }]),
      );
    },
  };
}
