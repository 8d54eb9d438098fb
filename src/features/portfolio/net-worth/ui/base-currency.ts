import type { QueryClient } from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { ReferenceCurrency } from '../../../../market-data/contract.ts';
import { createInvestmentQuery, investmentsQueryKey } from '../../../../ui/shell/api/investment-query.ts';

export const portfolioSettingsQuery = createInvestmentQuery('settings', (signal) =>
  callApi('GET /api/portfolio/settings', { signal }),
);

export const baseCurrencies =
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR'.split(
    ' ',
  ) as ReferenceCurrency[];

/** Saves the base currency and refetches everything that depends on it. A toast shows a failure. */
export async function changeBaseCurrency(queries: QueryClient, currency: ReferenceCurrency): Promise<void> {
  try {
    await saveBaseCurrency(queries, currency);
  } catch (error) {
    showToast(`Could not save the currency. ${error instanceof ApiError ? error.message : ''}`.trim(), 'bad');
  }
}

/** Saves the currency of the browser's locale for a member who has none. A failure waits for the next visit. */
export async function saveLocaleCurrency(queries: QueryClient, currency: ReferenceCurrency): Promise<void> {
  try {
    await saveBaseCurrency(queries, currency);
  } catch {
    // The member can choose the currency on the card.
  }
}

async function saveBaseCurrency(queries: QueryClient, currency: ReferenceCurrency): Promise<void> {
  const settings = await callApi('PATCH /api/portfolio/settings', { body: { base_currency: currency } });
  queries.setQueryData(portfolioSettingsQuery.queryKey, settings);
  // Nearly all investments depend on the currency, so that a list of those that do would miss one.
  await queries.invalidateQueries({ queryKey: investmentsQueryKey });
}
