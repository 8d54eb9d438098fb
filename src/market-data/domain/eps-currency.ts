import type { ReportDate } from './market-data-provider.ts';

/**
 * Returns the currency of an estimate of earnings per share (ISO 4217), or null if its source names none. The calendars
 * of FMP and Finnhub name none, and analysts estimate some companies in another currency than the listing's. The
 * simulator's estimates are in the listing's.
 */
export const getEpsCurrency = (
  { eps_estimate: estimate, sample }: Pick<ReportDate, 'eps_estimate'> & { sample: boolean },
  listingCurrency: string | null,
): string | null => (sample && estimate !== null ? listingCurrency : null);
