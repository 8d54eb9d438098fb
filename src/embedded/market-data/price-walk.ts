import type { AssetType, Listing } from '../../market-data/domain/market-data-provider.ts';
import { hashText, drawNormal, drawUniform } from './seeded-random.ts';
import { edgeCases, typicalPrices } from './listings.ts';
import { getDayNumber, getIndexOfDay } from './market-days.ts';

/**
 * Parameters by asset type: daily volatility of the listing, share of the market move, range of start prices and price
 * step.
 */
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
/** Pulls the walk toward its start each day, so that prices stay in range over ten years. */
const MEAN_REVERSION = 0.998;
const MINOR_UNITS = new Set(['GBp', 'ZAc', 'ILA']);

const marketMoves: number[] = [];

/** Returns the move of the whole market on a day. All listings share the move, so they move together. */
function getMarketMove(dayIndex: number): number {
  for (let day = marketMoves.length; day <= dayIndex; day += 1)
    marketMoves.push(MARKET_VOLATILITY * drawNormal(MARKET_SEED, day));
  return marketMoves[dayIndex]!;
}

export interface PriceWalk {
  seed: number;
  step: number;
  /** Daily volatility of the listing, used for the path within a day. */
  volatility: number;
  /**
   * Returns the close of a date, in the declared unit. On a day without a session in New York, the price moves away from
   * its last close there for that day.
   */
  getClose(date: string): number;
}

const walkBySymbol = new Map<string, PriceWalk>();

/** Returns the daily closes of a listing. They depend only on symbol and day, so that all processes agree. */
export function getWalk(listing: Pick<Listing, 'symbol' | 'assetType' | 'currency'>): PriceWalk {
  let walk = walkBySymbol.get(listing.symbol);
  if (!walk) {
    walk = createWalk(listing);
    walkBySymbol.set(listing.symbol, walk);
  }
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
    // Extend the cached walk day by day from its last computed day.
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
    getClose(date) {
      if (symbol === steadyBond.symbol) return steadyBond.price;
      const dayNumber = getDayNumber(date);
      const dayIndex = Math.max(0, getIndexOfDay(date));
      const move = dayNumber > dayIndex ? volatility * drawNormal(seed, dayNumber) : 0;
      return roundToStep(start * Math.exp(getLogPrice(dayIndex) + move), step);
    },
  };
}

/**
 * Rounds to the nearest valid price of at least one step. The result equals `toFixed(3)` and takes a tenth of its time.
 */
export function roundToStep(price: number, step: number): number {
  return Math.round(Math.max(1, Math.round(price / step)) * step * 1000) / 1000;
}
