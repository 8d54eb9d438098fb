import { AppError } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { route } from '../../platform/http/route.ts';
import { sendCsv } from '../../platform/http/send-csv.ts';
import { parseIdParam, PRIVATE_CACHE_CONTROL } from '../../platform/identity/member-access.ts';
import { addToWatchlist } from './add-to-watchlist.ts';
import type { AfterResponseQueue } from './after-response-queue.ts';
import { captureWithState } from './capture-event.ts';
import type { CreateContext, WatchlistDependencies } from './context.ts';
import { routes } from './contract.ts';
import { exportWatchlist, writeCsv } from './export-watchlist.ts';
import { toImportError, toAddError, createTierUnavailableError } from './watchlist-errors.ts';
import { addRolloutGate } from './rollout-gate.ts';
import { type TickerDetailResult, getTickerDetail } from './get-ticker-detail.ts';
import { MAX_IMPORT_BYTES, importWatchlist } from './import-watchlist.ts';
import { createEmptyFreeList, listWatchlist, serializeWatchlist } from './list-watchlist.ts';
import { listWatchedEarnings } from './list-watched-earnings.ts';
import { removeFromWatchlist } from './remove-from-watchlist.ts';
import { moveInWatchlist, reorderWatchlist } from './reorder-watchlist.ts';

const ROW_NOT_FOUND_MESSAGE = 'Your watchlist has no row with this id.';

/** Adds all routes under `/api/watchlist`, behind one gate. */
export async function addWatchlistRoutes(
  app: HttpApp,
  deps: WatchlistDependencies,
  afterResponse: AfterResponseQueue,
  createContext: CreateContext,
): Promise<void> {
  await app.register(async (scope: HttpApp) => {
    const getContext = addRolloutGate(scope, deps, createContext);

    route(scope, routes.listWatchlist, async (request, reply) => {
      const context = getContext(request);
      const list = context.demo
        ? createEmptyFreeList(await deps.getWatchlistLimit('free'))
        : await listWatchlist(context);
      if (!list) throw createTierUnavailableError();
      reply.headers(PRIVATE_CACHE_CONTROL);
      // The body is serialized by hand, so the contract does not check it. list-watchlist.test.ts compares every
      // response with the contract.
      return reply.type('application/json; charset=utf-8').send(serializeWatchlist(list) as never);
    });

    route(scope, routes.addToWatchlist, async (request, reply) => {
      const context = getContext(request);
      const added = await addToWatchlist(context, request.body);
      if (!added.ok) {
        if (added.reason === 'limit_reached')
          afterResponse.add(reply.raw, 'event capture', () => captureWithState(context, 'watchlist_limit_reached'));
        throw toAddError(added);
      }
      const { item, renamedFrom } = added;
      afterResponse.add(reply.raw, 'backfill', () => deps.market.requestBackfill(item.symbol));
      return reply.code(201).send({ item, ...(renamedFrom !== undefined && { renamed_from: renamedFrom }) });
    });

    route(scope, routes.reorderWatchlist, async (request) => {
      const reordered = await reorderWatchlist(getContext(request), request.body.ids);
      if (!reordered.ok) throw new AppError('ORDER_CONFLICT', { body: { ids: reordered.ids } });
      return { items: reordered.items };
    });

    route(scope, routes.moveInWatchlist, async (request) => {
      const row = { id: parseIdParam(request.params, ROW_NOT_FOUND_MESSAGE), position: request.body.position };
      const items = await moveInWatchlist(getContext(request), row);
      if (items.length === 0) throw new AppError('NOT_FOUND', { message: ROW_NOT_FOUND_MESSAGE });
      return { items };
    });

    route(scope, routes.removeFromWatchlist, async (request, reply) => {
      const removed = await removeFromWatchlist(
        getContext(request),
        parseIdParam(request.params, ROW_NOT_FOUND_MESSAGE),
      );
      if (!removed) throw new AppError('NOT_FOUND', { message: ROW_NOT_FOUND_MESSAGE });
      return reply.code(204).send();
    });

    route(scope, routes.getTickerDetail, async (request, reply) => {
      const context = getContext(request);
      const result: TickerDetailResult = context.demo
        ? { ok: false, reason: 'not_shown' }
        : await getTickerDetail(context, request.params.symbol);
      if (!result.ok)
        throw result.reason === 'tier_unavailable'
          ? createTierUnavailableError()
          : new AppError('NOT_FOUND', { message: 'This symbol is not among the active rows of your watchlist.' });
      if (result.needsBackfill)
        afterResponse.add(reply.raw, 'backfill', () => deps.market.requestBackfill(result.detail.symbol));
      reply.headers(PRIVATE_CACHE_CONTROL);
      return result.detail;
    });

    route(scope, routes.listWatchedEarnings, async (request, reply) => {
      const context = getContext(request);
      const watched = context.demo
        ? { earnings: [], complete: true, sample_data: false }
        : await listWatchedEarnings(context);
      if (!watched) throw createTierUnavailableError();
      reply.headers(PRIVATE_CACHE_CONTROL);
      return watched;
    });

    // JSON may escape each byte of the text as six bytes, and the envelope adds up to 1,024 bytes.
    const bodyLimit = 6 * MAX_IMPORT_BYTES + 1024;
    route(scope, routes.importToWatchlist, { bodyLimit }, async (request, reply) => {
      const dryRun = request.query.dry_run === '1';
      const imported = await importWatchlist(getContext(request), request.body.text, { dryRun });
      if (!imported.ok) throw toImportError(imported);
      const { rows, added } = imported;
      if (!dryRun && added.length > 0)
        afterResponse.add(reply.raw, 'backfill', () =>
          Promise.all(added.map((symbol) => deps.market.requestBackfill(symbol))),
        );
      return { rows };
    });

    route(scope, routes.exportWatchlist, async (request, reply) => {
      const context = getContext(request);
      const csv = context.demo ? writeCsv([]) : await exportWatchlist(context);
      if (csv === undefined) throw createTierUnavailableError();
      const today = deps.now().toISOString().slice(0, 10);
      return sendCsv(reply, { name: 'watchlist', day: today, csv });
    });
  });
}
