import type { FastifyRequest } from 'fastify';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import type { AfterResponse } from './after-response.ts';
import type { WatchlistDependencies } from './context.ts';
import { routes } from './contract.ts';
import { exportWatchlist, writeCsv } from './export-watchlist.ts';
import type { GatedRequest } from './gate.ts';
import { IMPORT_BYTES, importWatchlist } from './import-watchlist.ts';
import { tierFailure, TRY_AGAIN_SECONDS } from './refusals.ts';

/** Import and export. JSON may write each byte of the text as six, and has a frame around it. */
export function addImportRoutes(
  scope: HttpApp,
  deps: WatchlistDependencies,
  later: AfterResponse,
  gated: (request: FastifyRequest) => GatedRequest,
): void {
  route(scope, routes.importToWatchlist, { bodyLimit: 6 * IMPORT_BYTES + 1024 }, async (request, reply) => {
    const context = gated(request);
    const dryRun = request.query.dry_run === '1';
    const imported = await importWatchlist(context, request.body.text, dryRun);
    if (!imported.ok) throw failureOf(imported);
    const { rows, added } = imported;
    if (!dryRun && added.length > 0)
      later.add(reply.raw, 'a backfill', () => Promise.all(added.map((symbol) => deps.market.requestBackfill(symbol))));
    return { rows };
  });

  route(scope, routes.exportWatchlist, async (request, reply) => {
    const context = gated(request);
    const csv = context.demo ? writeCsv([]) : await exportWatchlist(context);
    if (csv === undefined) throw tierFailure();
    const today = (deps.now?.() ?? new Date()).toISOString().slice(0, 10);
    return reply
      .header('cache-control', 'private, no-store')
      .header('content-disposition', `attachment; filename="watchlist-${today}.csv"`)
      .type('text/csv; charset=utf-8')
      .code(200)
      .send(csv);
  });
}

function failureOf(refused: Exclude<Awaited<ReturnType<typeof importWatchlist>>, { ok: true }>): Failure {
  switch (refused.reason) {
    case 'too_large':
      return new Failure('PAYLOAD_TOO_LARGE', { message: `The text is larger than ${IMPORT_BYTES / 1024} kB.` });
    case 'too_many':
      return new Failure('INVALID_REQUEST', {
        issues: [{ path: 'text', message: `has ${refused.count} ${refused.what}; at most ${refused.most} at a time` }],
      });
    case 'tier_unavailable':
      return tierFailure();
    case 'unavailable':
      return new Failure('UNAVAILABLE', {
        retryAfter: refused.retryAfter ?? TRY_AGAIN_SECONDS,
        message: 'Some symbols cannot be looked up right now; nothing was added.',
      });
  }
}
