import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import { type NetWorthResponse, routes } from './contract.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import { type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import {
  listHeldPrices,
  listSnapshots,
  readNetWorth,
  type SnapshotRow,
  type NetWorthRow,
} from './net-worth-queries.ts';
import { toNumber } from './holding-responses.ts';

const DAY_MS = 86_400_000;

interface NetWorthDependencies extends MemberAccess {
  market: Pick<MarketDataService, 'calendar'>;
  now: () => Date;
}

/** Adds `GET /api/net-worth`: current and daily values per currency. */
export function addNetWorthRoute(app: HttpApp, deps: NetWorthDependencies): void {
  route(app, routes.getNetWorth, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const netWorth = await readNetWorthSince(deps, deps.asMember(member), member.idpId, request.query.days);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return netWorth;
  });
}

/** Returns the current net worth and its daily values of the last `days` days. */
export async function readNetWorthSince(
  { market, now }: Pick<NetWorthDependencies, 'market' | 'now'>,
  sql: MemberSql,
  idpId: string,
  days: number,
): Promise<NetWorthResponse> {
  const from = market.calendar.toNewYorkDate(new Date(now().getTime() - days * DAY_MS));
  const [currentRows, snapshots, prices] = await Promise.all([
    readNetWorth(sql, idpId),
    listSnapshots(sql, idpId, from),
    listHeldPrices(sql),
  ]);
  return toNetWorthResponse(currentRows, snapshots, prices);
}

/**
 * Returns one entry per currency that the member has or had. A former currency has the value 0 and its history. Sample
 * points are included and marked only until real data exist, since a line with both would show false gains and losses.
 */
export function toNetWorthResponse(
  currentRows: readonly NetWorthRow[],
  snapshots: readonly SnapshotRow[],
  heldPrices: readonly { symbol: string; priced: boolean; sample: boolean }[],
): NetWorthResponse {
  const hasRealPrices =
    heldPrices.some(({ priced, sample }) => priced && !sample) ||
    snapshots.some(({ sample, investments }) => !sample && toNumber(investments) !== 0);
  const shownSnapshots = hasRealPrices ? snapshots.filter(({ sample }) => !sample) : snapshots;
  const historyByCurrency = Map.groupBy(shownSnapshots, ({ currency }) => currency);
  const currentByCurrency = new Map(currentRows.map((row) => [row.currency, row]));
  const currencies = [...new Set([...currentByCurrency.keys(), ...historyByCurrency.keys()])].sort();
  return {
    currencies: currencies.map((currency) => ({
      currency,
      ...toAmounts(currentByCurrency.get(currency) ?? { cash: '0', investments: '0' }),
      history: (historyByCurrency.get(currency) ?? []).map((row) => ({ date: row.date, ...toAmounts(row) })),
    })),
    unpriced: heldPrices.filter(({ priced }) => !priced).map(({ symbol }) => symbol),
    sample_data: heldPrices.some(({ sample }) => sample) || shownSnapshots.some(({ sample }) => sample),
  };
}

function toAmounts(row: { cash: string; investments: string }): { cash: number; investments: number; total: number } {
  const cash = toNumber(row.cash);
  const investments = toNumber(row.investments);
  // A JSON number is exact to fifteen digits: 0.1 + 0.2 is 0.3 here.
  return { cash, investments, total: Number((cash + investments).toPrecision(15)) };
}
