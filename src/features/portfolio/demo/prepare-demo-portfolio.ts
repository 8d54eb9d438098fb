import type { ServiceSql } from '../../../platform/database/roles.ts';
import { addJobInTransaction } from '../../../platform/jobs/add-job.ts';
import { registerExistingSymbols } from '../../../market-data/services/catalog/register-existing-symbols.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { deletePortfolio } from '../accounts/queries.ts';
import { computeDemoCost, computeDemoHistory } from './demo-history.ts';
import { demoPortfolio } from './demo-portfolio.ts';
import {
  insertDemoAccounts,
  insertDemoFlows,
  insertDemoHoldings,
  insertDemoSnapshots,
  readPricedListings,
} from './demo-queries.ts';
import { fetchHistories } from './fetch-histories.ts';
import { REFRESH_HELD_EARNINGS } from '../holdings/refresh-held-earnings.ts';

const DAY_MS = 86_400_000;

interface DemoPortfolioDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataService, 'source' | 'registerSymbol' | 'backfillNow' | 'refreshNow'>;
}

/**
 * Registers the demo account's symbols, requests missing prices and histories, and returns the step that replaces the
 * account's portfolio. Symbols that the provider does not have are omitted. Throws `Failure` UNAVAILABLE if a look-up
 * is unavailable.
 * @param dates YYYY-MM-DD. The year of net worth ends the day before `today`, which is New York's.
 */
export async function prepareDemoPortfolio(
  { sql: service, market }: DemoPortfolioDependencies,
  idpId: string,
  { today, sessionDay }: { today: string; sessionDay: string },
): Promise<(sql: ServiceSql) => Promise<void>> {
  const accounts = demoPortfolio.map((account) => ({
    ...account,
    holdings: account.holdings.filter(({ sampleOnly }) => !sampleOnly || market.source === 'simulator'),
  }));
  const demoHoldings = accounts.flatMap(({ holdings }) => holdings);
  const proxySymbols = demoHoldings.flatMap(({ proxySymbol }) => proxySymbol ?? []);
  const registeredListings = await registerExistingSymbols(market, [
    ...new Set([...demoHoldings.map(({ symbol }) => symbol), ...proxySymbols]),
  ]);
  const symbols = registeredListings.map(({ symbol }) => symbol);
  const days = listYearDates(today);
  await fetchHistories(market, registeredListings);
  const pricedListings = await readPricedListings(service, symbols, today);
  const unpriced = symbols.filter((symbol) => !pricedListings.some((listing) => listing.symbol === symbol));
  if (unpriced.length > 0) await market.refreshNow(unpriced);

  return async (sql) => {
    await deletePortfolio(sql, idpId);
    const listings = await readPricedListings(sql, symbols, days[0]!);
    const prices = new Map(listings.map((listing) => [listing.symbol, listing]));
    const dates = { days, sessionDay };
    await insertDemoAccounts(sql, idpId, accounts);
    const holdings = accounts.flatMap(({ name, holdings: accountHoldings }) =>
      accountHoldings
        .filter(({ symbol }) => symbols.includes(symbol))
        .map((holding) => ({ account: name, ...holding, cost_basis: computeDemoCost(holding, prices, dates) ?? null })),
    );
    await insertDemoHoldings(sql, idpId, holdings);
    // The daily job writes today's snapshot.
    const history = computeDemoHistory(accounts, prices, dates);
    await insertDemoSnapshots(
      sql,
      idpId,
      history.filter(({ date }) => date < today),
    );
    await insertDemoFlows(sql, idpId, history, today);
    const companies = listings.filter(({ asset_type }) => asset_type === 'stock').map(({ symbol }) => symbol);
    await addJobInTransaction(
      sql,
      REFRESH_HELD_EARNINGS,
      { symbols: companies },
      { key: 'earnings:demo', maxAttempts: 5 },
    );
  };
}

/** Returns the dates of the year before a date, and the date itself. */
function listYearDates(today: string): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: 366 }, (_, index) => new Date(end - (365 - index) * DAY_MS).toISOString().slice(0, 10));
}
