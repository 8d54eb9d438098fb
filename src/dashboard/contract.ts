import { z } from 'zod';
import { date, sampleData } from '../market-data/contract.ts';

/** The shapes of the dashboard's layout and of the two cards that merge what is held with what is watched. */

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
