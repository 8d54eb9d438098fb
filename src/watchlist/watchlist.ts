import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../http/app-type.ts';
import type { Slice } from '../slice.ts';
import { createAfterResponse } from './after-response.ts';
import { knownOf } from './capture-event.ts';
import type { Member, RequestContext, WatchlistDependencies } from './context.ts';
import { memberRows } from './export-queries.ts';
import { type DetailRead, getTickerDetail } from './get-ticker-detail.ts';
import { rememberTiers } from './known-tiers.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { type ListedWatchlist, listWatchlist } from './list-watchlist.ts';
import { prepareDemoList } from './prepare-demo-list.ts';
import { deleteWatchlistOf, selectSymbols } from './queries.ts';
import { readWatched, type WatchedDependencies, type WatchedRead } from './read-watched.ts';
import { addWatchlistRoutes } from './routes.ts';
import { seedWatchlists } from './seed-watchlist.ts';
import { isPlausible, judgeBrowserEvent } from './judge-browser-event.ts';

export interface WatchlistSlice extends Slice, Omit<WatchedDependencies, 'logger'> {
  register(app: HttpApp): Promise<void>;
  /** The same for another slice's answer to a request, which goes without them where they cannot be read. */
  watchedFor(request: FastifyRequest, member: Member, options: { includeLocked: boolean }): Promise<WatchedRead>;
  /** The list as `GET /api/watchlist` shows it; `undefined` where the tier is away. The caller asks the rollout. */
  listOf(member: Member): Promise<ListedWatchlist | undefined>;
  /** A ticker as its detail shows it, without a backfill. The caller asks the rollout. */
  detailOf(member: Member, symbol: string): Promise<DetailRead>;
  /** What is wrong with an event that a browser sends. */
  judge: typeof judgeBrowserEvent;
  /** Whether the figures that a browser sends with an event can be those of its moment. */
  isPlausible: typeof isPlausible;
  /**
   * What is true of the watchlist's events among these, by name; without any statement of the watchlist where the
   * rollout flag is off.
   */
  knownOf(member: Pick<Member, 'idpId' | 'sessionId'>, events: readonly string[]): ReturnType<typeof knownOf>;
  /** Waits for what goes on after responses. */
  close(): Promise<void>;
}

/** Wires the slice. Nothing runs before the first request. */
export function createWatchlist(deps: WatchlistDependencies): WatchlistSlice {
  const later = createAfterResponse(deps.logger);
  const tiers = rememberTiers(deps.now ?? (() => new Date()));
  const isWatchlistOn = (member: Member) => deps.isOn(ROLLOUT_FLAG, member.idpId);
  const watchedSymbols: WatchlistSlice['watchedSymbols'] = async (member, { includeLocked }) => {
    const { idpId, sessionId } = member;
    if (!(await isWatchlistOn(member))) return undefined;
    const sql = deps.database.asMember({ sub: idpId, sid: sessionId });
    return selectSymbols(sql, idpId, includeLocked).catch((error: unknown) => {
      const known = tiers.of(idpId);
      if (!known) throw error;
      return selectSymbols(sql, idpId, includeLocked, known);
    });
  };
  const contextOf = (member: Member): RequestContext => ({
    ...{ deps, member, tiers },
    sql: deps.database.asMember({ sub: member.idpId, sid: member.sessionId }),
  });
  return {
    name: 'watchlist',
    memberRows,
    register: (app) => addWatchlistRoutes(app, deps, later, tiers),
    isWatchlistOn,
    watchedSymbols,
    watchedFor: (request, member, options) =>
      readWatched({ logger: deps.logger, watchedSymbols, isWatchlistOn }, request, member, options),
    listOf: (member) => listWatchlist(contextOf(member)),
    detailOf: (member, symbol) => getTickerDetail(contextOf(member), symbol),
    judge: judgeBrowserEvent,
    isPlausible,
    knownOf: (member, events) => knownOf(deps, member, events),
    seed: ({ members }) => seedWatchlists(deps.database.service, members, deps.market),
    prepareDemo: (idpId) => prepareDemoList(deps.market, idpId),
    onUserDeleted: deleteWatchlistOf,
    close: () => later.settled(),
  };
}
