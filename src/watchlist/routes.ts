import { z } from 'zod';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { addToWatchlist } from './add-to-watchlist.ts';
import type { AfterResponse } from './after-response.ts';
import { captureEvent, captureWithState } from './capture-event.ts';
import type { WatchlistDependencies } from './context.ts';
import {
  addRequest,
  addResponse,
  idParams,
  orderRequest,
  orderResponse,
  symbolParams,
  tickerDetail,
  watchedEarnings,
  watchlist,
} from './contract.ts';
import {
  addRefusals,
  detailRefusals,
  earningsRefusals,
  listRefusals,
  orderRefusals,
  removeRefusals,
} from './refusal-schemas.ts';
import { refusalOf, tierFailure } from './refusals.ts';
import { addGate } from './gate.ts';
import type { DetailRead } from './get-ticker-detail.ts';
import { getTickerDetail } from './get-ticker-detail.ts';
import { addImportRoutes } from './import-routes.ts';
import { emptyFreeList, listWatchlist } from './list-watchlist.ts';
import { listWatchedEarnings } from './list-watched-earnings.ts';
import { removeFromWatchlist } from './remove-from-watchlist.ts';
import { reorderWatchlist } from './reorder-watchlist.ts';
import { writeList } from './write-list.ts';

const tags = ['Watchlist'];
/** A member's own answer may be kept, and is asked for again with its ETag each time. */
const OWN = 'private, no-cache';

/** Every route under `/api/watchlist`, behind one gate. */
export async function addWatchlistRoutes(
  app: HttpApp,
  deps: WatchlistDependencies,
  later: AfterResponse,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    const gated = addGate(scope, deps);

    scope.get(
      '/api/watchlist',
      {
        schema: { tags, response: { 200: watchlist, ...listRefusals } },
      },
      async (request, reply) => {
        const asked = gated(request);
        const list = asked.demo ? emptyFreeList(await deps.watchlistLimitOf('free')) : await listWatchlist(asked);
        if (!list) throw tierFailure();
        reply.header('cache-control', OWN);
        // Written by hand, so the contract does not see it: list-watchlist.test.ts holds every answer to it.
        return reply.type('application/json; charset=utf-8').send(writeList(list) as never);
      },
    );

    scope.post(
      '/api/watchlist',
      { schema: { tags, body: addRequest, response: { 201: addResponse, ...addRefusals } } },
      async (request, reply) => {
        const asked = gated(request);
        const added = await addToWatchlist(asked, request.body);
        if (!added.ok) {
          if (added.reason === 'limit_reached')
            later.add(reply.raw, 'an event', () => captureWithState(asked, 'watchlist_limit_reached'));
          throw refusalOf(added);
        }
        const { item, state } = added;
        later.add(reply.raw, 'a backfill', () => deps.market.requestBackfill(item.symbol));
        const event = request.body.position === undefined ? 'watchlist_symbol_added' : 'watchlist_removal_undone';
        captureEvent(asked, event, state, { symbol: item.symbol, asset_type: item.asset_type });
        return reply.code(201).send({ item });
      },
    );

    scope.put(
      '/api/watchlist/order',
      { schema: { tags, body: orderRequest, response: { 200: orderResponse, ...orderRefusals } } },
      async (request, reply) => {
        const asked = gated(request);
        const reordered = await reorderWatchlist(asked, request.body.ids);
        if (!reordered.ok)
          throw reordered.reason === 'tier_unavailable'
            ? tierFailure()
            : new Failure('ORDER_CONFLICT', { body: { ids: reordered.ids } });
        later.add(reply.raw, 'an event', () => captureWithState(asked, 'watchlist_reordered'));
        return { items: reordered.items };
      },
    );

    scope.delete(
      '/api/watchlist/:id',
      { schema: { tags, params: idParams, response: { 204: z.null().describe('It is gone.'), ...removeRefusals } } },
      async (request, reply) => {
        const asked = gated(request);
        const symbol = await removeFromWatchlist(asked, request.params.id);
        if (symbol === undefined)
          throw new Failure('NOT_FOUND', { message: 'Your watchlist has no row with this id.' });
        later.add(reply.raw, 'an event', () => captureWithState(asked, 'watchlist_symbol_removed', { symbol }));
        return reply.code(204).send(null);
      },
    );

    scope.get(
      '/api/watchlist/ticker/:symbol',
      { schema: { tags, params: symbolParams, response: { 200: tickerDetail, ...detailRefusals } } },
      async (request, reply) => {
        const asked = gated(request);
        const read: DetailRead = asked.demo
          ? { ok: false, reason: 'not_shown' }
          : await getTickerDetail(asked, request.params.symbol);
        if (!read.ok)
          throw read.reason === 'tier_unavailable'
            ? tierFailure()
            : new Failure('NOT_FOUND', { message: 'This symbol is not among the active rows of your watchlist.' });
        if (read.thin) later.add(reply.raw, 'a backfill', () => deps.market.requestBackfill(read.detail.symbol));
        reply.header('cache-control', OWN);
        return read.detail;
      },
    );

    scope.get(
      '/api/watchlist/earnings',
      { schema: { tags, response: { 200: watchedEarnings, ...earningsRefusals } } },
      async (request, reply) => {
        const asked = gated(request);
        const watched = asked.demo ? { earnings: [], complete: true } : await listWatchedEarnings(asked);
        if (!watched) throw tierFailure();
        reply.header('cache-control', OWN);
        return watched;
      },
    );

    addImportRoutes(scope, deps, later, gated);
  });
}
