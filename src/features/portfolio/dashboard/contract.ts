import { z } from 'zod';
import { defineRoutes, namedObject, namedStrictObject } from '../../../platform/http/contract.ts';
import { connectionList } from '../../connections/contract.ts';
import { watchedEarnings, watchlist } from '../../watchlist/contract.ts';
import { accountList } from '../accounts/contract.ts';
import { dividendsResponse } from '../dividends/contract.ts';
import { explainQuery, netWorthResponse } from '../net-worth/contract.ts';
import { portfolioHoldings } from '../holdings/contract.ts';
import { sampleData, upcomingReport } from '../../../market-data/contract.ts';

/** Schemas of the dashboard's layout and of the two cards that merge held and watched symbols. */

// Upcoming Earnings

export type Report = z.infer<typeof upcomingReport>;
/** Sorted by date, then symbol. `complete: false`: some reports may be missing. */
const earningsResponse = namedObject('UpcomingEarnings', {
  earnings: z.array(upcomingReport),
  complete: z.boolean(),
  ...sampleData,
});
export type EarningsResponse = z.infer<typeof earningsResponse>;

// Latest News

const newsQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(50).default(20) });
const article = namedObject('Article', {
  title: z.string().describe('Plain text without markup.'),
  summary: z.string(),
  url: z.string().describe('http or https only.'),
  source: z.string(),
  published_at: z.iso.datetime(),
  symbols: z.array(z.string()),
  related_held: z.array(z.string()).describe("The member's held and watched tickers that the article is about."),
  related_watched: z.array(z.string()),
  from_watchlist: z.boolean().describe('True if the article is listed only because of a watched ticker.'),
});
export type Article = z.infer<typeof article>;
const newsResponse = namedObject('News', { articles: z.array(article), ...sampleData });
export type NewsResponse = z.infer<typeof newsResponse>;

// The dashboard's layout

export const cardId = z
  .enum(['net_worth', 'accounts', 'movers', 'earnings', 'dividends', 'news', 'holdings', 'watchlist'])
  .meta({ id: 'CardId' });
export type CardId = z.infer<typeof cardId>;
const card = namedStrictObject('Card', { id: cardId });
/**
 * `removed` are the cards that *Add card* can restore. Outside the rollout the watchlist's card is in neither list. For
 * a member who has not placed or removed it, it is the last card.
 */
const dashboardResponse = namedObject('Dashboard', { cards: z.array(card), removed: z.array(card) });
export type DashboardResponse = z.infer<typeof dashboardResponse>;
/** Cards to show, in order. Missing cards are removed. */
const dashboardRequest = namedStrictObject('DashboardRequest', {
  cards: z
    .array(card)
    .max(cardId.options.length)
    .refine((cards) => new Set(cards.map(({ id }) => id)).size === cards.length, { message: 'Each card once.' }),
});

// All cards in one response

const homeResponse = namedObject('Home', {
  layout: dashboardResponse,
  net_worth: netWorthResponse.optional().describe('As `GET /api/net-worth` with 366 days.'),
  accounts: accountList.optional(),
  holdings: portfolioHoldings.optional().describe('As `GET /api/portfolio/holdings`.'),
  connections: connectionList.optional(),
  earnings: earningsResponse.optional(),
  dividends: dividendsResponse.optional(),
  news: newsResponse.optional().describe('As `GET /api/news` with 20 articles.'),
  watchlist: watchlist.nullable().optional().describe('Null outside the rollout.'),
  watched_earnings: watchedEarnings.optional(),
});
export type HomeResponse = z.infer<typeof homeResponse>;
export const routes = defineRoutes(
  {
    tag: {
      name: 'Dashboard',
      description: 'The layout of the dashboard, and the cards of held and watched symbols.',
    },
  },
  {
    listEarnings: {
      endpoint: 'GET /api/earnings',
      summary: 'List upcoming earnings',
      description: 'Reports of held and watched companies within the next 90 days.',
      variesByDemoTour: true,
      responses: { 200: earningsResponse },
    },
    listDividends: {
      endpoint: 'GET /api/dividends',
      summary: 'List dividends',
      description:
        'Dividends of held and watched securities within the next 90 days, and the income of today’s holdings.',
      variesByDemoTour: true,
      query: explainQuery,
      responses: { 200: dividendsResponse },
    },
    listNews: {
      endpoint: 'GET /api/news',
      summary: 'List news',
      description: 'Articles about held and watched symbols, newest first.',
      variesByDemoTour: true,
      query: newsQuery,
      responses: { 200: newsResponse },
    },
    getHome: {
      endpoint: 'GET /api/home',
      summary: 'Get all cards of the dashboard',
      description:
        'Each part is as the route of its card returns it. A part is missing if its card is removed, its data must first ' +
        'be fetched from a provider, or it is unavailable; read its own route then. Layout, net worth, accounts and ' +
        'holdings are of one moment.',
      variesByDemoTour: true,
      responses: { 200: homeResponse },
    },
    getDashboard: {
      endpoint: 'GET /api/dashboard',
      summary: 'Get the dashboard layout',
      responses: { 200: dashboardResponse },
    },
    saveDashboard: {
      endpoint: 'PUT /api/dashboard',
      summary: 'Save the dashboard layout',
      body: dashboardRequest,
      responses: { 200: dashboardResponse },
      errors: ['DEMO_MODE'],
    },
  },
);
