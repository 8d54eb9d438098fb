import type { z } from 'zod';
import type { ReadOnly } from '../../../platform/database/read-only.ts';
import type { ReadingMember } from '../../../platform/identity/member.ts';
import type { MarketStatus } from '../../../market-data/services/market-status.ts';
import type { upcomingReport } from '../../../market-data/contract.ts';

export type UpcomingReport = z.infer<typeof upcomingReport>;

/** A symbol with its newest price. */
export interface Quote {
  symbol: string;
  name: string | null;
  currency: string | null;
  price: number | null;
  price_unit: 'currency' | 'percent_of_par';
  /** In percent. */
  change_1d: number | null;
  price_at: string | null;
}

/** A watched row that the plan covers. */
export interface WatchedItem extends Quote {
  locked: false;
  change_amount: number | null;
  prev_close: number | null;
  sample: boolean;
  held: boolean;
  next_report: Pick<UpcomingReport, 'date' | 'when'> | null;
}

interface WatchedList {
  rows: readonly { item: WatchedItem | { locked: true; symbol: string } }[];
}

/** A watched symbol in full. */
export interface Detail extends WatchedItem {
  open: number | null;
  day_low: number | null;
  day_high: number | null;
  low_52w: number | null;
  high_52w: number | null;
  volume: number | null;
}

/** What is held of a symbol, or a part of it. */
interface Held {
  quantity: number;
  value: number | null;
  cost_basis: number | null;
  currency: string | null;
}

export interface Position extends Quote, Held {
  accounts: readonly (Held & { account_name: string })[];
}

export interface Article {
  title: string;
  summary: string;
  url: string;
  source: string;
  published_at: string;
  symbols: readonly string[];
}

interface Worth {
  cash: number;
  investments: number;
  total: number;
}

interface NetWorth {
  currencies: readonly (Worth & { currency: string; history: readonly (Worth & { date: string })[] })[];
  unpriced: readonly string[];
  sample_data: boolean;
}

interface Portfolio {
  positions: readonly Position[];
  sample_data: boolean;
}

interface ReportsAhead {
  earnings: readonly UpcomingReport[];
  complete: boolean;
  sample_data: boolean;
}

interface LatestNews {
  articles: readonly Article[];
  complete: boolean;
  sample_data: boolean;
}

/** What is known of a member, through functions that app.ts hands over; all of them read. */
export interface FactSources {
  database: { readOnly: Pick<ReadOnly, 'run'> | undefined };
  watchlist: {
    /** Whether the rollout is on for the member. */
    isWatchlistOn(member: ReadingMember): Promise<boolean>;
    /** The list; `undefined` where the tier cannot be looked up now. */
    listOf(member: ReadingMember): Promise<WatchedList | undefined>;
    /** A watched symbol that the plan covers. */
    detailOf(
      member: ReadingMember,
      symbol: string,
    ): Promise<{ ok: true; detail: Detail } | { ok: false; reason: 'not_shown' | 'tier_unavailable' }>;
  };
  portfolios: {
    portfolioOf(member: ReadingMember): Promise<Portfolio>;
    netWorthOf(member: ReadingMember, days: number): Promise<NetWorth>;
  };
  dashboard: {
    /** Reports of held and watched companies in the next 90 days, by date. */
    reportsAheadOf(member: ReadingMember, options: { watched: boolean }): Promise<ReportsAhead>;
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
  /** The list; empty during the demo tour; `undefined` outside the rollout; 'unknown' while the tier is. */
  list(): Promise<WatchedList | 'unknown' | undefined>;
  /** A watched symbol that the plan covers; `undefined` for any other. */
  detail(symbol: string): Promise<Detail | undefined>;
  portfolio(): Promise<Portfolio>;
  netWorth(days: number): Promise<NetWorth>;
  /** Reports in the next 90 days, by date. */
  reportsAhead(): Promise<ReportsAhead>;
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
      if (!(await watchlist.isWatchlistOn(member))) return undefined;
      return demoTour ? { rows: [] } : ((await watchlist.listOf(member)) ?? 'unknown');
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
