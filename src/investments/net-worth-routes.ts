import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { routes } from './contract.ts';
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
    const sql = deps.asMember(member);
    const from = deps.market.calendar.newYorkDate(new Date(deps.now().getTime() - request.query.days * DAY_MS));
    const [now, snapshots, prices] = await Promise.all([
      readNetWorth(sql, member.idpId),
      listSnapshots(sql, member.idpId, from),
      listHeldPrices(sql),
    ]);
    reply.headers(OWN_READ);
    return presentNetWorth(now, snapshots, prices);
  });
}
