import type { ReadOnly } from '../../database/read-only.ts';
import type { ReadingMember } from '../../identity/member.ts';

interface NextReport {
  date: string;
  /** Before the market opens, or after it closes. */
  when: 'bmo' | 'amc' | null;
}

/** A symbol with its newest price. */
export interface Quote {
  symbol: string;
  name: string | null;
  asset_type: string;
  currency: string | null;
  price: number | null;
  price_unit: 'currency' | 'percent_of_par';
  /** In percent. */
  change_1d: number | null;
  price_at: string | null;
}

/** A watched row that the plan covers. */
export interface WatchedItem extends Quote {
  position: number;
  locked: false;
  change_amount: number | null;
  prev_close: number | null;
  market_cap: number | null;
  sample: boolean;
  held: boolean;
  next_report: NextReport | null;
}

type Session = { session: 'pre' | 'open' | 'post' | 'closed'; next_change_at: string };

interface WatchedList {
  rows: readonly { item: WatchedItem | { locked: true; symbol: string } }[];
  market: Session | null;
}

/** A watched symbol in full. */
export interface Detail extends WatchedItem {
  open: number | null;
  day_low: number | null;
  day_high: number | null;
  low_52w: number | null;
  high_52w: number | null;
  volume: number | null;
  closes: readonly (readonly [day: string, close: number])[] | null;
}

export interface Position extends Quote {
  quantity: number;
  value: number | null;
  cost_basis: number | null;
  accounts: readonly {
    account_name: string;
    quantity: number;
    value: number | null;
    cost_basis: number | null;
    currency: string | null;
  }[];
}

export interface Article {
  title: string;
  summary: string;
  url: string;
  source: string;
  published_at: string;
  symbols: readonly string[];
  related_held: readonly string[];
  related_watched: readonly string[];
}

export interface UpcomingReport extends NextReport {
  symbol: string;
  name: string;
  eps_estimate: number | null;
  estimated: boolean;
  sample: boolean;
  held: boolean;
  watching: boolean;
  market_days: number;
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
  database: { readOnly: ReadOnly | undefined };
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
  sessionNow: () => Promise<Session | null>;
  now?: () => Date;
}

/** What the tools read with: the sources in one member's name. */
export interface ToolContext {
  readonly member: ReadingMember;
  readonly readOnly: ReadOnly | undefined;
  readonly now: () => Date;
  isWatchlistOn(): Promise<boolean>;
  /** The list; empty during the demo tour; `undefined` outside the rollout; 'unknown' while the tier is. */
  list(): Promise<WatchedList | 'unknown' | undefined>;
  detail(symbol: string): Promise<Detail | undefined>;
  portfolio(): Promise<Portfolio>;
  netWorth(days: number): Promise<NetWorth>;
  reportsAhead(): Promise<ReportsAhead>;
  news(options: { limit: number; symbol?: string | undefined }): Promise<LatestNews>;
  session(): Promise<Session | null>;
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
      return demoTour ? { rows: [], market: null } : ((await watchlist.listOf(member)) ?? 'unknown');
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
