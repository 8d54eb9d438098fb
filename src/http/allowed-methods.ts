import type { FastifyInstance } from 'fastify';

interface Pattern {
  matches: RegExp;
  methods: Set<string>;
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const toRegExp = (url: string): RegExp =>
  new RegExp(`^${url.split('/').map((part) => (part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : escape(part))).join('/')}/?$`);

/**
 * Remembers every route, so that a known path with a wrong method can answer 405 with `allow` (Fastify itself says 404).
 * Returns a look-up: the methods that answer a path, empty where the path is unknown.
 */
export function rememberMethods(app: FastifyInstance): (path: string) => string[] {
  const patterns = new Map<string, Pattern>();
  app.addHook('onRoute', (route) => {
    // The catch-all for pages is no address of its own: it would turn each unknown path into a 405.
    if (route.url === '*' || route.url === '/*') return;
    const entry = patterns.get(route.url) ?? { matches: toRegExp(route.url), methods: new Set<string>() };
    for (const method of [route.method].flat()) entry.methods.add(method.toUpperCase());
    patterns.set(route.url, entry);
  });
  return (path) => {
    const found = new Set<string>();
    for (const { matches, methods } of patterns.values()) {
      if (matches.test(path)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  };
}
