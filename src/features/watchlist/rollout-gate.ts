import type { FastifyRequest } from 'fastify';
import { hasDoNotTrack } from '../../platform/analytics/do-not-track.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { guardRoutes } from '../../platform/http/guard.ts';
import type { ChangeContext, CreateContext, WatchlistDependencies } from './context.ts';

/** Rollout flag of the watchlist. */
export const ROLLOUT_FLAG = 'dashboard-watchlist-v01';

/** The request context, and whether the demo tour's empty list replaces the member's list. */
type GatedRequest = ChangeContext & { demo: boolean };

/**
 * Adds the checks of every watchlist route: member, rollout flag, demo. The checks run before the body is read and
 * before any watchlist table is queried. If the flag is off, the response is that of an unknown path. Returns the
 * context look-up for handlers.
 */
export function addRolloutGate(
  scope: HttpApp,
  { guards, isOn }: WatchlistDependencies,
  createContext: CreateContext,
): (request: FastifyRequest) => GatedRequest {
  // The sample portfolio's user can read the list but not change it.
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
