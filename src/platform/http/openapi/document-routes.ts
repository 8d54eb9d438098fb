import type { HttpApp } from '../app-type.ts';
import type { Route } from '../contract.ts';
import { encodeDocument, sendEncodedDocument } from '../encoded-document.ts';
import { describeRoutes } from './describe-routes.ts';
import { readVersion } from '../version.ts';

const CACHE_CONTROL = 'public, max-age=300';

/** Tracks the contract of every route that is mounted after this call. */
export function trackRouteDefinitions(app: HttpApp): ReadonlySet<Route> {
  const routes = new Set<Route>();
  app.addHook('onRoute', ({ config }) => {
    if (config?.definition) routes.add(config.definition);
  });
  return routes;
}

/** Adds `/openapi.json`, generated from the contracts and compressed once. */
export function addDocumentRoutes(app: HttpApp, routes: ReadonlySet<Route>): void {
  // Generated on the first request, when all routes are mounted. Most processes never need them.
  const getJson = once(() => encodeDocument(JSON.stringify(describeRoutes([...routes], readVersion()))));

  app.get('/openapi.json', async (_request, reply) => {
    const json = await getJson();
    reply.header('cache-control', CACHE_CONTROL).type('application/json; charset=utf-8');
    return sendEncodedDocument(reply, json);
  });
}

/** Returns a function that makes its value at the first call. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
