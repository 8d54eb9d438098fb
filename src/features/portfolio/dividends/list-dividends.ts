import type { Logger } from 'pino';
import type { MemberSql } from '../../../platform/database/roles.ts';
import {
  addMonths,
  type DatedPayment,
  datePayments,
  getDividendHorizon,
} from '../../../market-data/domain/dividends.ts';
import type { StoredDividends } from '../../../market-data/services/dividends/dividend-queries.ts';
import { getUpcomingRange } from '../../../market-data/services/earnings/list-reports.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { calculateYields } from '../holdings/calculate-yields.ts';
import { toDecimalText } from '../holdings/holding-figures.ts';
import { type AnyHoldingRow, holdingsSql, type ListedRow, splitHoldings } from '../holdings/queries.ts';
import { addAmounts, formatUnits, sumAmounts, toNumberOrNull } from '../net-worth/amounts.ts';
import type { Explanation } from '../net-worth/contract.ts';
import { convertAmount, convertToBase, describeRate } from '../net-worth/convert-net-worth.ts';
import { createTerm } from '../net-worth/explanation-terms.ts';
import {
  type BaseConversion,
  type ConversionContext,
  hasSampleRates,
  readConversion,
} from '../net-worth/read-conversion.ts';
import { type SettingsRow, settingsSql } from '../net-worth/queries.ts';
import { readRows } from '../net-worth/row-queries.ts';
import type { DividendsResponse, UpcomingDividend } from './contract.ts';

export interface DividendDependencies extends ConversionContext {
  logger: Pick<Logger, 'warn'>;
  market: Pick<MarketDataService, 'calendar' | 'dividends' | 'requestDividends' | 'source'>;
}

interface DividendRows {
  settings: readonly SettingsRow[];
  holdings: readonly AnyHoldingRow[];
}

interface WatchedSymbols {
  watched: readonly string[];
  isWatchlistAvailable?: boolean;
}

/** Decimals of an income before conversion. */
const DECIMALS = 8;

/** Returns the dividends of what a member holds and watches. Reads stored dividends; enqueues the fetch of missing ones. */
export async function listDividends(
  deps: DividendDependencies,
  sql: MemberSql,
  symbols: WatchedSymbols,
  isExplained = false,
): Promise<DividendsResponse> {
  const rows = await readRows(sql, { idpId: sql.idpId }, { settings: settingsSql, holdings: holdingsSql });
  return readDividends(deps, rows, symbols, isExplained);
}

/** Income of a security in one month, of payments with the same word. */
interface MonthlyIncome {
  symbol: string;
  name: string;
  /** YYYY-MM. */
  month: string;
  status: DatedPayment['status'];
  /** In the base currency. */
  income: number;
}

/**
 * Returns the income that a member's holdings were paid and may expect, by month and security. Reads stored dividends;
 * enqueues the fetch of missing ones.
 */
export async function listMonthlyIncome(
  deps: DividendDependencies,
  sql: MemberSql,
): Promise<{ rows: MonthlyIncome[]; dividends: DividendsResponse }> {
  const rows = await readRows(sql, { idpId: sql.idpId }, { settings: settingsSql, holdings: holdingsSql });
  const read = await readSecurities(deps, rows, { watched: [] });
  const groups = Map.groupBy(
    listCountedPayments(read.securities, read.conversion, read.options),
    ({ symbol, month, status }) => `${month} ${symbol} ${status}`,
  );
  return {
    rows: [...groups]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([, group]) => {
        const { symbol, name, month, status } = group[0]!;
        return { symbol, name, month, status, income: sumAmounts(group.map(({ base }) => base))! };
      }),
    dividends: toResponse(rows, read, false),
  };
}

/** Returns the dividends of holdings that were read. Reads stored dividends; enqueues the fetch of missing ones. */
export async function readDividends(
  deps: DividendDependencies,
  rows: DividendRows,
  symbols: WatchedSymbols,
  isExplained = false,
): Promise<DividendsResponse> {
  return toResponse(rows, await readSecurities(deps, rows, symbols), isExplained);
}

/** Securities with what their income is computed from. */
interface ReadSecurities {
  securities: Security[];
  conversion: BaseConversion;
  options: MonthOptions;
  isComplete: boolean;
  isSample: boolean;
}

async function readSecurities(
  deps: DividendDependencies,
  { settings, holdings }: DividendRows,
  { watched, isWatchlistAvailable = true }: WatchedSymbols,
): Promise<ReadSecurities> {
  const { market, logger, now } = deps;
  const today = market.calendar.toNewYorkDate(now());
  const { listed } = splitHoldings(holdings);
  const stored = await market.dividends([...listed.map(({ symbol }) => symbol), ...watched]);
  const isComplete = stored.every(({ payments }) => payments !== null);
  if (!isComplete)
    market.requestDividends().catch((err: unknown) => logger.warn({ err }, 'failed to request dividends'));
  const securities = stored.map((security) => toSecurity(security, listed, new Set(watched), today));
  const payments = securities.flatMap((security) => security.payments);
  const conversion = await readConversion(deps, settings, [...holdings, ...payments]);
  return {
    securities,
    conversion,
    options: {
      today,
      horizon: getDividendHorizon(today),
      isQuantityKnown: createQuantityCheck(market.calendar),
    },
    isComplete: isComplete && isWatchlistAvailable,
    isSample: payments.length > 0 && (market.source === 'simulator' || hasSampleRates(conversion, payments)),
  };
}

const toResponse = (
  { holdings }: DividendRows,
  { securities, conversion, options, isComplete, isSample }: ReadSecurities,
  isExplained: boolean,
): DividendsResponse => ({
  ...toIncome(securities, holdings, conversion, options, isExplained),
  complete: isComplete,
  sample_data: isSample,
});

/** Security with its payments and the member's holdings of it. */
interface Security {
  symbol: string;
  name: string;
  payments: DatedPayment[];
  holdings: readonly ListedRow[];
  isWatched: boolean;
}

function toSecurity(
  { symbol, name, payments }: StoredDividends,
  listed: readonly ListedRow[],
  watched: ReadonlySet<string>,
  today: string,
): Security {
  return {
    symbol,
    name: name ?? symbol,
    payments: datePayments(payments ?? [], today),
    holdings: listed.filter((holding) => holding.symbol === symbol),
    isWatched: watched.has(symbol),
  };
}

/**
 * Creates a function that returns whether a holding's quantity on an ex-date is known. A connection states only the
 * quantity of its last sync.
 */
const createQuantityCheck =
  (calendar: DividendDependencies['market']['calendar']) =>
  ({ quantity_changed_at: changedAt }: ListedRow, exDate: string): boolean =>
    changedAt !== null && calendar.toNewYorkDate(changedAt) < exDate;

function toIncome(
  securities: readonly Security[],
  holdings: readonly AnyHoldingRow[],
  conversion: BaseConversion,
  options: MonthOptions,
  isExplained: boolean,
): Omit<DividendsResponse, 'complete' | 'sample_data'> {
  const { today, horizon } = options;
  const { to } = getUpcomingRange(today);
  const held = securities.filter((security) => security.holdings.length > 0);
  const soon = explainIncome(held, conversion, (payment) => isAhead(payment, to));
  const year = explainIncome(held, conversion, (payment) => isAhead(payment, horizon));
  const incomeById = new Map(
    held.flatMap((security) => {
      const ahead = security.payments.filter((payment) => isAhead(payment, horizon));
      return security.holdings.map((holding) => [holding.id, sumIncome(holding.quantity, ahead, conversion)] as const);
    }),
  );
  const amounts = holdings.map((holding) => ({
    id: holding.id,
    income: incomeById.get(holding.id) ?? null,
    value: convertToBase(holding.value, holding.currency, conversion),
    cost: convertToBase(holding.cost_basis, holding.currency, conversion),
  }));
  return {
    currency: conversion.currency,
    payments: listUpcoming(securities, conversion, to),
    income_90_days: soon.income,
    income_12_months: year.income,
    ...(isExplained && { explain_90_days: soon.explanation, explain_12_months: year.explanation }),
    ...calculateYields(amounts),
    holdings: amounts.flatMap(({ id, ...each }) =>
      each.income === null ? [] : [{ id, income: Number(each.income), ...calculateYields([each]) }],
    ),
    months: listMonths(listCountedPayments(held, conversion, options), options),
    excluded: year.excluded,
  };
}

const isAhead = ({ status, date }: DatedPayment, to: string): boolean => status !== 'paid' && date <= to;

const sumQuantity = (holdings: readonly ListedRow[]): string => addAmounts(holdings.map(({ quantity }) => quantity))!;

/** Returns quantity x amount as decimal text. */
const multiply = (quantity: string, amount: string): string =>
  formatUnits(convertAmount(quantity, { base: amount, other: '1' }, DECIMALS), DECIMALS);

/** Returns the income of payments in the base currency. Null without a payment that has a rate. */
function sumIncome(quantity: string, payments: readonly DatedPayment[], conversion: BaseConversion): string | null {
  const incomes = payments.flatMap((payment) => toBase(quantity, payment, conversion) ?? []);
  return incomes.length === 0 ? null : addAmounts(incomes);
}

const toBase = (quantity: string, { amount, currency }: DatedPayment, conversion: BaseConversion): string | null =>
  convertToBase(multiply(quantity, toDecimalText(amount, 12)!), currency, conversion);

/** Explains the income of some payments by one term per security, status and currency. */
function explainIncome(
  held: readonly Security[],
  conversion: BaseConversion,
  isCounted: (payment: DatedPayment) => boolean,
): { income: number | null; explanation: Explanation; excluded: DividendsResponse['excluded'] } {
  const parts = held.flatMap(({ symbol, payments, holdings }) => {
    const quantity = sumQuantity(holdings);
    const groups = Map.groupBy(payments.filter(isCounted), ({ status, currency }) => `${status} ${currency}`);
    return [...groups.values()].map((group) => {
      const { status, currency } = group[0]!;
      const perShare = addAmounts(group.map(({ amount }) => toDecimalText(amount, 12)))!;
      const amount = multiply(quantity, perShare);
      const label = `${symbol}, ${status}, ${group.length === 1 ? '1 payment' : `${group.length} payments`}`;
      return { label, quantity, perShare, currency, amount, base: convertToBase(amount, currency, conversion) };
    });
  });
  const converted = parts.flatMap(({ base, ...part }) => (base === null ? [] : [{ ...part, base }]));
  const unconverted = parts.filter(({ base }) => base === null);
  return {
    income: converted.length === 0 ? null : sumAmounts(converted.map(({ base }) => base)),
    explanation: {
      terms: converted.map(({ label, quantity, perShare, currency, base }) =>
        createTerm({
          label,
          quantity: Number(quantity),
          price: Number(perShare),
          price_currency: currency,
          price_unit: 'currency',
          amount: Number(base),
          currency: conversion.currency,
          ...describeRate(currency, conversion),
        }),
      ),
      excluded: unconverted.map(({ label, amount, currency }) => ({
        what: label,
        amount: Number(amount),
        currency,
        reason: 'no_rate' as const,
      })),
    },
    excluded: [...Map.groupBy(unconverted, ({ currency }) => currency)].map(([currency, group]) => ({
      currency,
      amount: sumAmounts(group.map(({ amount }) => amount))!,
      reason: 'no_rate' as const,
    })),
  };
}

function listUpcoming(securities: readonly Security[], conversion: BaseConversion, to: string): UpcomingDividend[] {
  return securities
    .flatMap(({ symbol, name, payments, holdings, isWatched }) => {
      const quantity = holdings.length === 0 ? null : sumQuantity(holdings);
      return payments
        .filter((payment) => isAhead(payment, to))
        .map((payment) => ({
          symbol,
          name,
          ...payment,
          // Filtered: a paid one is never ahead.
          status: payment.status as UpcomingDividend['status'],
          quantity: quantity === null ? null : Number(quantity),
          base: quantity === null ? null : toNumberOrNull(toBase(quantity, payment, conversion)),
          held: quantity !== null,
          watching: isWatched,
        }));
    })
    .sort(
      (a, b) => a.date.localeCompare(b.date) || Number(b.held) - Number(a.held) || a.symbol.localeCompare(b.symbol),
    );
}

interface MonthOptions {
  today: string;
  horizon: string;
  /** Returns whether the quantity of a holding on an ex-date is known. */
  isQuantityKnown: (holding: ListedRow, exDate: string) => boolean;
}

/** A payment to a holding. `base` is its income in the base currency. */
interface CountedPayment extends Omit<MonthlyIncome, 'income'> {
  base: string;
}

/** Returns the payments of the last and next twelve months to holdings whose quantity is known and that have a rate. */
function listCountedPayments(
  securities: readonly Security[],
  conversion: BaseConversion,
  { today, horizon, isQuantityKnown }: MonthOptions,
): CountedPayment[] {
  const firstDay = addMonths(today, -12);
  return securities.flatMap(({ symbol, name, payments, holdings }) =>
    payments
      .filter(({ date }) => date >= firstDay && date <= horizon)
      .flatMap((payment) =>
        holdings
          .filter((holding) => payment.status !== 'paid' || isQuantityKnown(holding, payment.ex_date))
          .flatMap(({ quantity }) => {
            const base = toBase(quantity, payment, conversion);
            return base === null
              ? []
              : [{ symbol, name, month: payment.date.slice(0, 7), status: payment.status, base }];
          }),
      ),
  );
}

/**
 * Returns the income of each month. The last twelve months are listed only if a payment in them is known. Without past
 * payments, one empty month at an end is left out, so that twelve remain.
 */
function listMonths(
  counted: readonly CountedPayment[],
  { today, horizon }: Pick<MonthOptions, 'today' | 'horizon'>,
): DividendsResponse['months'] {
  if (counted.length === 0) return [];
  const hasPast = counted.some(({ status }) => status === 'paid');
  const start = `${(hasPast ? addMonths(today, -12) : today).slice(0, 7)}-01`;
  const months: DividendsResponse['months'] = [];
  for (let day = start; day <= horizon; day = addMonths(day, 1)) {
    const month = day.slice(0, 7);
    const sum = (status: DatedPayment['status']): number =>
      sumAmounts(counted.filter((part) => part.month === month && part.status === status).map(({ base }) => base))!;
    months.push({ month, paid: sum('paid'), declared: sum('declared'), expected: sum('expected') });
  }
  if (hasPast || months.length <= 12) return months;
  const isEmpty = ({ declared, expected }: (typeof months)[number]): boolean => declared + expected === 0;
  return isEmpty(months[0]!) ? months.slice(1) : months.slice(0, isEmpty(months.at(-1)!) ? 12 : undefined);
}
