import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { bodyRefusals, coded, memberRefusals, queryRefusals } from '../http/failure-schemas.ts';
import type { MemberAccess } from '../identity/member-access.ts';
import { OWN_READ } from '../identity/member-access.ts';
import type { Member } from '../identity/member.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { dashboardRequest, dashboardResponse, earningsResponse, newsQuery, newsResponse } from './contract.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import { chooseCards, offeredCards, placeCards } from './place-cards.ts';
import { readLayout, writeLayout } from './queries.ts';

export interface DashboardRouteDependencies extends MemberAccess {
  sql: ServiceSql;
  market: Pick<MarketDataRoom, 'earnings' | 'news' | 'calendar'>;
  /** Symbols that the member holds, each once. */
  heldSymbols: (member: Member) => Promise<readonly string[]>;
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
  const tags = ['Dashboard'];
  const config = { followsDemoTour: true };
  const layoutRefusals = { ...memberRefusals, ...bodyRefusals, 403: coded('DEMO_MODE', 'CROSS_ORIGIN') };

  // Locked rows of the watchlist bring neither reports nor news.
  const symbolsOf = async (request: FastifyRequest) => {
    const member = deps.guards.memberOf(request);
    const [held, { watched = [], known }] = await Promise.all([
      deps.heldSymbols(member),
      deps.watchedFor(request, member, { includeLocked: false }),
    ]);
    return { held, watched, known };
  };

  app.get(
    '/api/earnings',
    { config, schema: { tags, response: { 200: earningsResponse, ...memberRefusals } } },
    async (request, reply) => {
      const symbols = await symbolsOf(request);
      const answer = await listEarnings(deps, symbols);
      reply.headers(OWN_READ);
      return { ...answer, complete: answer.complete && symbols.known };
    },
  );

  app.get(
    '/api/news',
    {
      config,
      schema: { tags, querystring: newsQuery, response: { 200: newsResponse, ...memberRefusals, ...queryRefusals } },
    },
    async (request, reply) => {
      const symbols = await symbolsOf(request);
      reply.headers(OWN_READ);
      return listNews(deps.market, { ...symbols, limit: request.query.limit });
    },
  );

  app.get(
    '/api/dashboard',
    { schema: { tags, response: { 200: dashboardResponse, ...memberRefusals } } },
    async (request, reply) => {
      const member = deps.guards.memberOf(request);
      const [saved, watchlist] = await Promise.all([readLayout(deps.asMember(member)), deps.isWatchlistOn(member)]);
      reply.headers(OWN_READ);
      return placeCards(saved, offeredCards({ watchlist }));
    },
  );

  app.put(
    '/api/dashboard',
    { schema: { tags, body: dashboardRequest, response: { 200: dashboardResponse, ...layoutRefusals } } },
    async (request) => {
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
    },
  );
}
