import type { AssetType } from '../../market-data/contract.ts';
import type { DemoAccount } from './demo-portfolio.ts';
import type { SnapshotRow } from './net-worth-queries.ts';

/** A listing with its price of now and its closes, oldest first; dates are YYYY-MM-DD. */
export interface PricedListing {
  symbol: string;
  asset_type: AssetType;
  currency: string;
  price: number;
  sample: boolean;
  closes: readonly (readonly [date: string, close: number])[];
}

type Prices = ReadonlyMap<string, PricedListing>;
type Holding = DemoAccount['holdings'][number];
export type DemoDay = Omit<SnapshotRow, 'cash' | 'investments'> & { cash: number; investments: number };

const PAYDAY = '25';
const BUYING_DAY = '15';

/**
 * The portfolio's worth on each of `days` (ascending), per currency: what was held then, at the closes of then. On the
 * last one, the day of the reset, quantities, cash and prices are those of now.
 */
export function demoHistory(accounts: readonly DemoAccount[], prices: Prices, days: readonly string[]): DemoDay[] {
  const rows = new Map<string, DemoDay>();
  const rowOf = (date: string, currency: string): DemoDay => {
    const key = `${date} ${currency}`;
    const row = rows.get(key) ?? { date, currency, cash: 0, investments: 0, sample: false };
    rows.set(key, row);
    return row;
  };
  for (const account of accounts) {
    const cash = cashBy(account, days);
    days.forEach((date, at) => {
      rowOf(date, account.currency).cash += cash[at]!;
    });
    for (const holding of account.holdings) {
      const listing = prices.get(holding.symbol);
      if (!listing) continue;
      const [held, values] = [heldBy(holding, days), valuesBy(holding, prices, days)];
      days.forEach((date, at) => {
        const row = rowOf(date, listing.currency);
        row.investments += held[at]! * values[at]!;
        row.sample ||= listing.sample;
      });
    }
  }
  return [...rows.values()].map((row) => ({ ...row, cash: round(row.cash), investments: round(row.investments) }));
}

/**
 * What was paid for a holding: the old part at a share of its worth a year ago, each purchase at that day's close;
 * `undefined` for a listing without a price.
 */
export function demoCost(holding: Holding, prices: Prices, days: readonly string[]): number | undefined {
  if (!prices.has(holding.symbol)) return undefined;
  const [held, values] = [heldBy(holding, days), valuesBy(holding, prices, days)];
  const bought = held.map((quantity, at) => (at === 0 ? 0 : (quantity - held[at - 1]!) * values[at]!));
  return round(held[0]! * values[0]! * holding.paid + bought.reduce((sum, cost) => sum + cost, 0));
}

/** How many of `days` behind each one are that day of the month. */
function stillToCome(days: readonly string[], dayOfMonth: string): number[] {
  let ahead = 0;
  const counts = days.toReversed().map((date) => {
    const count = ahead;
    if (date.endsWith(`-${dayOfMonth}`)) ahead += 1;
    return count;
  });
  return counts.toReversed();
}

function cashBy({ balance, saved = 0, spent = 0 }: DemoAccount, days: readonly string[]): number[] {
  const paydays = stillToCome(days, PAYDAY);
  const left = days.map((date) => 1 - ((Number(date.slice(-2)) + 31 - Number(PAYDAY)) % 31) / 31);
  return paydays.map((ahead, at) => balance - saved * ahead + spent * (left[at]! - left.at(-1)!));
}

function heldBy({ quantity, bought = 0 }: Holding, days: readonly string[]): number[] {
  return stillToCome(days, BUYING_DAY).map((ahead) => quantity * (1 - (bought * Math.min(ahead, 12)) / 12));
}

/** What one share, or one of a bond's face value, was worth on each day; before the first close, as on that day. */
function valuesBy({ symbol, follows }: Holding, prices: Prices, days: readonly string[]): number[] {
  const own = prices.get(symbol)!;
  const guide = own.closes.length === 0 && follows !== undefined ? prices.get(follows) : own;
  const now = own.price / (own.asset_type === 'bond' ? 100 : 1);
  if (!guide || guide.closes.length === 0) return days.map(() => now);
  let at = 0;
  return days.map((date, place) => {
    while (at + 1 < guide.closes.length && guide.closes[at + 1]![0] <= date) at += 1;
    return place === days.length - 1 ? now : now * (guide.closes[at]![1] / guide.price);
  });
}

const round = (amount: number): number => Math.round(amount * 100) / 100;
