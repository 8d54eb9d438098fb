import { addDays, toIsoDate } from '../../market-data/domain/dates.ts';
import { marketCalendar } from '../../market-data/domain/market-calendar.ts';
import type { Dividend, Listing } from '../../market-data/domain/market-data-provider.ts';
import { FIRST_DAY } from './market-days.ts';
import { getWalk } from './price-walk.ts';
import { drawUniform, hashText } from './seeded-random.ts';

const FIRST_YEAR = Number(FIRST_DAY.slice(0, 4));
/** Days between declaration and ex-date. */
const DECLARED_DAYS = 35;
/** Share of companies that pay no dividend. */
const NO_DIVIDEND_SHARE = 0.25;
/** Share of listings that pay every month. */
const MONTHLY_SHARE = 0.08;
/** Raise of a dividend at the start of each year. */
const YEARLY_RAISE = 1.05;

/**
 * Returns the dividends of a listing since the first simulated year, newest first, up to those that are declared today.
 * Bonds and some companies pay none.
 */
export function generateDividends(listing: Listing, today: string): Dividend[] {
  const firstYield = chooseFirstYield(listing);
  if (firstYield === 0) return [];
  const seed = hashText(`dividends ${listing.symbol}`);
  const perYear = choosePerYear(listing, seed);
  const firstAmount = (getWalk(listing).getClose(FIRST_DAY) * firstYield) / 100 / perYear;
  const day = 2 + Math.floor(24 * drawUniform(seed, 2));
  const monthsApart = 12 / perYear;
  const getExDate = (month: number): string =>
    marketCalendar.addMarketDays(toIsoDate(Date.UTC(FIRST_YEAR, month, day)), 0);
  const dividends: Dividend[] = [];
  let month = Math.floor(monthsApart * drawUniform(seed, 1));
  while (addDays(getExDate(month), -DECLARED_DAYS) <= today) {
    const exDate = getExDate(month);
    const year = FIRST_YEAR + Math.floor(month / 12);
    dividends.push({
      symbol: listing.symbol,
      ex_date: exDate,
      payment_date: marketCalendar.addMarketDays(addDays(exDate, 14 + Math.floor(14 * drawUniform(seed, 3))), 0),
      declared_on: addDays(exDate, -DECLARED_DAYS),
      amount: Number((firstAmount * YEARLY_RAISE ** (year - FIRST_YEAR)).toPrecision(3)),
      currency: listing.currency,
      per_year: perYear,
    });
    month += monthsApart;
  }
  return dividends.reverse();
}

/** Chooses the yield on the first price in percent. */
function chooseFirstYield({ symbol, assetType }: Listing): number {
  const seed = hashText(`fundamentals ${symbol}`);
  const paysDividend = assetType !== 'stock' || drawUniform(seed, 3) >= NO_DIVIDEND_SHARE;
  return assetType === 'bond' || !paysDividend ? 0 : 0.3 + 3.5 * drawUniform(seed, 4);
}

/** Companies in London pay twice a year. */
function choosePerYear({ symbol, assetType }: Listing, seed: number): number {
  if (assetType === 'stock' && symbol.endsWith('.L')) return 2;
  return drawUniform(seed, 4) < MONTHLY_SHARE ? 12 : 4;
}
