import type { Fundamentals, Listing } from '../../market-data/domain/market-data-provider.ts';
import { drawUniform, hashText } from './seeded-random.ts';
import { generateDividends } from './simulated-dividends.ts';

/** Share of companies without a P/E, as after a loss. */
const LOSS_SHARE = 0.1;

/** Day in New York and current price of a listing. */
interface MarketState {
  today: string;
  price: number;
}

/** Returns invented figures and a description that says so. Funds have no P/E, bonds have neither figure. */
export function generateFundamentals(listing: Listing, market: MarketState): Fundamentals {
  const { symbol, name, assetType } = listing;
  const seed = hashText(`fundamentals ${symbol}`);
  const isProfitable = drawUniform(seed, 1) >= LOSS_SHARE;
  return {
    peRatio: assetType === 'stock' && isProfitable ? roundToCents(8 + 40 * drawUniform(seed, 2) ** 2) : null,
    dividendYield: assetType === 'bond' ? null : computeDividendYield(listing, market),
    description: `A made-up description of ${name ?? symbol}, shown because no market-data provider is configured.`,
    industry: null,
    website: null,
  };
}

/** Returns the dividends of the last twelve months in percent of the price. */
function computeDividendYield(listing: Listing, { price, today }: MarketState): number {
  const paid = generateDividends(listing, today).filter(({ payment_date: date }) => date !== null && date <= today);
  const lastYear = paid.slice(0, paid[0]?.per_year ?? 0);
  return roundToCents((100 * lastYear.reduce((sum, { amount }) => sum + (amount ?? 0), 0)) / price);
}

const roundToCents = (value: number): number => Math.round(100 * value) / 100;
