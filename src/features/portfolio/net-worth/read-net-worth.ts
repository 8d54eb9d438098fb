import type { MemberSql } from '../../../platform/database/roles.ts';
import { addAmounts, negate, sumAmounts } from './amounts.ts';
import type { NetWorthResponse } from './contract.ts';
import { type Conversion, convertNetWorth, convertToBase } from './convert-net-worth.ts';
import { explainCurrency, explainNetWorth, sumParts } from './explain-net-worth.ts';
import { flowsSql } from './flow-queries.ts';
import { computeNetWorthChanges } from './net-worth-changes.ts';
import {
  type HeldPrice,
  heldPricesSql,
  type NetWorthPart,
  netWorthPartsSql,
  netWorthSql,
  settingsSql,
  snapshotsSql,
} from './queries.ts';
import { type BaseConversion, type ConversionContext, hasSampleRates, readConversion } from './read-conversion.ts';
import { readRows } from './row-queries.ts';
import type { CurrentNetWorthRow, FlowRow, NetWorthRow, SnapshotRow } from './rows.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the current net worth and its daily values of the last `days` days. `isExplained` adds how each current total
 * came about.
 */
export async function readNetWorthSince(
  deps: ConversionContext,
  sql: MemberSql,
  idpId: string,
  { days, isExplained = false }: { days: number; isExplained?: boolean },
): Promise<NetWorthResponse> {
  const from = getFirstDay(deps, days);
  const { rows, parts } = await readNetWorthRows(sql, { idpId, from }, isExplained);
  const conversion = await readConversion(deps, rows.settings, listConvertedRows(rows), from);
  return toNetWorth(rows, conversion, parts);
}

/** Statements whose rows net worth needs beside its current amounts. */
export const historyStatements = {
  settings: settingsSql,
  snapshots: snapshotsSql,
  flows: flowsSql,
  held_prices: heldPricesSql,
};

interface NetWorthRows {
  net_worth: readonly CurrentNetWorthRow[];
  snapshots: readonly SnapshotRow[];
  flows: readonly FlowRow[];
  held_prices: readonly HeldPrice[];
}

/** Reads net worth, and its parts if they are explained. Their sums replace a second reading that could differ. */
async function readNetWorthRows(sql: MemberSql, range: { idpId: string; from: string }, isExplained: boolean) {
  if (!isExplained) return { rows: await readRows(sql, range, { ...historyStatements, net_worth: netWorthSql }) };
  const { parts, ...rows } = await readRows(sql, range, { ...historyStatements, parts: netWorthPartsSql });
  return { rows: { ...rows, net_worth: sumParts(parts) }, parts };
}

/** Returns New York's date a number of days ago. */
export const getFirstDay = ({ market, now }: Pick<ConversionContext, 'market' | 'now'>, days: number): string =>
  market.calendar.toNewYorkDate(new Date(now().getTime() - days * DAY_MS));

/** Returns the rows that net worth converts. Without an earlier day there is no change, and flows need no rate. */
export const listConvertedRows = ({ net_worth: current, snapshots, flows }: NetWorthRows) => [
  ...current,
  ...snapshots,
  ...(snapshots.length === 0 ? [] : flows),
];

/** Returns net worth as the API does, explained if its parts are given. */
export function toNetWorth(
  rows: NetWorthRows,
  conversion: BaseConversion,
  parts?: readonly NetWorthPart[],
): NetWorthResponse {
  const { net_worth: currentRows, snapshots, held_prices: prices } = rows;
  const { currency, chosen } = conversion;
  const flows = snapshots.length === 0 ? [] : rows.flows;
  const isSampleHidden = hasRealPrices(snapshots, prices);
  const response = toNetWorthResponse(currentRows, snapshots, prices, isSampleHidden);
  return {
    ...response,
    ...(parts && {
      currencies: response.currencies.map((entry) => ({
        ...entry,
        explain: explainCurrency(parts, entry.currency),
      })),
    }),
    base: {
      currency,
      chosen,
      ...convertNetWorth(currentRows, conversion),
      ...computeNetWorthChanges(
        currentRows,
        listComparableDays(currentRows, snapshots, isSampleHidden),
        flows,
        conversion,
        parts && sumDayChanges(parts, conversion),
      ),
    },
    ...(parts && { explain: explainNetWorth(parts, conversion) }),
    session_day: conversion.sessionDay,
    sample_data: response.sample_data || hasSampleRates(conversion, listConvertedRows(rows)),
  };
}

/** Returns the day change of all holdings in the base currency as decimal text, as the portfolio's total shows it. */
const sumDayChanges = (parts: readonly NetWorthPart[], conversion: Conversion): string =>
  addAmounts(
    parts.flatMap(
      ({ amount, change_amount: change, currency }) =>
        (amount === null ? null : convertToBase(change, currency, conversion)) ?? [],
    ),
  )!;

/**
 * Returns one entry per currency that the member has or had. A former currency has the value 0 and its history. Sample
 * points are included and marked only until real data exist, since a line with both would show false gains and losses.
 */
export function toNetWorthResponse(
  currentRows: readonly CurrentNetWorthRow[],
  snapshots: readonly SnapshotRow[],
  heldPrices: readonly HeldPrice[],
  isSampleHidden: boolean,
): Omit<NetWorthResponse, 'base' | 'session_day'> {
  const shownSnapshots = isSampleHidden ? snapshots.filter(({ sample }) => !sample) : snapshots;
  const historyByCurrency = Map.groupBy(shownSnapshots, ({ currency }) => currency);
  const currentByCurrency = new Map(currentRows.map((row) => [row.currency, row]));
  const currencies = [...new Set([...currentByCurrency.keys(), ...historyByCurrency.keys()])].sort();
  return {
    currencies: currencies.map((currency) => ({
      currency,
      ...toCurrentAmounts(currentByCurrency.get(currency) ?? { cash: '0', liabilities: '0', investments: '0' }),
      history: (historyByCurrency.get(currency) ?? []).map((row) => ({ date: row.date, ...toAmounts(row) })),
    })),
    unpriced: heldPrices.filter(({ priced }) => !priced).map(({ symbol }) => symbol),
    sample_data: heldPrices.some(({ sample }) => sample) || shownSnapshots.some(({ sample }) => sample),
  };
}

/** Returns whether a price of a provider is part of the member's net worth, now or on an earlier day. */
export const hasRealPrices = (snapshots: readonly SnapshotRow[], heldPrices: readonly HeldPrice[]): boolean =>
  heldPrices.some(({ priced, sample }) => priced && !sample) ||
  snapshots.some(({ sample, investments }) => !sample && Number(investments) !== 0);

/**
 * Returns the snapshots of each day that has one in every currency the member had then. Without the other days, a
 * missing snapshot of one currency would look like a loss. A day with a sample price is left out as in
 * `toNetWorthResponse`.
 */
function listComparableDays(
  currentRows: readonly NetWorthRow[],
  snapshots: readonly SnapshotRow[],
  isSampleHidden: boolean,
): Map<string, SnapshotRow[]> {
  const current = new Set(currentRows.map(({ currency }) => currency));
  const datesByCurrency = Map.groupBy(snapshots, ({ currency }) => currency);
  // The snapshots of a currency are sorted by date.
  const spans = [...datesByCurrency].map(([currency, rows]) => ({
    first: rows[0]!.date,
    last: current.has(currency) ? undefined : rows.at(-1)!.date,
  }));
  const days = [...Map.groupBy(snapshots, ({ date }) => date)].filter(([date, rows]) => {
    const expected = spans.filter(({ first, last }) => first <= date && (last === undefined || date <= last)).length;
    return rows.length === expected && !(isSampleHidden && rows.some(({ sample }) => sample));
  });
  return new Map(days.sort(([a], [b]) => a.localeCompare(b)));
}

/** Separates liabilities from the cash of the other accounts. */
function toCurrentAmounts({ cash, liabilities, investments }: Omit<CurrentNetWorthRow, 'currency'>) {
  return {
    ...toAmounts({ cash, investments }),
    cash: sumAmounts([cash, negate(liabilities)])!,
    liabilities: Number(liabilities),
  };
}

function toAmounts(row: { cash: string; investments: string }): { cash: number; investments: number; total: number } {
  const cash = Number(row.cash);
  const investments = Number(row.investments);
  // A JSON number is exact to fifteen digits: 0.1 + 0.2 is 0.3 here.
  return { cash, investments, total: Number((cash + investments).toPrecision(15)) };
}
