import type { Fundamentals, Listing } from '../../market-data/domain/market-data-provider.ts';
import { drawUniform, hashText } from './seeded-random.ts';

/** Share of companies without a P/E, as after a loss. */
const LOSS_SHARE = 0.1;
/** Share of companies that pay no dividend. */
const NO_DIVIDEND_SHARE = 0.25;

/** Returns invented figures and a description that says so. Funds have no P/E, bonds have neither figure. */
export function generateFundamentals({ symbol, name, assetType }: Listing): Fundamentals {
  const seed = hashText(`fundamentals ${symbol}`);
  const isProfitable = drawUniform(seed, 1) >= LOSS_SHARE;
  const paysDividend = assetType !== 'stock' || drawUniform(seed, 3) >= NO_DIVIDEND_SHARE;
  return {
    peRatio: assetType === 'stock' && isProfitable ? roundToCents(8 + 40 * drawUniform(seed, 2) ** 2) : null,
    dividendYield: assetType === 'bond' ? null : roundToCents(paysDividend ? 0.3 + 3.5 * drawUniform(seed, 4) : 0),
    description: `A made-up description of ${name ?? symbol}, shown because no market-data provider is configured.`,
    industry: null,
    website: null,
  };
}

const roundToCents = (value: number): number => Math.round(100 * value) / 100;
