import type { HttpApp } from '../../platform/http/app-type.ts';
import type { Slice } from '../../slice.ts';
import { addSearchRoute, type SearchRouteDependencies } from './routes.ts';

/** Wires the slice: the search over the catalog that says what the member watches and holds. */
export const createSearch = (deps: SearchRouteDependencies) =>
  ({ name: 'search', register: (app: HttpApp): void => addSearchRoute(app, deps) }) satisfies Slice;
