import type { FastifyRequest } from 'fastify';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { isDemoTour } from '../http/demo-tour.ts';
import type { Asked, Member, WatchlistDependencies } from './context.ts';

/** The rollout flag of everything that has to do with the watchlist. */
export const ROLLOUT_FLAG = 'dashboard-watchlist-v01';

/** Who asks, and whether the demo tour's empty list stands in for his own. */
export interface GatedRequest extends Asked {
  demo: boolean;
}

const READS = new Set(['GET', 'HEAD']);

/**
 * What every watchlist route asks before it reads a body or touches a table of the watchlist: member, rollout flag, demo. Off means the
 * answer of an unknown path. A hook of `scope`, since parsing comes before handlers. Returns the look-up for handlers.
 */
export function addGate(scope: HttpApp, deps: WatchlistDependencies): (request: FastifyRequest) => GatedRequest {
  const asked = new WeakMap<FastifyRequest, GatedRequest>();
  const isOnFor = (member: Member): Promise<boolean> => deps.isOn(ROLLOUT_FLAG, member.idpId);
  // A wrong method runs no hook of a route, and must not tell either that the path is there.
  scope.addHook('onRoute', (route) => {
    route.config = {
      ...route.config,
      followsDemoTour: true,
      existsFor: async (request) => isOnFor(await deps.requireMember(request)),
    };
  });
  scope.addHook('onRequest', async (request) => {
    const member = await deps.requireMember(request);
    if (!(await isOnFor(member))) throw new Failure('NOT_FOUND');
    const demo = isDemoTour(request);
    // The sample portfolio's user looks at a list of his own, and changes nothing.
    if ((demo || member.isSampleUser) && !READS.has(request.method)) throw new Failure('DEMO_MODE');
    asked.set(request, {
      deps,
      member,
      demo,
      sql: deps.database.asMember({ sub: member.idpId, sid: member.sessionId }),
    });
  });
  return (request) => {
    const found = asked.get(request);
    if (!found) throw new Error('This route stands outside the gate of the watchlist.');
    return found;
  };
}
