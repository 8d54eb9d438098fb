import type { ReadOnly } from '../../../platform/database/read-only.ts';
import type { MemberRef } from '../../../platform/identity/member.ts';
import type { MarketStatus } from '../../../market-data/services/market-status.ts';
import type { Alert, FiredAlert as FiredAlertResponse } from '../../alerts/contract.ts';
import type { NetWorthResponse } from '../../portfolio/net-worth/contract.ts';
import type { DividendsResponse, DividendStatus } from '../../portfolio/dividends/contract.ts';
import type { Position } from '../../portfolio/holdings/contract.ts';
import type { EarningsResponse, NewsResponse } from '../../portfolio/dashboard/contract.ts';
import type { ActiveItem, TickerDetail, WatchlistItem } from '../../watchlist/contract.ts';

/** Alerts with the times as dates. */
type WaitingAlert = Omit<Alert, 'created_at'> & { created_at: Date };
type FiredAlert = Omit<FiredAlertResponse, 'price_at' | 'fired_at'> & { price_at: Date; fired_at: Date };

/** A watched row that the plan covers, without the closes of its sparkline. */
export type WatchedItem = Omit<ActiveItem, 'closes'>;

type WatchedRow = { item: WatchedItem | Extract<WatchlistItem, { locked: true }> };

/** The watchlist, or the reason for its absence. */
type WatchedList =
  | { state: 'available'; rows: readonly WatchedRow[] }
  | { state: 'not_in_rollout' }
  | { state: 'tier_unavailable' };

interface Portfolio {
  positions: readonly Position[];
  sample_data: boolean;
}

/** Dividend income in the base currency: of each month (YYYY-MM) and security, and its totals. */
interface DividendIncome {
  rows: readonly { symbol: string; name: string; month: string; status: DividendStatus; income: number }[];
  dividends: DividendsResponse;
}

type LatestNews = NewsResponse & { complete: boolean };

/** Read-only data sources of a member, provided by app.ts. */
export interface MemberDataSources {
  database: { readOnly: Pick<ReadOnly, 'run'> | undefined };
  watchlist: {
    /** Returns whether the rollout is on for the member. */
    isWatchlistOn(member: MemberRef): Promise<boolean>;
    /** Returns the watchlist, or `undefined` if the tier is unavailable. */
    getWatchlist(member: MemberRef): Promise<{ rows: readonly WatchedRow[] } | undefined>;
    /** Returns a watched symbol that the plan covers. */
    getTickerDetail(
      member: MemberRef,
      symbol: string,
    ): Promise<{ ok: true; detail: TickerDetail } | { ok: false; reason: 'not_shown' | 'tier_unavailable' }>;
  };
  portfolios: {
    getPortfolio(member: MemberRef): Promise<Portfolio>;
    getNetWorth(member: MemberRef, days: number): Promise<NetWorthResponse>;
    /** Returns the dividend income of the member's holdings, by month and security, with its totals. */
    getDividendIncome(member: MemberRef): Promise<DividendIncome>;
  };
  dashboard: {
    /** Returns earnings dates of held and watched companies in the next 90 days, by date. */
    getUpcomingReports(member: MemberRef, options: { watched: boolean }): Promise<EarningsResponse>;
    /** Returns news about held and watched symbols, or about the given one, newest first. */
    getNews(
      member: MemberRef,
      options: { watched: boolean; limit: number; symbol?: string | undefined },
    ): Promise<LatestNews>;
  };
  /** Returns the alerts that wait for a price, and those that fired, newest first. */
  readAlerts: (member: MemberRef) => Promise<{ alerts: readonly WaitingAlert[]; fired: readonly FiredAlert[] }>;
  /** Returns the current US session, or null if it is unknown. */
  getMarketSession: () => Promise<MarketStatus | null>;
  now?: () => Date;
}

/** The data sources of the tools, bound to one member. */
export interface ToolContext {
  readonly member: MemberRef;
  readonly readOnly: Pick<ReadOnly, 'run'> | undefined;
  readonly now: () => Date;
  isWatchlistOn(): Promise<boolean>;
  /** Returns the watchlist, which is empty during the demo tour. */
  getWatchlist(): Promise<WatchedList>;
  /** Returns a watched symbol that the plan covers, or `undefined` for any other. */
  getTickerDetail(symbol: string): Promise<TickerDetail | undefined>;
  getPortfolio(): Promise<Portfolio>;
  getNetWorth(days: number): Promise<NetWorthResponse>;
  getDividendIncome(): Promise<DividendIncome>;
  /** Returns earnings dates of the next 90 days, by date. */
  getUpcomingReports(): Promise<EarningsResponse>;
  /** Returns news, newest first. */
  getNews(options: { limit: number; symbol?: string | undefined }): Promise<LatestNews>;
  /** Returns the member's alerts, none during the demo tour. */
  getAlerts(): Promise<{ alerts: readonly WaitingAlert[]; fired: readonly FiredAlert[] }>;
  /** Returns the current US session, or null if it is unknown. */
  getMarketSession(): Promise<MarketStatus | null>;
}

/**
 * Binds the sources to a member. During the demo tour (`demoTour`) the watchlist is empty. Results are not cached
 * between the tools of one answer, because figures change.
 */
export const createToolContextFactory =
  ({ database, watchlist, portfolios, dashboard, ...sources }: MemberDataSources) =>
  (member: MemberRef, { demoTour = false }: { demoTour?: boolean } = {}): ToolContext => ({
    member,
    readOnly: database.readOnly,
    now: sources.now ?? (() => new Date()),
    isWatchlistOn: () => watchlist.isWatchlistOn(member),
    async getWatchlist() {
      if (!(await watchlist.isWatchlistOn(member))) return { state: 'not_in_rollout' };
      if (demoTour) return { state: 'available', rows: [] };
      const list = await watchlist.getWatchlist(member);
      return list ? { state: 'available', rows: list.rows } : { state: 'tier_unavailable' };
    },
    async getTickerDetail(symbol) {
      if (demoTour || !(await watchlist.isWatchlistOn(member))) return undefined;
      const result = await watchlist.getTickerDetail(member, symbol);
      return result.ok ? result.detail : undefined;
    },
    getPortfolio: () => portfolios.getPortfolio(member),
    getNetWorth: (days) => portfolios.getNetWorth(member, days),
    getDividendIncome: () => portfolios.getDividendIncome(member),
    getUpcomingReports: () => dashboard.getUpcomingReports(member, { watched: !demoTour }),
    getNews: (options) => dashboard.getNews(member, { ...options, watched: !demoTour }),
    getAlerts: async () => (demoTour ? { alerts: [], fired: [] } : sources.readAlerts(member)),
    getMarketSession: () => sources.getMarketSession(),
  });
