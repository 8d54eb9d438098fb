import type { AssetType, Listing } from '../../market-data/domain/market-data-provider.ts';
import { hashText, normal, uniform } from './draw.ts';
import { edgeCases, typicalPrices } from './listings.ts';

/** How each kind moves in a day: its own part, its share of the market's, and what it begins with. */
const kinds: Readonly<Record<AssetType, { own: number; beta: number; from: number; to: number; step: number }>> = {
  stock: { own: 0.014, beta: 1, from: 18, to: 420, step: 0.01 },
  etf: { own: 0.003, beta: 0.9, from: 40, to: 480, step: 0.01 },
  mutual_fund: { own: 0.003, beta: 0.8, from: 15, to: 140, step: 0.01 },
  bond: { own: 0.0015, beta: 0, from: 86, to: 103, step: 0.125 },
};

const MARKET_SEED = hashText('the market as a whole');
const MARKET_VOLATILITY = 0.008;
/** The walk is drawn back to its start a little each day, so that no price runs away in ten years. */
const MEMORY = 0.998;
const MINOR_UNITS = new Set(['GBp', 'ZAc', 'ILA']);

const marketMoves: number[] = [];

/** What the whole market does on a day; shared, so that listings move together. */
function marketAt(place: number): number {
  for (let day = marketMoves.length; day <= place; day += 1)
    marketMoves.push(MARKET_VOLATILITY * normal(MARKET_SEED, day));
  return marketMoves[place]!;
}

export interface Walk {
  seed: number;
  step: number;
  /** The day's own volatility, for the path within a day. */
  own: number;
  /** Close of the market day at a place (≥ 0), in the declared unit. */
  closeAt(place: number): number;
}

const walks = new Map<string, Walk>();

/** The listing's daily closes: a function of symbol and day alone, so that any two processes agree. */
export function walkOf(listing: Pick<Listing, 'symbol' | 'assetType' | 'currency'>): Walk {
  let walk = walks.get(listing.symbol);
  if (!walk) walks.set(listing.symbol, (walk = makeWalk(listing)));
  return walk;
}

function makeWalk({ symbol, assetType, currency }: Pick<Listing, 'symbol' | 'assetType' | 'currency'>): Walk {
  const seed = hashText(symbol);
  const { own, beta, from, to, step } = kinds[assetType];
  const { steadyBond } = edgeCases;
  const drawn = from * (to / from) ** uniform(seed, 0) * (currency !== null && MINOR_UNITS.has(currency) ? 10 : 1);
  const start = typicalPrices.get(symbol)?.price ?? drawn;
  const logs: number[] = [0];
  const logAt = (place: number): number => {
    // Day by day from where the last question ended.
    for (let day = logs.length; day <= place; day += 1)
      logs.push(MEMORY * logs[day - 1]! + own * normal(seed, day) + beta * marketAt(day));
    return logs[place]!;
  };
  return {
    seed,
    step,
    own,
    closeAt: (place) =>
      symbol === steadyBond.symbol ? steadyBond.price : toStep(start * Math.exp(logAt(place)), step),
  };
}

/** The nearest price that can be quoted, at least one step: what toFixed(3) writes, in a tenth of its time. */
export function toStep(price: number, step: number): number {
  return Math.round(Math.max(1, Math.round(price / step)) * step * 1000) / 1000;
}
