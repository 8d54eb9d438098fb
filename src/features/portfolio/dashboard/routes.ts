import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import { Failure } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { route } from '../../../platform/http/route.ts';
import { type MemberAccess, OWN_READ } from '../../../platform/identity/member-access.ts';
import type { Member } from '../../../platform/identity/member.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { routes } from './contract.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import { chooseCards, offeredCards, placeCards } from './place-cards.ts';
import { readLayout, writeLayout } from './queries.ts';

export interface DashboardRouteDependencies extends MemberAccess {
  sql: ServiceSql;
  market: Pick<MarketDataService, 'earnings' | 'news' | 'calendar'>;
  /** Symbols that the member holds, each once. */
  heldSymbols: (member: Pick<Member, 'idpId' | 'sessionId'>) => Promise<readonly string[]>;
  /** Symbols that the member watches; `known: false` where they cannot be read now. */
  watchedFor: (
    request: FastifyRequest,
    member: Member,
    options: { includeLocked: boolean },
  ) => Promise<{ watched: readonly string[] | undefined; known: boolean }>;
  /** Whether the watchlist's rollout is on for the member. */
  isWatchlistOn: (member: Member) => Promise<boolean>;
  now?: () => Date;
}

/** The dashboard's layout and the two cards that merge what is held with what is watched. */
export function addDashboardRoutes(app: HttpApp, deps: DashboardRouteDependencies & { now: () => Date }): void {
  // Locked rows of the watchlist bring neither reports nor news.
  const symbolsOf = async (request: FastifyRequest) => {
    const member = deps.guards.memberOf(request);
    const [held, { watched = [], known }] = await Promise.all([
      deps.heldSymbols(member),
      deps.watchedFor(request, member, { includeLocked: false }),
    ]);
    return { held, watched, known };
  };

  route(app, routes.listEarnings, async (request, reply) => {
    const answer = await listEarnings(deps, await symbolsOf(request));
    reply.headers(OWN_READ);
    return answer;
  });

  route(app, routes.listNews, async (request, reply) => {
    const symbols = await symbolsOf(request);
    reply.headers(OWN_READ);
    return listNews(deps.market, { ...symbols, limit: request.query.limit });
  });

  route(app, routes.getDashboard, async (request, reply) => {
    const member = deps.guards.memberOf(request);
    const [saved, watchlist] = await Promise.all([readLayout(deps.asMember(member)), deps.isWatchlistOn(member)]);
    reply.headers(OWN_READ);
    return placeCards(saved, offeredCards({ watchlist }));
  });

  route(app, routes.saveDashboard, async (request) => {
    const member = deps.guards.memberOf(request);
    const offered = offeredCards({ watchlist: await deps.isWatchlistOn(member) });
    const wanted = request.body.cards.map(({ id }) => id);
    const unknown = wanted.findIndex((id) => !offered.includes(id));
    if (unknown !== -1)
      throw new Failure('INVALID_REQUEST', {
        issues: [{ path: `cards.${unknown}.id`, message: 'There is no such card for you.' }],
      });
    const sql = deps.asMember(member);
    const chosen = chooseCards(wanted, offered, await readLayout(sql));
    await writeLayout(sql, member.idpId, chosen);
    return placeCards(chosen, offered);
  });
}
