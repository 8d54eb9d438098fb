import type { Fundamentals } from '../../domain/market-data-provider.ts';
import type { MarketContext } from '../shared/market-context.ts';
import { parseWebUrl, plainText } from '../shared/provider-text.ts';
import { findFundamentals, storeFundamentals } from './fundamentals-queries.ts';

const CALL_TIMEOUT_MS = 6_000;
const MAX_DESCRIPTION_LENGTH = 1_200;
/** Bounds beyond which a figure is a feed error. */
const MAX_PE_RATIO = 10_000;
const MAX_YIELD_PERCENT = 100;

const noFundamentals: Fundamentals = {
  peRatio: null,
  dividendYield: null,
  description: null,
  industry: null,
  website: null,
};

/**
 * Creates the service of fundamentals, with a cache of one day for each symbol. If no provider is available, returns a
 * stale copy, or undefined without one.
 */
export function createFundamentals({ sql, providers, logger, singleFlight, simulated }: MarketContext) {
  const fetchFundamentals = async (symbol: string): Promise<Fundamentals | undefined> => {
    const answer = await providers.call(
      'fundamentals',
      (provider) => provider.fundamentals(symbol, AbortSignal.timeout(CALL_TIMEOUT_MS)),
      { isEmpty: (value) => Object.values(value).every((fact) => fact === null) },
    );
    // A symbol that no provider knows is stored too, so that it is not requested at every opening.
    if (!answer.ok && answer.reason !== 'unknown') return undefined;
    const fundamentals = answer.ok ? cleanFundamentals(answer.value) : noFundamentals;
    await storeFundamentals(sql, symbol, fundamentals, simulated).catch((error: unknown) =>
      logger.warn({ err: error }, 'failed to store fundamentals'),
    );
    return fundamentals;
  };

  return async function getFundamentals(symbol: string): Promise<Fundamentals | undefined> {
    const stored = await findFundamentals(sql, symbol, simulated);
    if (stored?.fresh) return stored.fundamentals;
    const fetched = await singleFlight({
      key: `fundamentals:${symbol}`,
      call: () => fetchFundamentals(symbol),
      readStored: async () => {
        const current = await findFundamentals(sql, symbol, simulated);
        return current?.fresh ? current.fundamentals : undefined;
      },
    });
    return fetched ?? stored?.fundamentals;
  };
}

/** Returns the figures in plausible bounds and the texts without markup. A P/E of a loss is no P/E. */
function cleanFundamentals({ peRatio, dividendYield, description, industry, website }: Fundamentals): Fundamentals {
  const hasPeRatio = peRatio !== null && peRatio > 0 && peRatio <= MAX_PE_RATIO;
  const hasYield = dividendYield !== null && dividendYield >= 0 && dividendYield <= MAX_YIELD_PERCENT;
  return {
    peRatio: hasPeRatio ? peRatio : null,
    dividendYield: hasYield ? dividendYield : null,
    description: plainText(description ?? '', MAX_DESCRIPTION_LENGTH) || null,
    industry: plainText(industry ?? '', 80) || null,
    website: parseWebUrl(website ?? '') ?? null,
  };
}
