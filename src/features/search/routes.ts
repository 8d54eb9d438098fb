import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import type { Guards } from '../../platform/identity/guards.ts';
import { PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import type { Member } from '../../platform/identity/member.ts';
import type { MarketDataService } from '../../market-data/services/market-data-service.ts';
import { routes } from './contract.ts';
import { groupHits } from './group-hits.ts';

export interface SearchRouteDependencies {
  guards: Guards;
  market: Pick<MarketDataService, 'search'>;
  /** Returns the distinct symbols that the member holds. */
  listHeldSymbols: (member: Member) => Promise<readonly string[]>;
  /** Returns the symbols that the member watches. Returns undefined outside the rollout and if the read fails. */
  readWatched: (
    request: FastifyRequest,
    member: Member,
    options: { includeLocked: boolean },
  ) => Promise<{ watched: readonly string[] | undefined }>;
}

/** Adds `GET /api/investments/search`, shared by Add Investment and the watchlist. */
export function addSearchRoute(
  app: HttpApp,
  { guards, market, listHeldSymbols, readWatched }: SearchRouteDependencies,
): void {
  route(app, routes.searchInvestments, { guard: guards.member }, async (request, reply) => {
    const member = guards.getMember(request);
    const { q, limit } = request.query;
    reply.headers(PRIVATE_CACHE_CONTROL);
    if (q === '') return { query: q, groups: [], more: 0 };
    const [{ hits, more }, held, { watched }] = await Promise.all([
      market.search(q, limit),
      listHeldSymbols(member),
      // A locked row is on the list too. Offering its symbol would only end in ALREADY_WATCHED.
      readWatched(request, member, { includeLocked: true }),
    ]);
    return { ...groupHits(q, hits.slice(0, limit), { held, watched }), more };
  });
}
