import type { HttpApp } from '../http/app-type.ts';
import { askWhoFirst } from '../identity/member-access.ts';
import type { DashboardRouteDependencies } from './routes.ts';
import { addDashboardRoutes } from './routes.ts';

/** Wires the slice: the layout of the grid, Upcoming Earnings and Latest News, which merge what is held with what is watched. */
export function createDashboard(deps: DashboardRouteDependencies): { register(app: HttpApp): void } {
  return {
    register(app) {
      void app.register(async (scope) => {
        askWhoFirst(scope, deps);
        addDashboardRoutes(scope, deps);
      });
    },
  };
}
