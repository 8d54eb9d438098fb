import { z } from 'zod';
import { line } from '../../platform/database/contract.ts';
import { defineRoutes, namedObject } from '../../platform/http/contract.ts';
import { assetType } from '../../market-data/contract.ts';

/** Response shapes of the search that Add Investment and the watchlist share. */

const searchQuery = z.strictObject({
  q: line.max(64).default('').describe('A symbol in any spelling, an ISIN, or words of a name.'),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
const searchResult = namedObject('SearchResult', {
  symbol: z.string(),
  name: z.string(),
  exchange: z.string().nullable(),
  asset_type: assetType,
  currency: z.string().nullable(),
  logo: z.string().nullable(),
  logo_source: z.enum(['registry', 'issuer']).nullable(),
  watched: z
    .boolean()
    .optional()
    .describe("Absent outside the watchlist's rollout, and if the watchlist is unavailable."),
  held: z.boolean(),
  renamed_from: z.string().optional().describe('The former symbol from the query, if the company now uses this one.'),
});
export type SearchResult = z.infer<typeof searchResult>;
/** Contains only groups with results, always in this order. An empty `q` returns no groups. */
const searchResponse = namedObject('SearchResults', {
  query: z.string(),
  groups: z.array(
    z.object({
      type: assetType,
      label: z.enum(['Stocks', 'ETFs', 'Mutual funds', 'Bonds']),
      results: z.array(searchResult),
    }),
  ),
  more: z.int().nonnegative().describe('Minimum number of further matches. Each kind of match is counted up to 200.'),
});
export type SearchResponse = z.infer<typeof searchResponse>;

export const routes = defineRoutes(
  { tag: { name: 'Search', description: 'Stocks, ETFs, mutual funds and bonds by symbol or name.' } },
  {
    searchInvestments: {
      endpoint: 'GET /api/investments/search',
      summary: 'Search securities',
      variesByDemoTour: true,
      query: searchQuery,
      responses: { 200: searchResponse },
    },
  },
);
