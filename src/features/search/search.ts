import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Slice } from '../../slice.ts';
import { addSearchRoute, type SearchRouteDependencies } from './routes.ts';

/** Creates the search slice: catalog search that marks watched and held symbols. */
export const createSearch = (deps: SearchRouteDependencies) =>
  ({ name: 'search', register: (app: HttpApp): void => addSearchRoute(app, deps) }) satisfies Slice;
