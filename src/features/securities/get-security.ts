import type { Logger } from 'pino';
import type { Database } from '../../platform/database/connect.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import { withTimeout } from '../../platform/http/with-timeout.ts';
import type { MemberRef } from '../../platform/identity/member.ts';
import { computeChartRanges, computeRangeStarts, type DatedClose } from '../../market-data/domain/chart-ranges.ts';
import { getEpsCurrency } from '../../market-data/domain/eps-currency.ts';
import { datePayments } from '../../market-data/domain/dividends.ts';
import { resolveSymbol } from '../../market-data/services/catalog/catalog-spelling.ts';
import type { LookupRateLimited, RateLimitedLookup } from '../../market-data/services/catalog/lookup-rate-limit.ts';
import type { Registration } from '../../market-data/services/catalog/register-symbol.ts';
import { getUpcomingRange } from '../../market-data/services/earnings/list-reports.ts';
import { readDailyCloses } from '../../market-data/services/history/history-queries.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import type { Position } from '../portfolio/holdings/contract.ts';
import type { Security, SecurityPart, ShownSecurity } from './contract.ts';
import { type CatalogRow, findCatalogRow } from './queries.ts';

/** Whether a symbol is on the member's watchlist, and whether the plan covers its row. */
type WatchState = 'watched' | 'locked' | 'unwatched' | 'unavailable';

export interface SecurityDependencies {
  database: Pick<Database, 'marketReads'>;
  logger: Pick<Logger, 'warn'>;
  market: Pick<
    MarketDataService,
    'registerSymbol' | 'requestBackfill' | 'earnings' | 'dividends' | 'news' | 'fundamentals'
  > & {
    calendar: Pick<MarketDataService['calendar'], 'isMarketDay' | 'toNewYorkDate'>;
  };
  /** Rate-limited look-up of symbols that the catalog lacks. */
  lookUp: RateLimitedLookup;
  /** Returns the member's holdings per symbol. */
  getPortfolio: (member: MemberRef) => Promise<{ positions: readonly Position[] }>;
  /** Returns undefined, without a query of the watchlist, outside the rollout. */
  getWatchState: (member: MemberRef, symbol: string) => Promise<WatchState | undefined>;
  now: () => Date;
}

export interface SecurityRequest {
  deps: SecurityDependencies;
  member: MemberRef;
  sql: MemberSql;
  /** During the demo tour the watchlist appears empty. Its locks still hold. */
  demoTour: boolean;
}

/** The security, and whether its price or history is missing, so that the caller requests them. */
export type SecurityResult =
  | { ok: true; security: Security; needsBackfill: boolean }
  | { ok: false; reason: 'tier_unavailable' }
  | Exclude<Registration | LookupRateLimited, { ok: true }>;

/** Time in ms that a response waits for a part. A slower fetch continues and is in a later response. */
const PART_TIMEOUT_MS = 1_500;
/** Time in ms that a response waits for the look-up of a symbol that the catalog lacks. */
const LOOKUP_TIMEOUT_MS = 4_000;
const MAX_ARTICLES = 5;
const MAX_DIVIDENDS = 8;

/**
 * Returns all that is known of one security. A symbol that is locked on the member's list and not held has its identity
 * alone, in every spelling: the lock is checked with the symbol of the catalog.
 */
export async function getSecurity(request: SecurityRequest, text: string): Promise<SecurityResult> {
  const { deps, member, demoTour } = request;
  const found = await findOrRegister(request, text);
  if (!found.ok) return found;
  const { row } = found;
  const [watchState, { positions }] = await Promise.all([
    deps.getWatchState(member, row.symbol),
    deps.getPortfolio(member),
  ]);
  const position = positions.find(({ symbol }) => symbol === row.symbol) ?? null;
  const isWatched = watchState === 'watched' || watchState === 'locked';
  const identity = {
    symbol: row.symbol,
    name: row.name ?? row.symbol,
    asset_type: row.asset_type,
    exchange: row.exchange,
    logo: row.logo,
    currency: row.currency,
    price_unit: row.asset_type === 'bond' ? ('percent_of_par' as const) : ('currency' as const),
    ...(watchState !== undefined && watchState !== 'unavailable' && { watched: isWatched && !demoTour }),
    held: position !== null,
  };
  if (position === null && watchState === 'unavailable') return { ok: false, reason: 'tier_unavailable' };
  if (position === null && watchState === 'locked')
    return { ok: true, needsBackfill: false, security: { ...identity, locked: true } };

  const { parts, pending, unavailable } = await readParts(deps, row);
  const security: ShownSecurity = {
    ...identity,
    locked: false,
    position,
    price: row.price,
    change_1d: row.change_1d,
    change_amount: row.change_amount,
    prev_close: row.prev_close,
    open: row.open,
    day_low: row.day_low,
    day_high: row.day_high,
    volume: row.volume,
    market_cap: row.market_cap,
    price_at: row.price_at?.toISOString() ?? null,
    delayed_minutes: row.delayed_minutes,
    sample: row.sample,
    ...parts,
    pending,
    unavailable,
  };
  const lacksYear = hasHistory(row) && !unavailable.includes('history') && security.ranges['1Y'] === undefined;
  return { ok: true, security, needsBackfill: lacksYear || row.price === null };
}

/**
 * Returns the listing of a symbol in any spelling, or the reason why there is none. A symbol that the catalog lacks is
 * looked up and registered, within the member's look-ups per minute.
 */
async function findOrRegister(
  { deps, member, sql }: SecurityRequest,
  text: string,
): Promise<{ ok: true; row: CatalogRow } | Exclude<SecurityResult, { ok: true }>> {
  const symbol = await resolveSymbol(sql, text);
  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  const row = await findCatalogRow(sql, symbol);
  if (row) return { ok: true, row };
  const registration = await withTimeout(
    LOOKUP_TIMEOUT_MS,
    deps.lookUp(member.idpId, symbol, (each) => deps.market.registerSymbol(each)),
    () => ({ ok: false as const, reason: 'unavailable' as const }),
  );
  if (!registration.ok) return registration;
  const registeredRow = await findCatalogRow(sql, registration.ticker.symbol);
  return registeredRow ? { ok: true, row: registeredRow } : { ok: false, reason: 'unknown' };
}

const hasHistory = ({ asset_type: assetType }: CatalogRow): boolean => assetType === 'stock' || assetType === 'etf';

/** Result of a part: its value, or the reason why it is missing. */
type PartResult<T> = { value: T } | 'pending' | 'unavailable';

/**
 * Reads the parts of a security at the same time. Returns their fields, which are empty for a missing part, and the names
 * of the parts that are late (`pending`) or have failed (`unavailable`).
 */
async function readParts(deps: SecurityDependencies, row: CatalogRow) {
  const { market, logger } = deps;
  const today = market.calendar.toNewYorkDate(deps.now());
  const readPart = async <T>(
    name: SecurityPart,
    applies: boolean,
    empty: T,
    read: () => Promise<T | undefined>,
  ): Promise<PartResult<T>> => {
    if (!applies) return { value: empty };
    try {
      const reading = read().then((value): PartResult<T> => (value === undefined ? 'unavailable' : { value }));
      return await withTimeout(PART_TIMEOUT_MS, reading, () => 'pending' as const);
    } catch (error) {
      logger.warn({ err: error, part: name }, 'part of a security unavailable; omitted from response');
      return 'unavailable';
    }
  };
  const isCompany = row.asset_type === 'stock';
  const isBond = row.asset_type === 'bond';
  const [history, fundamentals, earnings, dividends, news] = await Promise.all([
    readPart('history', hasHistory(row), [] as DatedClose[], () =>
      readYear(deps, row.ticker_id, computeRangeStarts(today)['1Y']),
    ),
    readPart('fundamentals', !isBond, null, () => market.fundamentals(row.symbol)),
    readPart('earnings', isCompany, null, () => readNextReport(deps, row, today)),
    readPart('dividends', !isBond, [], () => readLastDividends(deps, row.symbol, today)),
    readPart('news', !isBond, [], () => readNews(deps, row.symbol)),
  ]);
  const results = { history, fundamentals, earnings, dividends, news };
  const names = Object.keys(results) as SecurityPart[];
  const closes = toValue(history) ?? [];
  const prices = closes.map(([, price]) => price);
  const facts = toValue(fundamentals);
  return {
    pending: names.filter((name) => results[name] === 'pending'),
    unavailable: names.filter((name) => results[name] === 'unavailable'),
    parts: {
      ranges: computeChartRanges(closes, today, market.calendar),
      low_52w: prices.length > 0 ? Math.min(...prices) : null,
      high_52w: prices.length > 0 ? Math.max(...prices) : null,
      pe_ratio: facts?.peRatio ?? null,
      dividend_yield: facts?.dividendYield ?? null,
      about: {
        description: facts?.description ?? null,
        industry: facts?.industry ?? null,
        website: facts?.website ?? null,
      },
      next_report: toValue(earnings) ?? null,
      dividends: toValue(dividends) ?? [],
      news: toValue(news) ?? [],
    },
  };
}

/** Returns the value of a part, or undefined if it is missing. */
const toValue = <T>(result: PartResult<T>): T | undefined => (typeof result === 'string' ? undefined : result.value);

/** Returns the daily closes since a date, oldest first. Members have no access to the table of price history. */
async function readYear({ database }: SecurityDependencies, tickerId: number, from: string): Promise<DatedClose[]> {
  const rows = await readDailyCloses(database.marketReads, tickerId, from);
  return rows.map(({ date, close }) => [date, close]);
}

/** Returns the next report of a company, null without one, or undefined if its source does not respond. */
async function readNextReport(
  { market }: SecurityDependencies,
  { symbol, sample, currency }: CatalogRow,
  today: string,
): Promise<ShownSecurity['next_report'] | undefined> {
  const { reports, complete } = await market.earnings([symbol], getUpcomingRange(today));
  // A sample report is shown only with a sample price, because the panel marks both together.
  const report = reports.find((each) => sample || !each.sample);
  if (!report) return complete ? null : undefined;
  const { date, when, eps_estimate, estimated } = report;
  return { date, when, eps_estimate, eps_currency: getEpsCurrency(report, currency), estimated };
}

/** Returns the stored dividends, newest first. Those of a security that is not in use are never fetched. */
async function readLastDividends(
  { market }: SecurityDependencies,
  symbol: string,
  today: string,
): Promise<ShownSecurity['dividends']> {
  const [stored] = await market.dividends([symbol]);
  return datePayments(stored?.payments ?? [], today)
    .flatMap(({ status, ...payment }) => (status === 'expected' ? [] : [{ status, ...payment }]))
    .reverse()
    .slice(0, MAX_DIVIDENDS);
}

async function readNews({ market }: SecurityDependencies, symbol: string): Promise<ShownSecurity['news']> {
  const articles = await market.news([[symbol]], MAX_ARTICLES);
  return articles.map(({ title, summary, url, source, published_at }) => ({
    title,
    summary,
    url,
    source,
    published_at,
  }));
}
