import type { HttpApp } from '../../../platform/http/app-type.ts';
import { guardRoutes } from '../../../platform/http/guard.ts';
import type { Feature } from '../../../feature.ts';
import type { MemberRef } from '../../../platform/identity/member.ts';
import type { EarningsResponse, NewsResponse } from './contract.ts';
import { memberRows } from './export-queries.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import { deleteLayout } from './queries.ts';
import { addDashboardRoutes, type DashboardRouteDependencies } from './routes.ts';

export interface Dashboard extends Feature {
  /** Returns a member's upcoming earnings, only of held companies if `watched` is false. */
  getUpcomingReports(member: MemberRef, options: { watched: boolean }): Promise<EarningsResponse>;
  /** Returns the latest news for a member, or for one symbol that they hold or watch. */
  getNews(
    member: MemberRef,
    options: { watched: boolean; limit: number; symbol?: string | undefined },
  ): Promise<NewsResponse & { complete: boolean }>;
}

export interface DashboardDependencies extends DashboardRouteDependencies {
  /** Returns the symbols on the member's list, or `undefined` outside the rollout. Throws if they are unreadable. */
  listWatchedSymbols: (
    member: MemberRef,
    options: { includeLocked: boolean },
  ) => Promise<readonly string[] | undefined>;
}

/**
 * Creates the feature that holds the layout of the grid, and the upcoming earnings and news of held and watched
 * symbols.
 */
export function createDashboard(deps: DashboardDependencies): Dashboard {
  const now = deps.now ?? (() => new Date());
  // Locked rows of the watchlist have neither reports nor news.
  const readSymbols = async (member: MemberRef, { watched: includesWatched }: { watched: boolean }) => {
    const readWatched = async () => ({
      symbols: includesWatched ? ((await deps.listWatchedSymbols(member, { includeLocked: false })) ?? []) : [],
      isAvailable: true,
    });
    const [held, watched] = await Promise.all([
      deps.listHeldSymbols(member),
      readWatched().catch(() => ({ symbols: [], isAvailable: false })),
    ]);
    return { held, watched: watched.symbols, isWatchlistAvailable: watched.isAvailable };
  };
  return {
    name: 'dashboard',
    memberRows,
    async register(app: HttpApp): Promise<void> {
      await app.register(async (scope) => {
        const { guards } = deps;
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ rejects: ['sample-user'] }) });
        addDashboardRoutes(scope, { ...deps, now });
      });
    },
    getUpcomingReports: async (member, options) => listEarnings({ ...deps, now }, await readSymbols(member, options)),
    async getNews(member, { limit, symbol, ...options }) {
      const { held, watched, isWatchlistAvailable } = await readSymbols(member, options);
      const filterBySymbol = (symbols: readonly string[]) =>
        symbol === undefined ? symbols : symbols.filter((each) => each === symbol);
      const news = await listNews(deps.market, { held: filterBySymbol(held), watched: filterBySymbol(watched), limit });
      return { ...news, complete: isWatchlistAvailable };
    },
    onUserDeleted: deleteLayout,
    // Without its own row the account has the default layout.
    prepareDemo: async (idpId) => (sql) => deleteLayout(sql, idpId),
  };
}
