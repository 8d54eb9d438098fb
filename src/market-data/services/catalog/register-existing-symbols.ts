import { AppError } from '../../../errors.ts';
import type { TickerRow } from './catalog-queries.ts';
import type { Registration } from './register-symbol.ts';

/**
 * Registers symbols one after another and returns those that exist, in the given order. Throws `AppError` UNAVAILABLE if
 * a symbol cannot be looked up now.
 */
export async function registerExistingSymbols(
  market: { registerSymbol(symbol: string): Promise<Registration> },
  symbols: readonly string[],
): Promise<TickerRow[]> {
  const tickers: TickerRow[] = [];
  for (const symbol of symbols) {
    const registered = await market.registerSymbol(symbol);
    if (registered.ok) tickers.push(registered.ticker);
    else if (registered.reason === 'unavailable')
      throw new AppError('UNAVAILABLE', {
        message: `${symbol} cannot be looked up right now; try again later.`,
        ...(registered.retryAfter !== undefined && { retryAfter: registered.retryAfter }),
      });
  }
  return tickers;
}
