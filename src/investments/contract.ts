import { z } from 'zod';

/** The shapes of accounts, holdings, search, net worth, earnings, news and the dashboard's layout. */

/** Most accounts a member may have, and most holdings in all. */
export const ACCOUNT_LIMIT = 50;
export const HOLDING_LIMIT = 1000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** ISO 4217, those in use. */
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Three capital letters, such as USD.', abort: true })
  .refine((code) => CURRENCIES.has(code), 'There is no such currency; name one by its code, such as USD.');
/** One line of text; control characters would not survive the database or a terminal. */
const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'No control characters.');
const symbol = line.min(1).max(32);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const accountName = line.min(1).max(120);
/** Cash in the account's currency, below zero where it is overdrawn; kept to four decimals. */
const balance = z.number().min(-1e15).max(1e15);
/** Shares, or a bond's face value; kept to ten decimals. */
const quantity = z.number().min(1e-10).max(1e12);
/** What was paid in all, in the listing's currency; kept to four decimals. */
const costBasis = z.number().min(0).max(1e15).nullable();
const atLeastOne = (body: object) => Object.keys(body).length > 0;
const nothingToChange = { message: 'Name at least one field to change.' };

export const assetType = z.enum(['stock', 'etf', 'mutual_fund', 'bond']);
export type AssetType = z.infer<typeof assetType>;

/** `price_unit` says what `price` is: an amount of `currency`, or a bond's percent of par (never shown as an amount). */
const priced = {
  symbol: z.string(),
  /** The symbol, where the catalog knows no name. */
  name: z.string(),
  logo: z.string().nullable(),
  logo_source: z.enum(['registry', 'issuer']).nullable(),
  asset_type: assetType,
  currency: z.string().nullable(),
  price: z.number().nullable(),
  price_unit: z.enum(['currency', 'percent_of_par']),
  price_at: z.iso.datetime().nullable(),
};
/** Whether anything of the market in the answer is the simulator's; the screen then says "Sample data". */
const sampleData = { sample_data: z.boolean() };

// Accounts

export const account = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(['manual', 'bank', 'brokerage']),
  currency: z.string(),
  balance: z.number(),
  holding_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Account = z.infer<typeof account>;

/** `GET /api/accounts`, oldest first. */
export const accountList = z.object({ accounts: z.array(account), limit: z.int() });
/** `POST /api/accounts` -> 201. Over the limit: 403 LIMIT_REACHED with `limit`. */
export const newAccountRequest = z.strictObject({
  name: accountName,
  currency: currency.default('USD'),
  balance: balance.default(0),
});
/** `PATCH /api/accounts/{id}`: what is left out stays. A connected account's balance is its bank's: 409 CONFLICT. */
export const accountChanges = z
  .strictObject({ name: accountName, balance })
  .partial()
  .refine(atLeastOne, nothingToChange);
export const accountResponse = z.object({ account });
/** `DELETE /api/accounts/{id}` -> 204, with its holdings. */
export const idParams = z.object({ id: z.string() });

// Holdings

export const holding = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  ...priced,
  quantity: z.number(),
  cost_basis: z.number().nullable(),
  /** At the newest price, in `currency`; null where there is no price. A bond: face value x price / 100. */
  value: z.number().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Holding = z.infer<typeof holding>;

/** `GET /api/investments/holdings`, by account, then by symbol. */
export const holdingList = z.object({ holdings: z.array(holding), limit: z.int(), ...sampleData });
/**
 * `POST /api/investments/holdings` (Add Investment) -> 201. 404 UNKNOWN_SYMBOL, 422 UNSUPPORTED_ASSET (crypto), 404 NOT_FOUND
 * (not the caller's account), 503 UNAVAILABLE (the provider is away and the symbol is new), 403 LIMIT_REACHED.
 */
export const newHoldingRequest = z.strictObject({
  account_id: z.uuid(),
  symbol,
  quantity,
  cost_basis: costBasis.default(null),
});
/** `PATCH /api/investments/holdings/{id}`; the symbol and the account never change. `DELETE` -> 204. */
export const holdingChanges = z
  .strictObject({ quantity, cost_basis: costBasis })
  .partial()
  .refine(atLeastOne, nothingToChange);
export const holdingResponse = z.object({ holding, ...sampleData });

// Positions: what is held of each symbol across accounts

/** One account's part of a position, in the shape that the ticker detail shows too. */
export const positionPart = z.object({
  account_id: z.uuid(),
  account_name: z.string(),
  quantity: z.number(),
  value: z.number().nullable(),
  /** Null where it is not known of every holding in it. */
  cost_basis: z.number().nullable(),
  currency: z.string().nullable(),
});
export type PositionPart = z.infer<typeof positionPart>;

export const position = z.object({
  ...priced,
  /** In percent; null for funds and bonds, whose feeds bring no day move. */
  change_1d: z.number().nullable(),
  quantity: z.number(),
  value: z.number().nullable(),
  cost_basis: z.number().nullable(),
  accounts: z.array(positionPart),
});
export type Position = z.infer<typeof position>;

/** `GET /api/investments/positions`, by symbol. */
export const positionList = z.object({ positions: z.array(position), ...sampleData });

// Search, shared by Add Investment and the watchlist

export const searchQuery = z.strictObject({
  q: line.max(64).default(''),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export const searchResult = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string().nullable(),
  asset_type: assetType,
  currency: z.string().nullable(),
  logo: z.string().nullable(),
  logo_source: z.enum(['registry', 'issuer']).nullable(),
  /** Absent outside the watchlist's rollout, and while the watchlist cannot be read. */
  watched: z.boolean().optional(),
  held: z.boolean(),
});
export type SearchResult = z.infer<typeof searchResult>;
/** `GET /api/investments/search?q=&limit=`: only groups with results, always in this order. An empty `q` finds nothing. */
export const searchResponse = z.object({
  query: z.string(),
  groups: z.array(
    z.object({
      type: assetType,
      label: z.enum(['Stocks', 'ETFs', 'Mutual funds', 'Bonds']),
      results: z.array(searchResult),
    }),
  ),
});
export type SearchResponse = z.infer<typeof searchResponse>;

// Net worth

export const netWorthQuery = z.strictObject({ days: z.coerce.number().int().min(1).max(1830).default(366) });
/** `GET /api/net-worth?days=`: one entry per currency, never converted into one another. Watched tickers never count. */
export const netWorthResponse = z.object({
  currencies: z.array(
    z.object({
      currency: z.string(),
      /** Now: `cash` + `investments` = `total`. */
      cash: z.number(),
      investments: z.number(),
      total: z.number(),
      /** Ends of days, oldest first; today's is there once its snapshot is taken. Those of sample prices only as long as nothing real is known. */
      history: z.array(z.object({ date, cash: z.number(), investments: z.number(), total: z.number() })),
    }),
  ),
  /** Held symbols that have no price and are therefore in no figure above. */
  unpriced: z.array(z.string()),
  ...sampleData,
});
export type NetWorthResponse = z.infer<typeof netWorthResponse>;

// Upcoming Earnings

export const report = z.object({
  symbol: z.string(),
  name: z.string(),
  date,
  when: z.enum(['bmo', 'amc']).nullable(),
  eps_estimate: z.number().nullable(),
  held: z.boolean(),
  /** Tag "Watching" where this is true and `held` is not. Never true outside the rollout. */
  watching: z.boolean(),
  /** Market days from today in New York: 0 today, 1 the next market day. */
  market_days: z.int(),
});
export type Report = z.infer<typeof report>;
/** `GET /api/earnings`: held and watched companies, 90 days ahead, by date, then symbol. `complete: false`: some may be missing for now. */
export const earningsResponse = z.object({ earnings: z.array(report), complete: z.boolean(), ...sampleData });
export type EarningsResponse = z.infer<typeof earningsResponse>;

// Latest News

export const newsQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(20) });
export const article = z.object({
  /** Plain text without markup. */
  title: z.string(),
  summary: z.string(),
  /** http or https only. */
  url: z.string(),
  source: z.string(),
  published_at: z.iso.datetime(),
  symbols: z.array(z.string()),
  /** The member's held and watched tickers that the article is about. */
  related_held: z.array(z.string()),
  related_watched: z.array(z.string()),
  /** It is here only because of a watched ticker. */
  from_watchlist: z.boolean(),
});
export type Article = z.infer<typeof article>;
/** `GET /api/news?limit=`: about held and watched symbols, newest first. */
export const newsResponse = z.object({ articles: z.array(article), ...sampleData });
export type NewsResponse = z.infer<typeof newsResponse>;

// The dashboard's layout

export const cardId = z.enum(['net_worth', 'holdings', 'earnings', 'news', 'watchlist']);
export type CardId = z.infer<typeof cardId>;
const card = z.strictObject({ id: cardId });
/**
 * `GET /api/dashboard`: the cards shown, in the member's order, and those that Add Widget may bring back. The watchlist's is in
 * neither outside the rollout, and appended at the end for a member who has not placed or removed it.
 */
export const dashboardResponse = z.object({ cards: z.array(card), removed: z.array(card) });
export type DashboardResponse = z.infer<typeof dashboardResponse>;
/** `PUT /api/dashboard` -> 200 with the same shape: the cards to show, in order, each once; what is left out is removed. */
export const dashboardRequest = z.strictObject({
  cards: z
    .array(card)
    .max(cardId.options.length)
    .refine((cards) => new Set(cards.map(({ id }) => id)).size === cards.length, { message: 'Each card once.' }),
});
