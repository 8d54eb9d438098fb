import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { type NetWorthResponse, routes } from './contract.ts';
import type { MemberSql } from '../database/roles.ts';
import { type MemberAccess, OWN_READ } from '../identity/member-access.ts';
import { listHeldPrices, listSnapshots, readNetWorth } from './net-worth-queries.ts';
import { presentNetWorth } from './present-net-worth.ts';

const DAY_MS = 86_400_000;

interface NetWorthDependencies extends MemberAccess {
  market: Pick<MarketDataRoom, 'calendar'>;
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
