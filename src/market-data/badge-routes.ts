import { z } from 'zod';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { badgeOf } from './issuer-badges.ts';

/** `GET /api/logos/{issuer}.svg`: badges from our own origin, so that no third party learns what a member follows. */
export function addBadgeRoutes(app: HttpApp): void {
  app.get('/api/logos/:file', { schema: { params: z.strictObject({ file: z.string().max(60) }) } }, async (request, reply) => {
    const svg = badgeOf(request.params.file.replace(/\.svg$/, ''));
    if (svg === undefined) throw new Failure('NOT_FOUND');
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml');
    return reply.send(svg);
  });
}
