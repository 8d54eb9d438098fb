import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { getPath } from './observe-response.ts';

interface RoutePattern {
  regex: RegExp;
  methods: Set<string>;
  route: RouteOptions;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function toPattern(segment: string): string {
  if (segment === '*') return '.*';
  return segment.startsWith(':') ? '[^/]+' : escapeRegExp(segment);
}

const toRegExp = (url: string): RegExp => new RegExp(`^${url.split('/').map(toPattern).join('/')}/?$`);

/**
 * Tracks every route, so that a known path with a wrong method returns 405 with `allow` (Fastify returns 404). Returns
 * a function that resolves to the methods of a request's path. The list is empty if the path is unknown or hidden from
 * the caller.
 */
export function trackRouteMethods(app: FastifyInstance): (request: FastifyRequest) => Promise<string[]> {
  const patterns = new Map<string, RoutePattern>();
  app.addHook('onRoute', (route) => {
    // The catch-all for pages would turn each unknown path into a 405.
    if (route.url === '*' || route.url === '/*') return;
    const entry = patterns.get(route.url) ?? { regex: toRegExp(route.url), methods: new Set<string>(), route };
    for (const method of [route.method].flat()) entry.methods.add(method.toUpperCase());
    patterns.set(route.url, entry);
  });
  return async (request) => {
    const path = getPath(request);
    const allowed = new Set<string>();
    for (const { regex, methods, route } of patterns.values()) {
      if (!regex.test(path)) continue;
      // Read the config here, because the hook of a scope sets it after this hook has run.
      if ((await route.config?.isVisibleTo?.(request)) === false) return [];
      for (const method of methods) allowed.add(method);
    }
    return [...allowed].sort();
  };
}
