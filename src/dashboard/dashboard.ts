import type { HttpApp } from '../http/app-type.ts';
import { guardRoutes } from '../http/guard.ts';
import type { Slice } from '../slice.ts';
import { deleteLayout } from './queries.ts';
import { addDashboardRoutes, type DashboardRouteDependencies } from './routes.ts';

/**
 * Wires the slice: the layout of the grid, Upcoming Earnings and Latest News, which merge what is held with what is
 * watched.
 */
export function createDashboard(deps: DashboardRouteDependencies) {
  return {
    name: 'dashboard',
    async register(app: HttpApp): Promise<void> {
      await app.register(async (scope) => {
        const { guards } = deps;
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ refuses: ['sample-user'] }) });
        addDashboardRoutes(scope, { now: () => new Date(), ...deps });
      });
    },
    onUserDeleted: deleteLayout,
    // Without a row of its own it has the default layout.
    prepareDemo: async (idpId) => (sql) => deleteLayout(sql, idpId),
  } satisfies Slice;
}
