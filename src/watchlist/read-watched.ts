import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { isDemoTour } from '../http/demo-tour.ts';
import type { Member } from './context.ts';

/** What is watched; `undefined` outside the rollout, and where it cannot be read now (`known` is then false). */
export interface WatchedRead {
  watched: readonly string[] | undefined;
  known: boolean;
}

export interface WatchedDependencies {
  logger: Logger;
  /**
   * Symbols on the member's list in order; `undefined`, without any statement of the watchlist, where the rollout flag
   * is off.
   */
  watchedSymbols: (member: Member, options: { includeLocked: boolean }) => Promise<readonly string[] | undefined>;
  /** Whether the watchlist's rollout is on for the member. */
  isWatchlistOn: (member: Member) => Promise<boolean>;
}

/**
 * What the member watches, for an answer about something else. The demo tour's list is empty, whatever the member's own
 * holds. One that cannot be read (its tier is away) is left out with a warning: it must not take the answer with it.
 */
export async function readWatched(
  deps: WatchedDependencies,
  request: FastifyRequest,
  member: Member,
  options: { includeLocked: boolean },
): Promise<WatchedRead> {
  if (isDemoTour(request)) return { watched: (await deps.isWatchlistOn(member)) ? [] : undefined, known: true };
  try {
    return { watched: await deps.watchedSymbols(member, options), known: true };
  } catch (error) {
    deps.logger.warn({ err: error }, 'the watched symbols could not be read; the answer goes without them');
    return { watched: undefined, known: false };
  }
}
