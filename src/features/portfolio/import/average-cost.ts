import { Big } from 'big.js';

/** Purchase, sale or split of one security. Quantities are positive, except for shares that a split takes away. */
export type Trade = { line: number } & (
  | { action: 'buy'; quantity: string; cost: string | null }
  | { action: 'sell'; quantity: string }
  | { action: 'split'; added: string }
  | { action: 'split'; ratio: readonly [newShares: string, oldShares: string] }
);

export interface Holding {
  quantity: string;
  /** Cost by the average of what is left, or null if the cost of a purchase is unknown. */
  cost: string | null;
  /** Line that takes more shares than there were, or null. Later trades are not counted then. */
  oversoldLine: number | null;
  /** Line of the last sale, or null. */
  lastSaleLine: number | null;
}

/** Decimals with 24 digits in quotients. Stored amounts have ten, so that an error of thousands of trades stays invisible. */
const Decimal = Big();
Decimal.DP = 24;
/** Brokers round fractions of shares, so that a sale of all can exceed the purchases by less than this. */
const ROUNDING = '-0.000001';

/** Adds up trades in the order of time. A sale reduces the cost by the average of the shares that are left. */
export function addUpTrades(trades: readonly Trade[]): Holding {
  let quantity = Decimal(0);
  let cost: Big | null = Decimal(0);
  let lastSaleLine: number | null = null;
  const toHolding = (oversoldLine: number | null): Holding => ({
    quantity: quantity.round(Decimal.DP).toFixed(),
    cost: cost?.toFixed() ?? null,
    oversoldLine,
    lastSaleLine,
  });
  for (const trade of trades) {
    const held = quantity;
    if (trade.action === 'buy') {
      quantity = held.plus(trade.quantity);
      cost = cost === null || trade.cost === null ? null : cost.plus(trade.cost);
    } else if (trade.action === 'sell') {
      quantity = held.minus(trade.quantity);
      lastSaleLine = trade.line;
    } else quantity = 'ratio' in trade ? held.times(trade.ratio[0]).div(trade.ratio[1]) : held.plus(trade.added);

    if (quantity.lt(ROUNDING)) return toHolding(trade.line);
    if (quantity.lt(0)) quantity = Decimal(0);
    if (trade.action !== 'sell') continue;
    if (quantity.eq(0)) cost = Decimal(0);
    else if (cost !== null) cost = cost.times(quantity).div(held);
  }
  return toHolding(null);
}
