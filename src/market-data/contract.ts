import { z } from 'zod';
import { defineRoutes, invalidRequest, namedObject, noContent } from '../platform/http/contract.ts';

/** Shapes of market data that several features return. */

export const assetType = z.enum(['stock', 'etf', 'mutual_fund', 'bond']).meta({ id: 'AssetType' });
export type AssetType = z.infer<typeof assetType>;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Returns whether a text is the code of a current currency (ISO 4217), such as USD. XXX stands for none. */
export const isCurrency = (text: string): boolean => CURRENCIES.has(text);

/** A calendar day, YYYY-MM-DD. */
export const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/**
 * Currencies with a daily reference rate of the European Central Bank, and the euro. A member's base currency is one of
 * them. Source: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export const referenceCurrency = z
  .enum([
    'AUD',
    'BRL',
    'CAD',
    'CHF',
    'CNY',
    'CZK',
    'DKK',
    'EUR',
    'GBP',
    'HKD',
    'HUF',
    'IDR',
    'ILS',
    'INR',
    'ISK',
    'JPY',
    'KRW',
    'MXN',
    'MYR',
    'NOK',
    'NZD',
    'PHP',
    'PLN',
    'RON',
    'SEK',
    'SGD',
    'THB',
    'TRY',
    'USD',
    'ZAR',
  ])
  .meta({ id: 'ReferenceCurrency' });
export type ReferenceCurrency = z.infer<typeof referenceCurrency>;

/** True if any market data of the response is simulated. The screen then shows "Sample data". */
export const sampleData = { sample_data: z.boolean() };

/** Estimated earnings per share of a report. */
export const epsEstimate = {
  eps_estimate: z.number().nullable().describe('Estimated earnings per share.'),
  eps_currency: z
    .string()
    .nullable()
    .describe("ISO 4217 code of `eps_estimate`. Null if its source names none: it can differ from the listing's."),
};

/** The next report of a company, in the form that all lists use. */
export const upcomingReport = namedObject('UpcomingReport', {
  symbol: z.string(),
  name: z.string().describe('The symbol if the catalog has no name.'),
  date,
  when: z.enum(['bmo', 'amc']).nullable(),
  ...epsEstimate,
  estimated: z.boolean().describe('True if the company has not confirmed the date.'),
  sample: z.boolean().describe('True for sample data.'),
  held: z.boolean(),
  watching: z
    .boolean()
    .describe('Show the tag "Watching" if this is true and `held` is false. Always false outside the rollout.'),
  market_days: z
    .int()
    .nonnegative()
    .describe(
      'Market days from today in New York: 0 today, 1 the next one. A report on a closed day counts to its day.',
    ),
  chip: z
    .enum(['Today', 'Tmrw', '2d', '3d', '4d', '5d', '6d'])
    .nullable()
    .describe('Short text of `market_days` for a report within seven days, otherwise `null`.'),
});
export const routes = defineRoutes(
  {
    tag: { name: 'Logos', description: 'Logos of companies and issuers, served by this server.' },
    access: 'public',
    errors: [invalidRequest, 'NOT_FOUND'],
  },
  {
    getIssuerLogo: {
      endpoint: 'GET /api/logos/{file}',
      summary: 'Get the badge of an issuer',
      params: z.strictObject({ file: z.string().max(60) }),
      responses: { 200: { description: 'The image.', mediaTypes: ['image/svg+xml'] } },
    },
    getRegistryLogo: {
      endpoint: 'GET /api/logos/registry/{symbol}',
      summary: 'Get the logo of a listing',
      params: z.strictObject({ symbol: z.string().max(32) }),
      responses: {
        200: {
          description: 'The image.',
          mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'],
        },
        204: noContent('There is no logo.'),
      },
      errors: ['UNAVAILABLE'],
    },
  },
);
