import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Every route that is declared while `start` runs, by Fastify instances of any place. */
export async function recordRoutes<T>(start: () => Promise<T>): Promise<{ started: T; routes: RouteOptions[] }> {
  const routes: RouteOptions[] = [];
  // Fastify announces each instance here, so that the application needs no hook for a test.
  const listen = (message: unknown): void =>
    void (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route));
  subscribe('fastify.initialization', listen);
  try {
    return { started: await start(), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** `DELETE /api/accounts/:id` of each method of each route, once. */
export const getRouteNames = (routes: readonly RouteOptions[]): string[] => [
  ...new Set(routes.flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))),
];

export const isRead = (method: string): boolean => READS.has(method);
