import type { Logger } from 'pino';
import type { MemberSql } from '../../../platform/database/roles.ts';
import { withTimeout } from '../../../platform/http/with-timeout.ts';
import type { Member } from '../../../platform/identity/member.ts';
import type { ReportState } from '../../../market-data/services/earnings/report-queries.ts';
import { readReportStates } from '../../../market-data/services/earnings/stored-reports.ts';
import { readStoredNews } from '../../../market-data/services/news/list-news.ts';
import type { ConnectionList } from '../../connections/contract.ts';
import type { WatchedEarnings } from '../../watchlist/contract.ts';
import { toAccountList } from '../accounts/list-accounts.ts';
import { accountsSql } from '../accounts/queries.ts';
import { toPortfolioHoldings } from '../holdings/list-portfolio-holdings.ts';
import { getFirstDay, historyStatements, listConvertedRows, toNetWorth } from '../net-worth/read-net-worth.ts';
import { netWorthSql } from '../net-worth/queries.ts';
import { holdingsSql } from '../holdings/queries.ts';
import { layoutsSql } from './queries.ts';
import { readRows } from '../net-worth/row-queries.ts';
import { type ConversionContext, readConversion } from '../net-worth/read-conversion.ts';
import type { CardId, HomeResponse, NewsResponse } from './contract.ts';
import { type DividendDependencies, readDividends } from '../dividends/list-dividends.ts';
import { type EarningsDependencies, type MemberSymbols, toStoredEarnings } from './list-earnings.ts';
import { toNews } from './list-news.ts';
import { listOfferedCards, mergeLayout } from './merge-layout.ts';

/** Days of net worth and number of articles that the cards show. */
const NET_WORTH_DAYS = 366;
const ARTICLES = 20;
/** Time in ms after which a part is left out, so that it does not delay the other cards. */
const PART_TIMEOUT_MS = 2_000;

/** The member's watchlist, as its feature reads it for Home. */
interface HomeList {
  symbols: readonly string[];
  serialize(states: readonly ReportState[]): Promise<string>;
  getEarnings(states: readonly ReportState[]): WatchedEarnings | undefined;
}

export interface HomeDependencies extends EarningsDependencies, DividendDependencies {
  market: EarningsDependencies['market'] & DividendDependencies['market'];
  logger: Logger;
  exchangeRates: ConversionContext['exchangeRates'];
  asMember: (member: Pick<Member, 'idpId' | 'sessionId'>) => MemberSql;
  isWatchlistOn: (member: Member) => Promise<boolean>;
  /** Reads the member's list. Returns undefined, without a query of the watchlist, outside the rollout. */
  readHomeList: (member: Member) => Promise<HomeList | undefined>;
  listConnections: (member: Pick<Member, 'idpId' | 'sessionId'>) => Promise<ConnectionList>;
}

type ReadPart = <T>(part: keyof HomeResponse, pendingRead: Promise<T>) => Promise<T | undefined>;

/**
 * Returns the JSON text of all shown cards, read in at most ten statements: portfolio, connections, rows of the
 * watchlist, its closes, reports, dividends, news, and exchange rates for other currencies, also of dividends. A part that fails, is late or needs a
 * provider is left out. Throws if the portfolio cannot be read.
 */
export async function readHome(
  deps: HomeDependencies,
  member: Member,
  { isDemoTour }: { isDemoTour: boolean },
): Promise<string> {
  const readPart: ReadPart = (part, pendingRead) => readOptionalPart(deps.logger, part, pendingRead);
  const from = getFirstDay(deps, NET_WORTH_DAYS);
  const [rows, connections, isWatchlistOn, list] = await Promise.all([
    readRows(deps.asMember(member), { idpId: member.idpId, from }, statements),
    readPart('connections', deps.listConnections(member)),
    deps.isWatchlistOn(member),
    // The tour has a list of its own.
    isDemoTour ? undefined : readPart('watchlist', deps.readHomeList(member)),
  ]);
  const layout = mergeLayout(rows.layouts[0]?.cards, listOfferedCards({ watchlist: isWatchlistOn }));
  const shownIds = new Set<CardId>(layout.cards.map(({ id }) => id));
  const symbols: MemberSymbols = {
    held: [...new Set(rows.holdings.flatMap(({ symbol }) => symbol ?? []))],
    watched: list?.symbols ?? [],
    isWatchlistAvailable: list !== undefined || !isWatchlistOn || isDemoTour,
  };
  const convertedRows = [...listConvertedRows(rows), ...rows.accounts, ...rows.holdings];
  const [conversion, marketParts, dividends, news] = await Promise.all([
    readPart('net_worth', readConversion(deps, rows.settings, convertedRows, from)),
    readPart('earnings', readMarketParts(deps, list, symbols)),
    shownIds.has('dividends') ? readPart('dividends', readDividends(deps, rows, symbols)) : undefined,
    shownIds.has('news') ? readPart('news', readNews(deps, symbols)) : undefined,
  ]);
  return serializeParts({
    layout: JSON.stringify(layout),
    net_worth: conversion && shownIds.has('net_worth') ? JSON.stringify(toNetWorth(rows, conversion)) : undefined,
    accounts: conversion && shownIds.has('accounts') ? JSON.stringify(toAccountList(rows, conversion)) : undefined,
    holdings:
      conversion && (shownIds.has('movers') || shownIds.has('holdings'))
        ? JSON.stringify(toPortfolioHoldings(rows, conversion))
        : undefined,
    connections: connections && JSON.stringify(connections),
    earnings: shownIds.has('earnings') && marketParts?.earnings ? JSON.stringify(marketParts.earnings) : undefined,
    dividends: dividends && JSON.stringify(dividends),
    news: news && JSON.stringify(news),
    watchlist: isWatchlistOn ? marketParts?.watchlist : 'null',
    watched_earnings: marketParts?.watchedEarnings && JSON.stringify(marketParts.watchedEarnings),
  });
}

const statements = {
  ...historyStatements,
  layouts: layoutsSql,
  net_worth: netWorthSql,
  accounts: accountsSql,
  holdings: holdingsSql,
};

/** Reads the reports of all cards in one statement, and the closes of the list. */
async function readMarketParts(deps: HomeDependencies, list: HomeList | undefined, symbols: MemberSymbols) {
  const states = await readReportStates(deps, [...symbols.held, ...symbols.watched]);
  return {
    earnings: toStoredEarnings(deps, states, symbols),
    watchlist: await list?.serialize(states),
    watchedEarnings: list?.getEarnings(states),
  };
}

/** Returns the stored news, or undefined if they must be fetched. */
async function readNews(
  { sql }: HomeDependencies,
  { held, watched }: MemberSymbols,
): Promise<NewsResponse | undefined> {
  const symbols = [...held, ...watched];
  const articles = symbols.length === 0 ? [] : await readStoredNews(sql, symbols, ARTICLES);
  return articles && toNews(articles, { held, watched, limit: ARTICLES });
}

/** Reads a part that the response can omit. If the read fails or is late, logs a warning and returns undefined. */
async function readOptionalPart<T>(
  logger: Logger,
  part: keyof HomeResponse,
  pendingRead: Promise<T>,
): Promise<T | undefined> {
  try {
    return await withTimeout(PART_TIMEOUT_MS, pendingRead, () => {
      throw new Error(`no response within ${PART_TIMEOUT_MS} ms`);
    });
  } catch (error) {
    logger.warn({ err: error, part }, 'part of Home unavailable; omitted from response');
    return undefined;
  }
}

/** The list is JSON text already, since parsing and serializing its closes would take longer than reading them. */
const serializeParts = (parts: Readonly<Record<keyof HomeResponse, string | undefined>>): string =>
  `{${Object.entries(parts)
    .flatMap(([name, text]) => (text === undefined ? [] : [`"${name}":${text}`]))
    .join(',')}}`;
