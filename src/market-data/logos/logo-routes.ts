import { z } from 'zod';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../http/app-type.ts';
import { openTo } from '../../http/guard.ts';
import { coded, queryRefusals } from '../../http/failure-schemas.ts';
import { badgeOf } from './issuer-badges.ts';
import { normaliseSymbol } from '../catalog/normalise-symbol.ts';
import type { Logo } from './registry-logos.ts';

const DAY = 'public, max-age=86400';
/** A listing without a picture may get one as soon as somebody adds it. */
const MINUTE = 'public, max-age=60';
const WEEK = 'public, max-age=604800';

const tags = ['Logos'];
const config = { guard: openTo('a picture tells nothing of a member') };
const pictureOf = (...mediaTypes: Logo['mediaType'][]) => ({
  description: 'The picture.',
  content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: z.any() }])),
});
const refusals = { ...queryRefusals, 404: coded('NOT_FOUND') };
const registryAnswers = {
  200: pictureOf('image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml'),
  204: z.undefined().describe('There is no picture.'),
  ...refusals,
  503: coded('UNAVAILABLE'),
};

/** Pictures from our own origin, so that no third party learns what a member follows. */
export function addLogoRoutes(app: HttpApp, logoOf: (symbol: string) => Promise<Logo | undefined>): void {
  app.get(
    '/api/logos/:file',
    {
      config,
      schema: {
        tags,
        params: z.strictObject({ file: z.string().max(60) }),
        response: { 200: pictureOf('image/svg+xml'), ...refusals },
      },
    },
    async (request, reply) => {
      const svg = badgeOf(request.params.file.replace(/\.svg$/, ''));
      if (svg === undefined) throw new Failure('NOT_FOUND');
      reply.header('cache-control', DAY).type('image/svg+xml');
      return reply.send(svg);
    },
  );

  // The popular tickers are asked for by their symbols alone. That there is no picture is no fault: letters stand in, and the browser,
  // which notes every 404, has nothing to note.
  app.get(
    '/api/logos/registry/:symbol',
    { config, schema: { tags, params: z.strictObject({ symbol: z.string().max(32) }), response: registryAnswers } },
    async (request, reply) => {
      const symbol = normaliseSymbol(request.params.symbol);
      if (symbol === undefined) throw new Failure('NOT_FOUND');
      const logo = await logoOf(symbol);
      if (!logo) return reply.code(204).header('cache-control', MINUTE).send();
      // What is drawn here may be a stand-in for a picture that can be had tomorrow.
      reply.header('cache-control', logo.mediaType === 'image/svg+xml' ? DAY : WEEK).type(logo.mediaType);
      return reply.send(logo.body);
    },
  );
}
