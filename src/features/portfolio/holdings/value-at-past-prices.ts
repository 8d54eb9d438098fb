import type { MemberSql, ServiceSql } from '../../../platform/database/roles.ts';
import { type ClosesOfSymbol, readClosesOfSymbols } from '../../../market-data/services/history/history-queries.ts';
import { settingsSql } from '../net-worth/queries.ts';
import { type ConversionContext, hasSampleRates, readConversion } from '../net-worth/read-conversion.ts';
import { subtractDays } from '../net-worth/periods.ts';
import { readRows } from '../net-worth/row-queries.ts';
import { AMOUNT_DECIMALS } from '../net-worth/convert-net-worth.ts';
import { type HoldingsAtPastPrices, MAX_VALUED_SYMBOLS, MIN_CLOSES, MIN_VALUED_SHARE, PAST_DAYS } from './contract.ts';
import { convertHolding } from './list-portfolio-holdings.ts';
import { holdingsSql, splitHoldings } from './queries.ts';

interface PastPricesContext extends ConversionContext {
  marketSql: ServiceSql;
}

/** Holdings of one symbol with a price. */
interface ValuedSymbol {
  symbol: string;
  price: number;
  /** Current value in the base currency. */
  value: number;
}

/**
 * Returns what the member's current holdings would have been worth on past days, at the closes of these days and today's
 * exchange rates. It reads stored closes only, and is no part of net worth or its history.
 */
export async function valueAtPastPrices(
  context: PastPricesContext,
  sql: MemberSql,
  idpId: string,
): Promise<HoldingsAtPastPrices> {
  const rows = await readRows(sql, { idpId }, { settings: settingsSql, holdings: holdingsSql });
  const conversion = await readConversion(context, rows.settings, rows.holdings);
  const { listed, unlisted } = splitHoldings(rows.holdings);
  const valueBySymbol = new Map<string, ValuedSymbol>();
  for (const row of listed) {
    const { amounts } = convertHolding(row, conversion);
    if (amounts === null || row.price === null) continue;
    const earlier = valueBySymbol.get(row.symbol)?.value ?? 0;
    const { symbol, price } = row;
    valueBySymbol.set(symbol, { symbol, price, value: earlier + Number(amounts.value) });
  }
  const valued = [...valueBySymbol.values()].sort((a, b) => b.value - a.value).slice(0, MAX_VALUED_SYMBOLS);
  const from = subtractDays(conversion.today, PAST_DAYS);
  const histories = await readClosesOfSymbols(
    context.marketSql,
    valued.map(({ symbol }) => symbol),
    from,
  );
  const shown = valued.filter(
    ({ symbol }) => (histories.find((history) => history.symbol === symbol)?.closes.length ?? 0) >= MIN_CLOSES,
  );
  const isShown = new Set(shown.map(({ symbol }) => symbol));
  const isCovered = sumValues(shown) >= MIN_VALUED_SHARE * sumValues([...valueBySymbol.values()]);
  const unshown = listed.filter(({ symbol }) => !isShown.has(symbol));
  return {
    currency: conversion.currency,
    points: isCovered ? sumPastValues(shown, histories, conversion.today) : [],
    excluded: [...new Set([...unshown.map(({ symbol }) => symbol), ...unlisted.map(({ name }) => name)])],
    sample_data:
      listed.some(({ symbol, sample }) => sample && isShown.has(symbol)) || hasSampleRates(conversion, rows.holdings),
  };
}

/**
 * Returns the sum of all symbols on each day that has a close, from the first day on which each symbol has one. Without a
 * close on a day, the last one before counts. The last point is today's value.
 */
export function sumPastValues(
  valued: readonly ValuedSymbol[],
  histories: readonly ClosesOfSymbol[],
  today: string,
): HoldingsAtPastPrices['points'] {
  const closesBySymbol = new Map(histories.map(({ symbol, closes }) => [symbol, closes]));
  const shown = valued.map((each) => ({ ...each, closes: closesBySymbol.get(each.symbol)!, next: 0 }));
  const firstDays = shown.map(({ closes }) => closes[0]![0]).sort();
  const start = firstDays.at(-1);
  if (start === undefined) return [];
  const days = [...new Set(shown.flatMap(({ closes }) => closes.map(([day]) => day)))]
    .filter((day) => day >= start && day < today)
    .sort();
  const points = days.map((date) => {
    let sum = 0;
    for (const each of shown) {
      while (each.next < each.closes.length && each.closes[each.next]![0] <= date) each.next += 1;
      sum += each.value * (each.closes[each.next - 1]![1] / each.price);
    }
    return { date, value: round(sum) };
  });
  return [...points, { date: today, value: round(sumValues(valued)) }];
}

const sumValues = (symbols: readonly ValuedSymbol[]): number => symbols.reduce((sum, { value }) => sum + value, 0);

const round = (amount: number): number => Number(amount.toFixed(AMOUNT_DECIMALS));
