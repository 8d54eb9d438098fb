import type { AssetType } from '../../../market-data/contract.ts';
import { AMOUNT_DECIMALS } from '../net-worth/convert-net-worth.ts';
import type { DemoAccount } from './demo-portfolio.ts';
import type { SnapshotRow } from '../net-worth/rows.ts';

/** Listing with its current price and its closes, oldest first. Dates are YYYY-MM-DD. */
export interface PricedListing {
  symbol: string;
  asset_type: AssetType;
  currency: string;
  price: number;
  sample: boolean;
  closes: readonly (readonly [date: string, close: number])[];
}

type ListingBySymbol = ReadonlyMap<string, PricedListing>;
type Holding = DemoAccount['holdings'][number];
/** Net worth at the end of a day. `flows` is what was added since the day before, negative if withdrawn. */
export type DemoDay = Omit<SnapshotRow, 'cash' | 'investments'> & { cash: number; investments: number; flows: number };

/** Dates of a history, YYYY-MM-DD. */
export interface DemoDates {
  /** Days of the history, ascending. The last one is today. */
  days: readonly string[];
  /** Day of the latest trading session. */
  sessionDay: string;
}

const PAYDAY = '25';
const BUYING_DAY = '15';

/**
 * Returns the portfolio's value on each day per currency, from the holdings and closes of that day. The last day is the
 * day of the reset, with current quantities, cash and prices.
 */
export function computeDemoHistory(
  accounts: readonly DemoAccount[],
  prices: ListingBySymbol,
  dates: DemoDates,
): DemoDay[] {
  const { days } = dates;
  const rows = new Map<string, DemoDay>();
  const getOrCreateRow = (date: string, currency: string): DemoDay => {
    const key = `${date} ${currency}`;
    const row = rows.get(key) ?? { date, currency, cash: 0, investments: 0, flows: 0, sample: false };
    rows.set(key, row);
    return row;
  };
  for (const account of accounts) {
    const cashByDay = computeCashByDay(account, days);
    days.forEach((date, dayIndex) => {
      const row = getOrCreateRow(date, account.currency);
      row.cash += cashByDay[dayIndex]!;
      row.flows += cashByDay[dayIndex]! - (cashByDay[dayIndex - 1] ?? cashByDay[dayIndex]!);
    });
    for (const holding of account.holdings) {
      const listing = prices.get(holding.symbol);
      if (!listing) continue;
      const quantityByDay = computeQuantityByDay(holding, days);
      const valueByDay = computeValueByDay(holding, prices, dates);
      days.forEach((date, dayIndex) => {
        const row = getOrCreateRow(date, listing.currency);
        const quantity = quantityByDay[dayIndex]!;
        row.investments += quantity * valueByDay[dayIndex]!;
        row.flows += (quantity - (quantityByDay[dayIndex - 1] ?? quantity)) * valueByDay[dayIndex]!;
        row.sample ||= listing.sample;
      });
    }
  }
  return [...rows.values()].map((row) => ({
    ...row,
    cash: round(row.cash, AMOUNT_DECIMALS),
    investments: round(row.investments, AMOUNT_DECIMALS),
    flows: round(row.flows, AMOUNT_DECIMALS),
  }));
}

/**
 * Returns the cost of a holding: a share of its value a year ago for the older part, and the close of the day for each
 * purchase. Returns `undefined` for a listing without a price.
 */
export function computeDemoCost(holding: Holding, prices: ListingBySymbol, dates: DemoDates): number | undefined {
  if (!prices.has(holding.symbol)) return undefined;
  const { days } = dates;
  const quantityByDay = computeQuantityByDay(holding, days);
  const valueByDay = computeValueByDay(holding, prices, dates);
  const purchaseCosts = quantityByDay.map((quantity, dayIndex) =>
    dayIndex === 0 ? 0 : (quantity - quantityByDay[dayIndex - 1]!) * valueByDay[dayIndex]!,
  );
  return round(
    quantityByDay[0]! * valueByDay[0]! * holding.costRatio + purchaseCosts.reduce((sum, cost) => sum + cost, 0),
    2,
  );
}

/** Returns, for each day, how many later ones of `days` are this day of the month. */
function countLaterDays(days: readonly string[], dayOfMonth: string): number[] {
  let laterCount = 0;
  const counts = days.toReversed().map((date) => {
    const count = laterCount;
    if (date.endsWith(`-${dayOfMonth}`)) laterCount += 1;
    return count;
  });
  return counts.toReversed();
}

function computeCashByDay(
  { balance, savedPerPayday = 0, spentPerPayday = 0 }: DemoAccount,
  days: readonly string[],
): number[] {
  const paydays = countLaterDays(days, PAYDAY);
  const unspentShareByDay = days.map((date) => 1 - ((Number(date.slice(-2)) + 31 - Number(PAYDAY)) % 31) / 31);
  return paydays.map(
    (laterCount, dayIndex) =>
      balance -
      savedPerPayday * laterCount +
      spentPerPayday * (unspentShareByDay[dayIndex]! - unspentShareByDay.at(-1)!),
  );
}

function computeQuantityByDay({ quantity, boughtShare = 0 }: Holding, days: readonly string[]): number[] {
  return countLaterDays(days, BUYING_DAY).map(
    (laterCount) => quantity * (1 - (boughtShare * Math.min(laterCount, 12)) / 12),
  );
}

/**
 * Returns the value of one share, or of one unit of a bond's face value, on each day. Earlier days use the first close.
 * A fund follows its index up to the session before the latest, and then has its current price: funds have no day change.
 */
function computeValueByDay(
  { symbol, proxySymbol }: Holding,
  prices: ListingBySymbol,
  { days, sessionDay }: DemoDates,
): number[] {
  const listing = prices.get(symbol)!;
  const currentValue = listing.price / (listing.asset_type === 'bond' ? 100 : 1);
  const proxyCloses = proxySymbol === undefined ? [] : (prices.get(proxySymbol)?.closes ?? []);
  const earlierCloses = proxyCloses.filter(([date]) => date < sessionDay);
  const [closes, lastPrice] =
    listing.closes.length > 0 ? [listing.closes, listing.price] : [earlierCloses, earlierCloses.at(-1)?.[1]];
  if (lastPrice === undefined) return days.map(() => currentValue);
  let closeIndex = 0;
  return days.map((date, dayIndex) => {
    while (closeIndex + 1 < closes.length && closes[closeIndex + 1]![0] <= date) closeIndex += 1;
    return dayIndex === days.length - 1 ? currentValue : currentValue * (closes[closeIndex]![1] / lastPrice);
  });
}

const round = (amount: number, decimals: number): number => Number(amount.toFixed(decimals));
