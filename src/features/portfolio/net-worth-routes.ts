import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import { type NetWorthResponse, routes } from './contract.ts';
import type { MemberSql } from '../../platform/database/roles.ts';
import { type MemberAccess, OWN_READ } from '../../platform/identity/member-access.ts';
import { listHeldPrices, listSnapshots, readNetWorth, type SnapshotRow, type WorthRow } from './net-worth-queries.ts';
import { toNumber } from './present-holdings.ts';

const DAY_MS = 86_400_000;

interface NetWorthDependencies extends MemberAccess {
  market: Pick<MarketDataService, 'calendar'>;
  now: () => Date;
}

/** `GET /api/net-worth`: now and day by day, per currency. */
export function addNetWorthRoute(app: HttpApp, deps: NetWorthDependencies): void {
  route(app, routes.getNetWorth, async (request, reply) => {
    const member = deps.guards.memberOf(request);
    const worth = await netWorthSince(deps, deps.asMember(member), member.idpId, request.query.days);
    reply.headers(OWN_READ);
    return worth;
  });
}

/** The net worth now, and its ends of days as far back as `days`. */
export async function netWorthSince(
  { market, now }: Pick<NetWorthDependencies, 'market' | 'now'>,
  sql: MemberSql,
  idpId: string,
  days: number,
): Promise<NetWorthResponse> {
  const from = market.calendar.newYorkDate(new Date(now().getTime() - days * DAY_MS));
  const [present, snapshots, prices] = await Promise.all([
    readNetWorth(sql, idpId),
    listSnapshots(sql, idpId, from),
    listHeldPrices(sql),
  ]);
  return presentNetWorth(present, snapshots, prices);
}

/**
 * One entry per currency that the member has or had; a currency that is gone stands at 0 with its history. Points of
 * sample data are shown, and marked, only as long as nothing real is known: on one line with real ones they would tell
 * of gains and losses that never were.
 */
export function presentNetWorth(
  now: readonly WorthRow[],
  snapshots: readonly SnapshotRow[],
  held: readonly { symbol: string; priced: boolean; sample: boolean }[],
): NetWorthResponse {
  const isReal =
    held.some(({ priced, sample }) => priced && !sample) ||
    snapshots.some(({ sample, investments }) => !sample && toNumber(investments) !== 0);
  const shown = isReal ? snapshots.filter(({ sample }) => !sample) : snapshots;
  const history = Map.groupBy(shown, ({ currency }) => currency);
  const present = new Map(now.map((row) => [row.currency, row]));
  const currencies = [...new Set([...present.keys(), ...history.keys()])].sort();
  return {
    currencies: currencies.map((currency) => ({
      currency,
      ...amounts(present.get(currency) ?? { cash: '0', investments: '0' }),
      history: (history.get(currency) ?? []).map((row) => ({ date: row.date, ...amounts(row) })),
    })),
    unpriced: held.filter(({ priced }) => !priced).map(({ symbol }) => symbol),
    sample_data: held.some(({ sample }) => sample) || shown.some(({ sample }) => sample),
  };
}

function amounts(row: { cash: string; investments: string }): { cash: number; investments: number; total: number } {
  const [cash, investments] = [toNumber(row.cash), toNumber(row.investments)];
  // Fifteen digits are what a number of JSON is exact to: 0.1 + 0.2 is 0.3 here.
  return { cash, investments, total: Number((cash + investments).toPrecision(15)) };
}
