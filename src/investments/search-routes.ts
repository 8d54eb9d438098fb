import type { HttpApp } from '../http/app-type.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { searchQuery, searchResponse } from './contract.ts';
import type { MemberAccess } from './member-access.ts';
import { OWN_READ } from './member-access.ts';
import { listHeldSymbols } from './queries.ts';
import type { WatchedDependencies } from './read-watched.ts';
import { readWatched } from './read-watched.ts';
import { queriedRefusals } from './refusal-schemas.ts';
import { groupHits } from './search-investments.ts';

export interface SearchRouteDependencies extends MemberAccess, WatchedDependencies {
  market: Pick<MarketDataRoom, 'search'>;
}

/** `GET /api/investments/search`, shared by Add Investment and the watchlist. */
export function addSearchRoute(app: HttpApp, deps: SearchRouteDependencies): void {
  const schema = {
    tags: ['Investments'],
    querystring: searchQuery,
    response: { 200: searchResponse, ...queriedRefusals },
  };
  app.get('/api/investments/search', { config: { followsDemoTour: true }, schema }, async (request, reply) => {
    const member = deps.memberOf(request);
    const { q, limit } = request.query;
    reply.headers(OWN_READ);
    if (q === '') return { query: q, groups: [] };
    const [hits, held, { watched }] = await Promise.all([
      deps.market.search(q, limit),
      listHeldSymbols(deps.asMember(member)),
      // A locked row is on the list too: offering it again would only end in ALREADY_WATCHED.
      readWatched(deps, request, member, { includeLocked: true }),
    ]);
    return groupHits(q, hits.slice(0, limit), { held, watched });
  });
}
