import type { HttpApp } from '../app-type.ts';
import type { Route } from '../contract.ts';
import { allowInlineCode } from '../security-headers.ts';
import { describeRoutes } from './describe-routes.ts';
import { renderDocument } from './render-document.ts';
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

/** Adds `/openapi.json` and the readable page `/docs`, generated from the contracts. */
export function addDocumentRoutes(app: HttpApp, routes: ReadonlySet<Route>): void {
  // Generated on the first request, when all routes are mounted. Most processes never need it.
  let document: ReturnType<typeof describeRoutes> | undefined;
  const getDocument = () => {
    document ??= describeRoutes([...routes], readVersion());
    return document;
  };
  let json: string | undefined;
  let page: string | undefined;

  app.get('/openapi.json', async (_request, reply) => {
    reply.header('cache-control', CACHE_CONTROL).type('application/json; charset=utf-8');
    json ??= JSON.stringify(getDocument());
    return reply.serializer(String).send(json);
  });
  app.get('/docs', async (_request, reply) => {
    page ??= renderDocument(getDocument());
    const policy = String(reply.raw.getHeader('content-security-policy') ?? reply.getHeader('content-security-policy'));
    reply.header('cache-control', CACHE_CONTROL).header('content-security-policy', allowInlineCode(policy, page));
    return reply.type('text/html; charset=utf-8').serializer(String).send(page);
  });
}
