import type { ReadOnly } from '../../../platform/database/read-only.ts';
import type { ReadingMember } from '../../../platform/identity/member.ts';
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
export interface FactSources {
  database: { readOnly: Pick<ReadOnly, 'run'> | undefined };
  watchlist: {
    /** Whether the rollout is on for the member. */
    isWatchlistOn(member: ReadingMember): Promise<boolean>;
    /** The list; `undefined` where the tier cannot be looked up now. */
    listOf(member: ReadingMember): Promise<{ rows: readonly WatchedRow[] } | undefined>;
    /** A watched symbol that the plan covers. */
    detailOf(
      member: ReadingMember,
      symbol: string,
    ): Promise<{ ok: true; detail: TickerDetail } | { ok: false; reason: 'not_shown' | 'tier_unavailable' }>;
  };
  portfolios: {
    portfolioOf(member: ReadingMember): Promise<Portfolio>;
    netWorthOf(member: ReadingMember, days: number): Promise<NetWorthResponse>;
  };
  dashboard: {
    /** Reports of held and watched companies in the next 90 days, by date. */
    reportsAheadOf(member: ReadingMember, options: { watched: boolean }): Promise<EarningsResponse>;
    /** About held and watched symbols, or the one that is named; newest first. */
    newsOf(
      member: ReadingMember,
      options: { watched: boolean; limit: number; symbol?: string | undefined },
    ): Promise<LatestNews>;
  };
  /** The US session now; null where it is unknown. */
  sessionNow: () => Promise<MarketStatus | null>;
  now?: () => Date;
}

/** What the tools read with: the sources in one member's name. */
export interface ToolContext {
  readonly member: ReadingMember;
  readonly readOnly: Pick<ReadOnly, 'run'> | undefined;
  readonly now: () => Date;
  isWatchlistOn(): Promise<boolean>;
  /** The list, which is empty during the demo tour. */
  list(): Promise<WatchedList>;
  /** A watched symbol that the plan covers; `undefined` for any other. */
  detail(symbol: string): Promise<TickerDetail | undefined>;
  portfolio(): Promise<Portfolio>;
  netWorth(days: number): Promise<NetWorthResponse>;
  /** Reports in the next 90 days, by date. */
  reportsAhead(): Promise<EarningsResponse>;
  /** Newest first. */
  news(options: { limit: number; symbol?: string | undefined }): Promise<LatestNews>;
  /** The US session now; null where it is unknown. */
  session(): Promise<MarketStatus | null>;
}

/**
 * Binds the sources to a member. In the demo tour (`demoTour`) the watchlist is an empty one. What several tools of
 * one answer ask for is asked anew each time: figures change meanwhile.
 */
export const bindTools =
  ({ database, watchlist, portfolios, dashboard, ...sources }: FactSources) =>
  (member: ReadingMember, { demoTour = false }: { demoTour?: boolean } = {}): ToolContext => ({
    member,
    readOnly: database.readOnly,
    now: sources.now ?? (() => new Date()),
    isWatchlistOn: () => watchlist.isWatchlistOn(member),
    async list() {
      if (!(await watchlist.isWatchlistOn(member))) return { state: 'not_in_rollout' };
      if (demoTour) return { state: 'available', rows: [] };
      const list = await watchlist.listOf(member);
      return list ? { state: 'available', rows: list.rows } : { state: 'tier_unavailable' };
    },
    async detail(symbol) {
      if (demoTour || !(await watchlist.isWatchlistOn(member))) return undefined;
      const read = await watchlist.detailOf(member, symbol);
      return read.ok ? read.detail : undefined;
    },
    portfolio: () => portfolios.portfolioOf(member),
    netWorth: (days) => portfolios.netWorthOf(member, days),
    reportsAhead: () => dashboard.reportsAheadOf(member, { watched: !demoTour }),
    news: (options) => dashboard.newsOf(member, { ...options, watched: !demoTour }),
    session: () => sources.sessionNow(),
  });
