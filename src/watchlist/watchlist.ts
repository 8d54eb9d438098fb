import type { HttpApp } from '../http/app-type.ts';
import { createAfterResponse } from './after-response.ts';
import { knownOf } from './capture-event.ts';
import type { Member, WatchlistDependencies } from './context.ts';
import type { WatchlistTier } from './contract.ts';
import { ROLLOUT_FLAG } from './gate.ts';
import { selectSymbols } from './queries.ts';
import { addWatchlistRoutes } from './routes.ts';
import { seedWatchlists } from './seed-watchlist.ts';

export interface WatchlistSlice {
  register(app: HttpApp): Promise<void>;
  /** Symbols on the member's list in order; `undefined`, without any statement of the watchlist, where the rollout flag is off. */
  watchedSymbols(member: Member, options: { includeLocked: boolean }): Promise<string[] | undefined>;
  /** What is true of the watchlist's events among these, by name; without any statement of the watchlist where the rollout flag is off. */
  knownOf(member: Pick<Member, 'idpId' | 'sessionId'>, events: readonly string[]): ReturnType<typeof knownOf>;
  /** Fills the lists of the first run's members. */
  seed(members: readonly { idp_user_id: string; tier: WatchlistTier }[]): Promise<void>;
  /** Waits for what goes on after responses; call it between closing HTTP and the database. */
  close(): Promise<void>;
}

/** Wires the slice. Nothing runs before the first request. */
export function createWatchlist(deps: WatchlistDependencies): WatchlistSlice {
  const later = createAfterResponse(deps.logger);
  return {
    register: (app) => addWatchlistRoutes(app, deps, later),
    async watchedSymbols(member, { includeLocked }) {
      if (!(await deps.isOn(ROLLOUT_FLAG, member.idpId))) return undefined;
      return selectSymbols(
        deps.database.asMember({ sub: member.idpId, sid: member.sessionId }),
        member.idpId,
        includeLocked,
      );
    },
    knownOf: (member, events) => knownOf(deps, member, events),
    seed: (members) => seedWatchlists(deps.database.service, members, deps.market),
    close: () => later.settled(),
  };
}
