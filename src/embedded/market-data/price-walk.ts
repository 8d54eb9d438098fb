import type { AssetType, Listing } from '../../market-data/domain/market-data-provider.ts';
import { hashText, drawNormal, drawUniform } from './seeded-random.ts';
import { edgeCases, typicalPrices } from './listings.ts';

/** How each kind moves in a day: its own part, its share of the market's, and what it begins with. */
const PARAMETERS_BY_ASSET_TYPE: Readonly<
  Record<AssetType, { volatility: number; beta: number; from: number; to: number; step: number }>
> = {
  stock: { volatility: 0.014, beta: 1, from: 18, to: 420, step: 0.01 },
  etf: { volatility: 0.003, beta: 0.9, from: 40, to: 480, step: 0.01 },
  mutual_fund: { volatility: 0.003, beta: 0.8, from: 15, to: 140, step: 0.01 },
  bond: { volatility: 0.0015, beta: 0, from: 86, to: 103, step: 0.125 },
};

const MARKET_SEED = hashText('the market as a whole');
const MARKET_VOLATILITY = 0.008;
/** The walk is drawn back to its start a little each day, so that no price runs away in ten years. */
const MEAN_REVERSION = 0.998;
const MINOR_UNITS = new Set(['GBp', 'ZAc', 'ILA']);

const marketMoves: number[] = [];

/** What the whole market does on a day; shared, so that listings move together. */
function getMarketMove(dayIndex: number): number {
  for (let day = marketMoves.length; day <= dayIndex; day += 1)
    marketMoves.push(MARKET_VOLATILITY * drawNormal(MARKET_SEED, day));
  return marketMoves[dayIndex]!;
}

export interface PriceWalk {
  seed: number;
  step: number;
  /** The day's own volatility, for the path within a day. */
  volatility: number;
  /** Close of the market day at a place (≥ 0), in the declared unit. */
  getClose(dayIndex: number): number;
}

const walkBySymbol = new Map<string, PriceWalk>();

/** The listing's daily closes: a function of symbol and day alone, so that any two processes agree. */
export function getWalk(listing: Pick<Listing, 'symbol' | 'assetType' | 'currency'>): PriceWalk {
  let walk = walkBySymbol.get(listing.symbol);
  if (!walk) walkBySymbol.set(listing.symbol, (walk = createWalk(listing)));
  return walk;
}

function createWalk({ symbol, assetType, currency }: Pick<Listing, 'symbol' | 'assetType' | 'currency'>): PriceWalk {
  const seed = hashText(symbol);
  const { volatility, beta, from, to, step } = PARAMETERS_BY_ASSET_TYPE[assetType];
  const { constantPriceBond: steadyBond } = edgeCases;
  const drawnStart =
    from * (to / from) ** drawUniform(seed, 0) * (currency !== null && MINOR_UNITS.has(currency) ? 10 : 1);
  const start = typicalPrices.get(symbol)?.price ?? drawnStart;
  const logPrices: number[] = [0];
  const getLogPrice = (dayIndex: number): number => {
    // Day by day from where the last question ended.
    for (let day = logPrices.length; day <= dayIndex; day += 1)
      logPrices.push(
        MEAN_REVERSION * logPrices[day - 1]! + volatility * drawNormal(seed, day) + beta * getMarketMove(day),
      );
    return logPrices[dayIndex]!;
  };
  return {
    seed,
    step,
    volatility,
    getClose: (dayIndex) =>
      symbol === steadyBond.symbol ? steadyBond.price : roundToStep(start * Math.exp(getLogPrice(dayIndex)), step),
  };
}

/** The nearest price that can be quoted, at least one step: what toFixed(3) writes, in a tenth of its time. */
export function roundToStep(price: number, step: number): number {
  return Math.round(Math.max(1, Math.round(price / step)) * step * 1000) / 1000;
}
