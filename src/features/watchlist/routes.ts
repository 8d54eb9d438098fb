import { Failure } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import { idFrom, OWN_READ } from '../../platform/identity/member-access.ts';
import { addToWatchlist } from './add-to-watchlist.ts';
import type { AfterResponse } from './after-response.ts';
import { captureWithState } from './capture-event.ts';
import type { ContextOf, WatchlistDependencies } from './context.ts';
import { routes } from './contract.ts';
import { exportWatchlist, writeCsv } from './export-watchlist.ts';
import { importRefusalOf, refusalOf, tierFailure } from './refusals.ts';
import { addGate } from './gate.ts';
import { type DetailRead, getTickerDetail } from './get-ticker-detail.ts';
import { IMPORT_BYTES, importWatchlist } from './import-watchlist.ts';
import { emptyFreeList, listWatchlist, writeList } from './list-watchlist.ts';
import { listWatchedEarnings } from './list-watched-earnings.ts';
import { removeFromWatchlist } from './remove-from-watchlist.ts';
import { moveInWatchlist, reorderWatchlist } from './reorder-watchlist.ts';

const NO_ROW = 'Your watchlist has no row with this id.';

/** Every route under `/api/watchlist`, behind one gate. */
export async function addWatchlistRoutes(
  app: HttpApp,
  deps: WatchlistDependencies,
  later: AfterResponse,
  contextOf: ContextOf,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    const gated = addGate(scope, deps, contextOf);

    route(scope, routes.listWatchlist, async (request, reply) => {
      const context = gated(request);
      const list = context.demo ? emptyFreeList(await deps.watchlistLimitOf('free')) : await listWatchlist(context);
      if (!list) throw tierFailure();
      reply.headers(OWN_READ);
      // Written by hand, so the contract does not see it: list-watchlist.test.ts holds every answer to it.
      return reply.type('application/json; charset=utf-8').send(writeList(list) as never);
    });

    route(scope, routes.addToWatchlist, async (request, reply) => {
      const context = gated(request);
      const added = await addToWatchlist(context, request.body);
      if (!added.ok) {
        if (added.reason === 'limit_reached')
          later.add(reply.raw, 'an event', () => captureWithState(context, 'watchlist_limit_reached'));
        throw refusalOf(added);
      }
      const { item, renamedFrom } = added;
      later.add(reply.raw, 'a backfill', () => deps.market.requestBackfill(item.symbol));
      return reply.code(201).send({ item, ...(renamedFrom !== undefined && { renamed_from: renamedFrom }) });
    });

    route(scope, routes.reorderWatchlist, async (request) => {
      const reordered = await reorderWatchlist(gated(request), request.body.ids);
      if (!reordered.ok) throw new Failure('ORDER_CONFLICT', { body: { ids: reordered.ids } });
      return { items: reordered.items };
    });

    route(scope, routes.moveInWatchlist, async (request) => {
      const row = { id: idFrom(request.params, NO_ROW), position: request.body.position };
      const items = await moveInWatchlist(gated(request), row);
      if (items.length === 0) throw new Failure('NOT_FOUND', { message: NO_ROW });
      return { items };
    });

    route(scope, routes.removeFromWatchlist, async (request, reply) => {
      const removed = await removeFromWatchlist(gated(request), idFrom(request.params, NO_ROW));
      if (!removed) throw new Failure('NOT_FOUND', { message: NO_ROW });
      return reply.code(204).send();
    });

    route(scope, routes.getTickerDetail, async (request, reply) => {
      const context = gated(request);
      const read: DetailRead = context.demo
        ? { ok: false, reason: 'not_shown' }
        : await getTickerDetail(context, request.params.symbol);
      if (!read.ok)
        throw read.reason === 'tier_unavailable'
          ? tierFailure()
          : new Failure('NOT_FOUND', { message: 'This symbol is not among the active rows of your watchlist.' });
      if (read.thin) later.add(reply.raw, 'a backfill', () => deps.market.requestBackfill(read.detail.symbol));
      reply.headers(OWN_READ);
      return read.detail;
    });

    route(scope, routes.listWatchedEarnings, async (request, reply) => {
      const context = gated(request);
      const watched = context.demo
        ? { earnings: [], complete: true, sample_data: false }
        : await listWatchedEarnings(context);
      if (!watched) throw tierFailure();
      reply.headers(OWN_READ);
      return watched;
    });

    // JSON may write each byte of the text as six, and has a frame around it.
    const bodyLimit = 6 * IMPORT_BYTES + 1024;
    route(scope, routes.importToWatchlist, { bodyLimit }, async (request, reply) => {
      const dryRun = request.query.dry_run === '1';
      const imported = await importWatchlist(gated(request), request.body.text, dryRun);
      if (!imported.ok) throw importRefusalOf(imported);
      const { rows, added } = imported;
      if (!dryRun && added.length > 0)
        later.add(reply.raw, 'a backfill', () =>
          Promise.all(added.map((symbol) => deps.market.requestBackfill(symbol))),
        );
      return { rows };
    });

    route(scope, routes.exportWatchlist, async (request, reply) => {
      const context = gated(request);
      const csv = context.demo ? writeCsv([]) : await exportWatchlist(context);
      if (csv === undefined) throw tierFailure();
      const today = deps.now().toISOString().slice(0, 10);
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-disposition', `attachment; filename="watchlist-${today}.csv"`)
        .type('text/csv; charset=utf-8')
        .code(200)
        .send(csv);
    });
  });
}
