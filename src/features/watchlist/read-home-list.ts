import type { ReportState } from '../../market-data/services/earnings/report-queries.ts';
import { getStoredReports } from '../../market-data/services/earnings/stored-reports.ts';
import type { RequestContext } from './context.ts';
import type { NextReport, WatchedEarnings } from './contract.ts';
import { listActiveStocks, toWatchedEarnings } from './list-watched-earnings.ts';
import { addMarketData, readListRows, serializeWatchlist } from './list-watchlist.ts';

/** The member's list as a part of the response for Home, which reads the reports of all cards together. */
export interface HomeList {
  /** Symbols that are not locked, in the order of the list. */
  symbols: readonly string[];
  /** Returns the JSON text of `GET /api/watchlist`. Reads the closes. */
  serialize(states: readonly ReportState[]): Promise<string>;
  /** Returns the response of `GET /api/watchlist/earnings`, or undefined if reports must be fetched first. */
  getEarnings(states: readonly ReportState[]): WatchedEarnings | undefined;
}

/** Reads plan and rows of the list in one statement. Returns undefined if the tier is unavailable. */
export async function readHomeList(context: RequestContext): Promise<HomeList | undefined> {
  const list = await readListRows(context);
  if (!list) return undefined;
  return {
    symbols: list.rows.filter(({ locked }) => !locked).map(({ symbol }) => symbol),
    serialize: async (states) => serializeWatchlist(await addMarketData(context, list, listNextReports(states))),
    getEarnings(states) {
      const stocks = new Set(listActiveStocks(list).map(({ symbol }) => symbol));
      const result = getStoredReports(states.filter(({ symbol }) => stocks.has(symbol)));
      return result && toWatchedEarnings(context.deps, list, result);
    },
  };
}

const listNextReports = (states: readonly ReportState[]): Map<string, NextReport> =>
  new Map(
    states.flatMap(({ symbol, is_company: isCompany, reports: [next] }) =>
      isCompany && next ? [[symbol, { date: next.date, when: next.when }] as const] : [],
    ),
  );
