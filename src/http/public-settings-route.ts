import type { HttpApp } from './app-type.ts';
import { route } from './route.ts';
import type { PublicSettings } from './contract.ts';
import { routes } from './contract.ts';

/** `GET /api/config`: where the web app finds the identity provider. */
export function addPublicSettingsRoute(app: HttpApp, values: PublicSettings): void {
  route(app, routes.getPublicSettings, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    return values;
  });
}
