import type { HttpApp } from '../http/app-type.ts';
import { askWhoFirst } from '../identity/member-access.ts';
import type { Slice } from '../slice.ts';
import type { DashboardRouteDependencies } from './routes.ts';
import { addDashboardRoutes } from './routes.ts';

/** Wires the slice: the layout of the grid, Upcoming Earnings and Latest News, which merge what is held with what is watched. */
export function createDashboard(deps: DashboardRouteDependencies) {
  return {
    name: 'dashboard',
    register(app: HttpApp): void {
      void app.register(async (scope) => {
        askWhoFirst(scope, deps);
        addDashboardRoutes(scope, { now: () => new Date(), ...deps });
      });
    },
  } satisfies Slice;
}
