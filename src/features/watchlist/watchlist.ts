import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { isDemoTour } from '../../platform/http/demo-tour.ts';
import { memberAccess } from '../../platform/identity/member-access.ts';
import type { ReadingMember } from '../../platform/identity/member.ts';
import type { Slice } from '../../slice.ts';
import { createAfterResponse } from './after-response.ts';
import { knownOf } from './capture-event.ts';
import type { ContextOf, WatchlistDependencies } from './context.ts';
import { memberRows } from './export-queries.ts';
import { type DetailRead, getTickerDetail } from './get-ticker-detail.ts';
import { rememberTiers } from './known-tiers.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { type ListedWatchlist, listWatchlist } from './list-watchlist.ts';
import { prepareDemoList } from './prepare-demo-list.ts';
import { deleteWatchlistOf, selectSymbols } from './queries.ts';
import { addWatchlistRoutes } from './routes.ts';
import { seedWatchlists } from './seed-watchlist.ts';
import { isPlausible, judgeBrowserEvent } from './judge-browser-event.ts';

export interface WatchedDependencies extends Pick<WatchlistDependencies, 'logger'> {
  /**
   * Symbols on the member's list in order; `undefined`, without any statement of the watchlist, where the rollout flag
   * is off.
   */
  watchedSymbols: (
    member: ReadingMember,
    options: { includeLocked: boolean },
  ) => Promise<readonly string[] | undefined>;
  /** Whether the watchlist's rollout is on for the member. */
  isWatchlistOn: (member: ReadingMember) => Promise<boolean>;
}

export interface WatchlistSlice extends Slice, Omit<WatchedDependencies, 'logger'> {
  register(app: HttpApp): Promise<void>;
  /** What the member watches, for another slice's answer to a request. */
  watchedFor: ReturnType<typeof createWatchedReader>;
  /** The list as `GET /api/watchlist` shows it; `undefined` where the tier is away. The caller asks the rollout. */
  listOf(member: ReadingMember): Promise<ListedWatchlist | undefined>;
  /** A ticker as its detail shows it, without a backfill. The caller asks the rollout. */
  detailOf(member: ReadingMember, symbol: string): Promise<DetailRead>;
  judge: typeof judgeBrowserEvent;
  isPlausible: typeof isPlausible;
  knownOf(member: Pick<ReadingMember, 'idpId' | 'sessionId'>, events: readonly string[]): ReturnType<typeof knownOf>;
  /** Waits for what goes on after responses. */
  close(): Promise<void>;
}

/** Wires the slice. Nothing runs before the first request. */
export function createWatchlist({
  now = () => new Date(),
  ...others
}: Omit<WatchlistDependencies, 'now'> & Partial<WatchlistDependencies>): WatchlistSlice {
  const deps = { ...others, now };
  const later = createAfterResponse(deps.logger);
  const tiers = rememberTiers(now);
  const { asMember } = memberAccess(deps.database, deps.guards);
  const contextOf: ContextOf = (member) => ({ deps, member, tiers, sql: asMember(member) });
  const isWatchlistOn = (member: ReadingMember) => deps.isOn(ROLLOUT_FLAG, member.idpId);
  const watchedSymbols: WatchlistSlice['watchedSymbols'] = async (member, { includeLocked }) => {
    const { idpId } = member;
    if (!(await isWatchlistOn(member))) return undefined;
    return selectSymbols(asMember(member), idpId, includeLocked).catch((error: unknown) => {
      const known = tiers.of(idpId);
      if (!known) throw error;
      return selectSymbols(asMember(member), idpId, includeLocked, known);
    });
  };
  return {
    name: 'watchlist',
    memberRows,
    register: (app) => addWatchlistRoutes(app, deps, later, contextOf),
    isWatchlistOn,
    watchedSymbols,
    watchedFor: createWatchedReader({ logger: deps.logger, watchedSymbols, isWatchlistOn }),
    listOf: (member) => listWatchlist(contextOf(member)),
    detailOf: (member, symbol) => getTickerDetail(contextOf(member), symbol),
    judge: judgeBrowserEvent,
    isPlausible,
    knownOf: (member, events) => {
      const sql = deps.database.asMember({ sub: member.idpId, sid: member.sessionId });
      return knownOf({ deps, member, tiers, sql }, events);
    },
    seedFromMarket: ({ members }) => seedWatchlists(deps.database.service, members, deps.market),
    prepareDemo: (idpId) => prepareDemoList(deps.market, idpId),
    onUserDeleted: deleteWatchlistOf,
    close: () => later.settled(),
  };
}

/**
 * What the member watches, for an answer about something else: `undefined` outside the rollout, and where it cannot be
 * read (its tier is away), which takes no answer with it: it is left out with a warning, and `known` is false. The demo
 * tour's list is empty, whatever the member's own holds.
 */
export const createWatchedReader =
  ({ logger, watchedSymbols, isWatchlistOn }: WatchedDependencies) =>
  async (
    request: FastifyRequest,
    member: ReadingMember,
    options: { includeLocked: boolean },
  ): Promise<{ watched: readonly string[] | undefined; known: boolean }> => {
    if (isDemoTour(request)) return { watched: (await isWatchlistOn(member)) ? [] : undefined, known: true };
    try {
      return { watched: await watchedSymbols(member, options), known: true };
    } catch (error) {
      logger.warn({ err: error }, 'the watched symbols could not be read; the answer goes without them');
      return { watched: undefined, known: false };
    }
  };
