import type { FastifyRequest } from 'fastify';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { dashboardRequest, dashboardResponse, earningsResponse, newsQuery, newsResponse } from './contract.ts';
import { readLayout, writeLayout } from './dashboard-queries.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import type { MemberAccess } from './member-access.ts';
import { OWN_READ } from './member-access.ts';
import { chooseCards, offeredCards, placeCards } from './place-cards.ts';
import { listHeldSymbols } from './queries.ts';
import type { WatchedDependencies } from './read-watched.ts';
import { readWatched } from './read-watched.ts';
import { layoutRefusals, queriedRefusals, readRefusals } from './refusal-schemas.ts';

export interface CardRouteDependencies extends MemberAccess, WatchedDependencies {
  sql: ServiceSql;
  market: Pick<MarketDataRoom, 'earnings' | 'news' | 'calendar'>;
  now: () => Date;
}

/** The dashboard's layout and the two cards that merge what is held with what is watched. */
export function addCardRoutes(app: HttpApp, deps: CardRouteDependencies): void {
  const tags = ['Dashboard'];
  const config = { followsDemoTour: true };

  // Locked rows of the watchlist bring neither reports nor news.
  const symbolsOf = async (request: FastifyRequest) => {
    const member = deps.memberOf(request);
    const [held, { watched = [], known }] = await Promise.all([
      listHeldSymbols(deps.asMember(member)),
      readWatched(deps, request, member, { includeLocked: false }),
    ]);
    return { held, watched, known };
  };

  app.get(
    '/api/earnings',
    { config, schema: { tags, response: { 200: earningsResponse, ...readRefusals } } },
    async (request, reply) => {
      const symbols = await symbolsOf(request);
      const answer = await listEarnings(deps, symbols);
      reply.headers(OWN_READ);
      return { ...answer, complete: answer.complete && symbols.known };
    },
  );

  app.get(
    '/api/news',
    { config, schema: { tags, querystring: newsQuery, response: { 200: newsResponse, ...queriedRefusals } } },
    async (request, reply) => {
      const symbols = await symbolsOf(request);
      reply.headers(OWN_READ);
      return listNews(deps.market, { ...symbols, limit: request.query.limit });
    },
  );

  app.get(
    '/api/dashboard',
    { schema: { tags, response: { 200: dashboardResponse, ...readRefusals } } },
    async (request, reply) => {
      const member = deps.memberOf(request);
      const [saved, watchlist] = await Promise.all([readLayout(deps.asMember(member)), deps.isWatchlistOn(member)]);
      reply.headers(OWN_READ);
      return placeCards(saved, offeredCards({ watchlist }));
    },
  );

  app.put(
    '/api/dashboard',
    { schema: { tags, body: dashboardRequest, response: { 200: dashboardResponse, ...layoutRefusals } } },
    async (request) => {
      const member = deps.memberOf(request);
      const offered = offeredCards({ watchlist: await deps.isWatchlistOn(member) });
      const wanted = request.body.cards.map(({ id }) => id);
      const stranger = wanted.findIndex((id) => !offered.includes(id));
      if (stranger !== -1)
        throw new Failure('INVALID_REQUEST', {
          issues: [{ path: `cards.${stranger}.id`, message: 'There is no such card for you.' }],
        });
      const sql = deps.asMember(member);
      const chosen = chooseCards(wanted, offered, await readLayout(sql));
      await writeLayout(sql, member.idpId, chosen);
      return placeCards(chosen, offered);
    },
  );
}
