import type { ReadOnly } from '../../../platform/database/read-only.ts';
import type { MemberRef } from '../../../platform/identity/member.ts';
import type { MarketStatus } from '../../../market-data/services/market-status.ts';
import type { NetWorthResponse, Position } from '../../portfolio/contract.ts';
import type { EarningsResponse, NewsResponse } from '../../portfolio/dashboard/contract.ts';
import type { ActiveItem, TickerDetail, WatchlistItem } from '../../watchlist/contract.ts';

/** A watched row that the plan covers, without the closes of its sparkline. */
export type WatchedItem = Omit<ActiveItem, 'closes'>;

type WatchedRow = { item: WatchedItem | Extract<WatchlistItem, { locked: true }> };

/** The list, or why there is none. */
type WatchedList =
  | { state: 'available'; rows: readonly WatchedRow[] }
  | { state: 'not_in_rollout' }
  | { state: 'tier_unavailable' };

interface Portfolio {
  positions: readonly Position[];
  sample_data: boolean;
}

type LatestNews = NewsResponse & { complete: boolean };

/** What is known of a member, through functions that app.ts hands over; all of them read. */
export interface MemberDataSources {
  database: { readOnly: Pick<ReadOnly, 'run'> | undefined };
  watchlist: {
    /** Whether the rollout is on for the member. */
    isWatchlistOn(member: MemberRef): Promise<boolean>;
    /** The list; `undefined` where the tier cannot be looked up now. */
    getWatchlist(member: MemberRef): Promise<{ rows: readonly WatchedRow[] } | undefined>;
    /** A watched symbol that the plan covers. */
    getTickerDetail(
      member: MemberRef,
      symbol: string,
    ): Promise<{ ok: true; detail: TickerDetail } | { ok: false; reason: 'not_shown' | 'tier_unavailable' }>;
  };
  portfolios: {
    getPortfolio(member: MemberRef): Promise<Portfolio>;
    getNetWorth(member: MemberRef, days: number): Promise<NetWorthResponse>;
  };
  dashboard: {
    /** Reports of held and watched companies in the next 90 days, by date. */
    getUpcomingReports(member: MemberRef, options: { watched: boolean }): Promise<EarningsResponse>;
    /** About held and watched symbols, or the one that is named; newest first. */
    getNews(
      member: MemberRef,
      options: { watched: boolean; limit: number; symbol?: string | undefined },
    ): Promise<LatestNews>;
  };
  /** The US session now; null where it is unknown. */
  getMarketSession: () => Promise<MarketStatus | null>;
  now?: () => Date;
}

/** What the tools read with: the sources in one member's name. */
export interface ToolContext {
  readonly member: MemberRef;
  readonly readOnly: Pick<ReadOnly, 'run'> | undefined;
  readonly now: () => Date;
  isWatchlistOn(): Promise<boolean>;
  /** The list, which is empty during the demo tour. */
  getWatchlist(): Promise<WatchedList>;
  /** A watched symbol that the plan covers; `undefined` for any other. */
  getTickerDetail(symbol: string): Promise<TickerDetail | undefined>;
  getPortfolio(): Promise<Portfolio>;
  getNetWorth(days: number): Promise<NetWorthResponse>;
  /** Reports in the next 90 days, by date. */
  getUpcomingReports(): Promise<EarningsResponse>;
  /** Newest first. */
  getNews(options: { limit: number; symbol?: string | undefined }): Promise<LatestNews>;
  /** The US session now; null where it is unknown. */
  getMarketSession(): Promise<MarketStatus | null>;
}

/**
 * Binds the sources to a member. In the demo tour (`demoTour`) the watchlist is an empty one. What several tools of
 * one answer ask for is asked anew each time: figures change meanwhile.
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
    getUpcomingReports: () => dashboard.getUpcomingReports(member, { watched: !demoTour }),
    getNews: (options) => dashboard.getNews(member, { ...options, watched: !demoTour }),
    getMarketSession: () => sources.getMarketSession(),
  });
