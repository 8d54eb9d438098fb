import { AppError } from '../errors.ts';
import type { HttpApp } from '../platform/http/app-type.ts';
import { publicGuard } from '../platform/http/guard.ts';
import { route } from '../platform/http/route.ts';
import { routes } from './contract.ts';
import { renderBadge } from './domain/logos.ts';
import { normalizeSymbol } from './domain/normalize-symbol.ts';
import type { Logo } from './services/logos/registry-logos.ts';

const CACHE_ONE_DAY = 'public, max-age=86400';
/** A listing without an image may get one as soon as a member adds it. */
const CACHE_ONE_MINUTE = 'public, max-age=60';
const CACHE_ONE_WEEK = 'public, max-age=604800';

const guard = publicGuard('logos contain no data of members');

/**
 * Adds routes for logos. Images come from our own origin, so that no third party learns which listings a member
 * watches.
 */
export function addLogoRoutes(app: HttpApp, getLogo: (symbol: string) => Promise<Logo | undefined>): void {
  route(app, routes.getIssuerLogo, { guard }, async (request, reply) => {
    const svg = renderBadge(request.params.file.replace(/\.svg$/, ''));
    if (svg === undefined) throw new AppError('NOT_FOUND');
    reply.header('cache-control', CACHE_ONE_DAY).type('image/svg+xml');
    return reply.code(200).send(svg);
  });

  // Popular tickers are requested by symbol only. A missing image is normal and shown as letters, so the status is 204:
  // browsers log every 404.
  route(app, routes.getRegistryLogo, { guard }, async (request, reply) => {
    const symbol = normalizeSymbol(request.params.symbol);
    if (symbol === undefined) throw new AppError('NOT_FOUND');
    const logo = await getLogo(symbol);
    if (!logo) return reply.header('cache-control', CACHE_ONE_MINUTE).code(204).send();
    // An embedded badge may be replaced by a fetched image tomorrow.
    reply
      .header('cache-control', logo.mediaType === 'image/svg+xml' ? CACHE_ONE_DAY : CACHE_ONE_WEEK)
      .type(logo.mediaType);
    return reply.code(200).send(logo.body);
  });
}
