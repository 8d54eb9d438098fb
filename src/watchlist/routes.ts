import { isDeclined } from '../analytics/declined.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { route } from '../http/route.ts';
import { addToWatchlist } from './add-to-watchlist.ts';
import type { AfterResponse } from './after-response.ts';
import { captureWithState } from './capture-event.ts';
import type { WatchlistDependencies } from './context.ts';
import { routes } from './contract.ts';
import { refusalOf, tierFailure } from './refusals.ts';
import { addGate } from './gate.ts';
import { type DetailRead, getTickerDetail } from './get-ticker-detail.ts';
import { addImportRoutes } from './import-routes.ts';
import type { KnownTiers } from './known-tiers.ts';
import { emptyFreeList, listWatchlist } from './list-watchlist.ts';
import { listWatchedEarnings } from './list-watched-earnings.ts';
import { deleteItem } from './queries.ts';
import { moveInWatchlist, reorderWatchlist } from './reorder-watchlist.ts';
import { writeList } from './write-list.ts';

/** A member's own answer may be kept, and is asked for again with its ETag each time. */
const OWN = 'private, no-cache';
const NO_ROW = 'Your watchlist has no row with this id.';

/** Every route under `/api/watchlist`, behind one gate. */
export async function addWatchlistRoutes(
  app: HttpApp,
  deps: WatchlistDependencies,
  later: AfterResponse,
  tiers: KnownTiers,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    const gated = addGate(scope, deps, tiers);

    route(scope, routes.listWatchlist, async (request, reply) => {
      const context = gated(request);
      const list = context.demo ? emptyFreeList(await deps.watchlistLimitOf('free')) : await listWatchlist(context);
      if (!list) throw tierFailure();
      reply.header('cache-control', OWN);
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
      const { item } = added;
      later.add(reply.raw, 'a backfill', () => deps.market.requestBackfill(item.symbol));
      return reply.code(201).send({ item });
    });

    route(scope, routes.reorderWatchlist, async (request) => {
      const context = gated(request);
      const reordered = await reorderWatchlist(context, request.body.ids);
      if (!reordered.ok) throw new Failure('ORDER_CONFLICT', { body: { ids: reordered.ids } });
      return { items: reordered.items };
    });

    route(scope, routes.moveInWatchlist, async (request) => {
      const context = gated(request);
      const items = await moveInWatchlist(context, { id: request.params.id, position: request.body.position });
      if (!items) throw new Failure('NOT_FOUND', { message: NO_ROW });
      return { items };
    });

    route(scope, routes.removeFromWatchlist, async (request, reply) => {
      const context = gated(request);
      const symbol = await deleteItem(context.sql, request.params.id, isDeclined());
      if (symbol === undefined) throw new Failure('NOT_FOUND', { message: NO_ROW });
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
      reply.header('cache-control', OWN);
      return read.detail;
    });

    route(scope, routes.listWatchedEarnings, async (request, reply) => {
      const context = gated(request);
      const watched = context.demo
        ? { earnings: [], complete: true, sample_data: false }
        : await listWatchedEarnings(context);
      if (!watched) throw tierFailure();
      reply.header('cache-control', OWN);
      return watched;
    });

    addImportRoutes(scope, deps, later, gated);
  });
}
