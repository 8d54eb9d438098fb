import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Feature } from '../../feature.ts';
import { addSearchRoute, type SearchRouteDependencies } from './routes.ts';

/** Creates the search feature: catalog search that marks watched and held symbols. */
export const createSearch = (deps: SearchRouteDependencies) =>
  ({ name: 'search', register: (app: HttpApp): void => addSearchRoute(app, deps) }) satisfies Feature;
