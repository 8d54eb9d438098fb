import type { FastifyRequest } from 'fastify';
import { hasDoNotTrack } from '../../platform/analytics/do-not-track.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import type { ChangeContext, CreateContext, WatchlistDependencies } from './context.ts';

/** The rollout flag of everything that has to do with the watchlist. */
export const ROLLOUT_FLAG = 'dashboard-watchlist-v01';

/** Who asks, and whether the demo tour's empty list stands in for their own. */
type GatedRequest = ChangeContext & { demo: boolean };

/**
 * What every watchlist route asks before it reads a body or touches a table of the watchlist: member, rollout flag,
 * demo. Off means the answer of an unknown path. Returns the look-up for handlers.
 */
export function addRolloutGate(
  scope: HttpApp,
  { guards, isOn }: WatchlistDependencies,
  createContext: CreateContext,
): (request: FastifyRequest) => GatedRequest {
  // The sample portfolio's user looks at their own list, and changes nothing.
  guardRoutes(scope, { reads: guards.member, writes: guards.editor({ rejects: ['demo-tour', 'sample-user'] }) });
  scope.addHook('onRoute', (route) => {
    route.config = {
      ...route.config,
      isVisibleTo: async (request) => isOn(ROLLOUT_FLAG, (await guards.requireMember(request)).idpId),
    };
  });
  return (request) => ({
    ...createContext(guards.getMember(request)),
    doNotTrack: hasDoNotTrack(request.headers),
    demo: isDemoTour(request),
  });
}
