import { z } from 'zod';
import { KEEPABLE_TEXT } from '../database/contract.ts';
import { defineRoutes, nothing } from '../http/contract.ts';

/** Events are written together: one that the database does not keep would take the others with it. */
const text = (most: number) =>
  z.string().max(most).regex(KEEPABLE_TEXT, 'must not hold NUL or lone surrogate characters');

/** A property of an event: flat, and small enough to be kept. */
const property = z.union([text(500), z.number(), z.boolean(), z.null(), z.array(text(64)).max(250)]);

/** `POST /api/analytics/events`: what the web app captured of the signed-in member. */
const captureRequest = z
  .strictObject({
    events: z
      .array(
        z.strictObject({
          event: z.string().regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be lower case words joined by _'),
          properties: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), property).default({}),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'CapturedEvents' });

export type EventProperties = Readonly<Record<string, z.infer<typeof property>>>;

export const routes = defineRoutes(
  { tag: { name: 'Analytics', description: 'What the web app captures of the signed-in member.' } },
  {
    captureEvents: {
      method: 'POST',
      path: '/api/analytics/events',
      summary: 'Takes events of the web app',
      body: captureRequest,
      responses: { 202: nothing('Taken.') },
      example: { body: { events: [{ event: 'watchlist_viewed', properties: { tier: 'free' } }] } },
    },
  },
);
