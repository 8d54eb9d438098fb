import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { pathOf } from './observe-answer.ts';

interface Pattern {
  matches: RegExp;
  methods: Set<string>;
  route: RouteOptions;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const toRegExp = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : escape(part)))
      .join('/')}/?$`,
  );

/**
 * Remembers every route, so that a known path with a wrong method can answer 405 with `allow` (Fastify answers 404).
 * The result looks up the methods of a request's path: none where the path is unknown or does not exist for the caller.
 */
export function rememberMethods(app: FastifyInstance): (request: FastifyRequest) => Promise<string[]> {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', (route) => {
    // The catch-all for pages is no address of its own: it would turn each unknown path into a 405.
    if (route.url === '*' || route.url === '/*') return;
    const entry = patterns.get(route.url) ?? { matches: toRegExp(route.url), methods: new Set<string>(), route };
    for (const method of [route.method].flat()) entry.methods.add(method.toUpperCase());
    patterns.set(route.url, entry);
  });
  return async (request) => {
    const path = pathOf(request);
    const found = new Set<string>();
    for (const { matches, methods, route } of patterns.values()) {
      if (!matches.test(path)) continue;
      // Read here and not above: a scope's own hook sets it after this one has run.
      if ((await route.config?.existsFor?.(request)) === false) return [];
      for (const method of methods) found.add(method);
    }
    return [...found].sort();
  };
}
