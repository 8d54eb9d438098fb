import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { isDemoTour } from '../../../platform/http/demo-tour.ts';
import { route } from '../../../platform/http/route.ts';
import { type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../../platform/identity/member-access.ts';
import type { Member } from '../../../platform/identity/member.ts';
import type { MarketDataService } from '../../../market-data/services/market-data-service.ts';
import { routes } from './contract.ts';
import { listDividends } from '../dividends/list-dividends.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import { toStoredLayout, listOfferedCards, mergeLayout } from './merge-layout.ts';
import { readLayout, writeLayout } from './queries.ts';
import { type HomeDependencies, readHome } from './read-home.ts';

export interface DashboardRouteDependencies extends MemberAccess, Omit<HomeDependencies, 'now' | 'market'> {
  market: Pick<MarketDataService, 'earnings' | 'news' | 'dividends' | 'requestDividends' | 'calendar' | 'source'>;
  /** Returns the symbols that the member holds, without duplicates. */
  listHeldSymbols: (member: Pick<Member, 'idpId' | 'sessionId'>) => Promise<readonly string[]>;
  /** Returns the symbols that the member watches. `isWatchlistAvailable: false` if they are unreadable. */
  readWatched: (
    request: FastifyRequest,
    member: Member,
    options: { includeLocked: boolean },
  ) => Promise<{ watched: readonly string[] | undefined; isWatchlistAvailable: boolean }>;
  now?: () => Date;
}

/** Adds the dashboard's layout and the two cards that merge held and watched symbols. */
export function addDashboardRoutes(app: HttpApp, deps: DashboardRouteDependencies & { now: () => Date }): void {
  // Locked rows of the watchlist have neither reports nor news.
  const readSymbols = async (request: FastifyRequest) => {
    const member = deps.guards.getMember(request);
    const [held, { watched = [], isWatchlistAvailable }] = await Promise.all([
      deps.listHeldSymbols(member),
      deps.readWatched(request, member, { includeLocked: false }),
    ]);
    return { held, watched, isWatchlistAvailable };
  };

  route(app, routes.listEarnings, async (request, reply) => {
    const earnings = await listEarnings(deps, await readSymbols(request));
    reply.headers(PRIVATE_CACHE_CONTROL);
    return earnings;
  });

  route(app, routes.listDividends, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const symbols = await deps.readWatched(request, member, { includeLocked: false });
    const dividends = await listDividends(
      deps,
      deps.asMember(member),
      { ...symbols, watched: symbols.watched ?? [] },
      request.query.explain === '1',
    );
    reply.headers(PRIVATE_CACHE_CONTROL);
    return dividends;
  });

  route(app, routes.listNews, async (request, reply) => {
    const symbols = await readSymbols(request);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return listNews(deps.market, { ...symbols, limit: request.query.limit });
  });

  route(app, routes.getHome, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const home = await readHome(deps, member, { isDemoTour: isDemoTour(request) });
    reply.headers(PRIVATE_CACHE_CONTROL);
    // The contract does not check the text. home.test.ts compares each part with the response of its own route.
    return reply.type('application/json; charset=utf-8').send(home as never);
  });

  route(app, routes.getDashboard, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const [saved, watchlist] = await Promise.all([readLayout(deps.asMember(member)), deps.isWatchlistOn(member)]);
    reply.headers(PRIVATE_CACHE_CONTROL);
    return mergeLayout(saved, listOfferedCards({ watchlist }));
  });

  route(app, routes.saveDashboard, async (request) => {
    const member = deps.guards.getMember(request);
    const offered = listOfferedCards({ watchlist: await deps.isWatchlistOn(member) });
    const shownIds = request.body.cards.map(({ id }) => id);
    const unknownIndex = shownIds.findIndex((id) => !offered.includes(id));
    if (unknownIndex !== -1)
      throw new AppError('INVALID_REQUEST', {
        issues: [{ path: `cards.${unknownIndex}.id`, message: 'There is no such card for you.' }],
      });
    const sql = deps.asMember(member);
    const storedLayout = toStoredLayout(shownIds, offered, await readLayout(sql));
    await writeLayout(sql, member.idpId, storedLayout);
    return mergeLayout(storedLayout, offered);
  });
}
