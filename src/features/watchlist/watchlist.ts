import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { createMemberAccess } from '../../platform/identity/member-access.ts';
import type { MemberRef } from '../../platform/identity/member.ts';
import type { Feature } from '../../feature.ts';
import { createAfterResponseQueue } from './after-response-queue.ts';
import { getEventContext } from './capture-event.ts';
import type { CreateContext, WatchlistDependencies } from './context.ts';
import { memberRows } from './export-queries.ts';
import { type TickerDetailResult, getTickerDetail } from './get-ticker-detail.ts';
import { getWatchState, type WatchState } from './get-watch-state.ts';
import { createTierCache } from './tier-cache.ts';
import { ROLLOUT_FLAG } from './rollout-gate.ts';
import { type ListedWatchlist, listWatchlist } from './list-watchlist.ts';
import { type HomeList, readHomeList } from './read-home-list.ts';
import { prepareDemoList } from './prepare-demo-list.ts';
import { deleteWatchlist, selectSymbols } from './queries.ts';
import { addWatchlistRoutes } from './routes.ts';
import { seedWatchlists } from './seed-watchlist.ts';
import { isPlausibleListState, validateBrowserEvent } from './validate-browser-event.ts';

export interface WatchedReaderDependencies extends Pick<WatchlistDependencies, 'logger'> {
  /**
   * Returns the symbols of the member's list in order. Returns undefined, without a query of the watchlist, if the
   * rollout flag is off.
   */
  listWatchedSymbols: (
    member: MemberRef,
    options: { includeLocked: boolean },
  ) => Promise<readonly string[] | undefined>;
  /** Returns whether the watchlist's rollout is on for the member. */
  isWatchlistOn: (member: MemberRef) => Promise<boolean>;
}

export interface WatchlistFeature extends Feature, Omit<WatchedReaderDependencies, 'logger'> {
  register(app: HttpApp): Promise<void>;
  /** Reads the watched symbols for another feature's response. */
  readWatched: ReturnType<typeof createWatchedReader>;
  /**
   * Returns the list as `GET /api/watchlist` does, or undefined if the tier is unavailable. The caller checks the
   * rollout.
   */
  getWatchlist(member: MemberRef): Promise<ListedWatchlist | undefined>;
  /**
   * Reads the list for Home. Returns undefined, without a query of the watchlist, if the rollout flag is off. Throws if
   * the list or the tier is unavailable.
   */
  readHomeList(member: MemberRef): Promise<HomeList | undefined>;
  /** Returns a ticker's detail without a backfill. The caller checks the rollout. */
  getTickerDetail(member: MemberRef, symbol: string): Promise<TickerDetailResult>;
  /**
   * Returns whether a symbol of the catalog is on the member's list. Returns undefined, without a query of the
   * watchlist, if the rollout flag is off.
   */
  getWatchState(member: MemberRef, symbol: string): Promise<WatchState | undefined>;
  validateBrowserEvent: typeof validateBrowserEvent;
  isPlausibleListState: typeof isPlausibleListState;
  getEventContext(
    member: Pick<MemberRef, 'idpId' | 'sessionId'>,
    events: readonly string[],
  ): ReturnType<typeof getEventContext>;
  /** Waits for work that runs after responses. */
  close(): Promise<void>;
}

/** Wires the feature. Nothing runs before the first request. */
export function createWatchlist({
  now = () => new Date(),
  ...options
}: Omit<WatchlistDependencies, 'now'> & Partial<WatchlistDependencies>): WatchlistFeature {
  const deps = { ...options, now };
  const afterResponse = createAfterResponseQueue(deps.logger);
  const tierCache = createTierCache(now);
  const { asMember } = createMemberAccess(deps.database, deps.guards);
  const createContext: CreateContext = (member) => ({
    deps,
    member,
    tierCache,
    sql: asMember(member),
  });
  const isWatchlistOn = (member: MemberRef) => deps.isOn(ROLLOUT_FLAG, member.idpId);
  const listWatchedSymbols: WatchlistFeature['listWatchedSymbols'] = async (member, { includeLocked }) => {
    const { idpId } = member;
    if (!(await isWatchlistOn(member))) return undefined;
    return selectSymbols(asMember(member), idpId, { includeLocked }).catch((error: unknown) => {
      const cachedPlan = tierCache.get(idpId);
      if (!cachedPlan) throw error;
      return selectSymbols(asMember(member), idpId, { includeLocked, cachedPlan });
    });
  };
  return {
    name: 'watchlist',
    memberRows,
    register: (app) => addWatchlistRoutes(app, deps, afterResponse, createContext),
    isWatchlistOn,
    listWatchedSymbols,
    readWatched: createWatchedReader({ logger: deps.logger, listWatchedSymbols, isWatchlistOn }),
    getWatchlist: (member) => listWatchlist(createContext(member)),
    async readHomeList(member) {
      if (!(await isWatchlistOn(member))) return undefined;
      const list = await readHomeList(createContext(member));
      if (!list) throw new Error('The tier is unavailable.');
      return list;
    },
    getTickerDetail: (member, symbol) => getTickerDetail(createContext(member), symbol),
    getWatchState: async (member, symbol) =>
      (await isWatchlistOn(member)) ? getWatchState(createContext(member), symbol) : undefined,
    validateBrowserEvent: validateBrowserEvent,
    isPlausibleListState,
    getEventContext: (member, events) => getEventContext({ deps, member, tierCache, sql: asMember(member) }, events),
    seedFromMarket({ members, sampleUserIdpUserId: sampleUserId }) {
      const sample = sampleUserId === undefined ? [] : [{ idp_user_id: sampleUserId, tier: 'max' as const }];
      return seedWatchlists(deps.database.service, [...members, ...sample], deps.market);
    },
    prepareDemo: (idpId) => prepareDemoList(deps.market, idpId),
    onUserDeleted: deleteWatchlist,
    close: () => afterResponse.waitUntilIdle(),
  };
}

/**
 * Creates the reader of watched symbols for other responses. Returns undefined outside the rollout. If the read fails,
 * logs a warning, omits the symbols and sets `isWatchlistAvailable` to false. The demo tour's list is always empty.
 */
export const createWatchedReader =
  ({ logger, listWatchedSymbols, isWatchlistOn }: WatchedReaderDependencies) =>
  async (
    request: FastifyRequest,
    member: MemberRef,
    options: { includeLocked: boolean },
  ): Promise<{ watched: readonly string[] | undefined; isWatchlistAvailable: boolean }> => {
    if (isDemoTour(request))
      return { watched: (await isWatchlistOn(member)) ? [] : undefined, isWatchlistAvailable: true };
    try {
      return { watched: await listWatchedSymbols(member, options), isWatchlistAvailable: true };
    } catch (error) {
      logger.warn({ err: error }, 'watched symbols unavailable; omitted from response');
      return { watched: undefined, isWatchlistAvailable: false };
    }
  };
