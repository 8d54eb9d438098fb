import { z } from 'zod';
import type { HttpApp } from './app-type.ts';
import { openTo } from './guard.ts';

/** What a browser must know before it can sign in; nothing here is a secret. */
export const publicSettings = z.object({
  base_url: z.string(),
  frontend_api_url: z.string(),
  publishable_key: z.string(),
});

export type PublicSettings = z.infer<typeof publicSettings>;

/** `GET /api/config`: where the web app finds the identity provider. */
export function addPublicSettingsRoute(app: HttpApp, values: PublicSettings): void {
  const guard = openTo('a browser must know it before it can sign in');
  app.get(
    '/api/config',
    { config: { guard }, schema: { response: { 200: publicSettings } } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60');
      return values;
    },
  );
}
