import type { HttpApp } from './app-type.ts';
import { openTo } from './guard.ts';
import type { PublicSettings } from './contract.ts';
import { routes } from './contract.ts';
import { route } from './route.ts';

/** `GET /api/config`: where the web app finds the identity provider. */
export function addPublicSettingsRoute(app: HttpApp, values: PublicSettings): void {
  const guard = openTo('a browser must know it before it can sign in');
  route(app, routes.getPublicSettings, { guard }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return values;
  });
}
