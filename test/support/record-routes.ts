import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';

/** Returns every route that any Fastify instance declares while `start` runs. */
export async function recordRoutes<T>(start: () => Promise<T>): Promise<{ started: T; routes: RouteOptions[] }> {
  const routes: RouteOptions[] = [];
  // Fastify publishes each instance on this channel, so the application needs no hook for a test.
  const listen = (message: unknown): void => {
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      routes.push(route);
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return { started: await start(), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Returns each method and path once, such as `DELETE /api/accounts/:id`. */
export const getRouteNames = (routes: readonly RouteOptions[]): string[] => [
  ...new Set(routes.flatMap(({ method, url }) => [method].flat().map((name) => `${name} ${url}`))),
];

export const isRead = (method: string): boolean => READS.has(method);
