import type { HttpApp } from '../../../platform/http/app-type.ts';
import { guardRoutes } from '../../../platform/http/guard.ts';
import type { Slice } from '../../../slice.ts';
import type { ReadingMember } from '../../../platform/identity/member.ts';
import type { EarningsResponse, NewsResponse } from './contract.ts';
import { memberRows } from './export-queries.ts';
import { listEarnings } from './list-earnings.ts';
import { listNews } from './list-news.ts';
import { deleteLayout } from './queries.ts';
import { addDashboardRoutes, type DashboardRouteDependencies } from './routes.ts';

interface Dashboard extends Slice {
  /** Upcoming Earnings of a member, of what is held alone where `watched` is false. */
  reportsAheadOf(member: ReadingMember, options: { watched: boolean }): Promise<EarningsResponse>;
  /** Latest News of a member, or of one symbol that they hold or watch. */
  newsOf(
    member: ReadingMember,
    options: { watched: boolean; limit: number; symbol?: string | undefined },
  ): Promise<NewsResponse & { complete: boolean }>;
}

interface DashboardDependencies extends DashboardRouteDependencies {
  /** Symbols on the member's list; `undefined` outside the rollout. Throws where they cannot be read. */
  watchedSymbols: (
    member: ReadingMember,
    options: { includeLocked: boolean },
  ) => Promise<readonly string[] | undefined>;
}

/**
 * Wires the slice: the layout of the grid, Upcoming Earnings and Latest News, which merge what is held with what is
 * watched.
 */
export function createDashboard(deps: DashboardDependencies): Dashboard {
  const now = deps.now ?? (() => new Date());
  // Locked rows of the watchlist bring neither reports nor news.
  const symbolsOf = async (member: ReadingMember, { watched: wanted }: { watched: boolean }) => {
    const [held, watched] = await Promise.all([
      deps.heldSymbols(member),
      wanted ? deps.watchedSymbols(member, { includeLocked: false }).catch(() => 'away' as const) : [],
    ]);
    return { held, watched: watched === 'away' ? [] : (watched ?? []), known: watched !== 'away' };
  };
  return {
    name: 'dashboard',
    memberRows,
    async register(app: HttpApp): Promise<void> {
      await app.register(async (scope) => {
        const { guards } = deps;
        guardRoutes(scope, { reads: guards.member, writes: guards.editor({ refuses: ['sample-user'] }) });
        addDashboardRoutes(scope, { ...deps, now });
      });
    },
    reportsAheadOf: async (member, options) => listEarnings({ ...deps, now }, await symbolsOf(member, options)),
    async newsOf(member, { limit, symbol, ...options }) {
      const { held, watched, known } = await symbolsOf(member, options);
      const only = (symbols: readonly string[]) =>
        symbol === undefined ? symbols : symbols.filter((each) => each === symbol);
      const news = await listNews(deps.market, { held: only(held), watched: only(watched), limit });
      return { ...news, complete: known };
    },
    onUserDeleted: deleteLayout,
    // Without a row of its own it has the default layout.
    prepareDemo: async (idpId) => (sql) => deleteLayout(sql, idpId),
  };
}
