import type { Logger } from 'pino';
import { splitIntoWeeks } from '../../domain/dates.ts';
import type {
  ProviderResult,
  DateRange,
  MarketDataProvider,
  ProviderError,
  ReportDate,
} from '../../domain/market-data-provider.ts';

/** TTL in ms of the fetched weeks of an unfinished scan. */
const WEEK_TTL_MS = 60 * 60_000;

/** Reports of a provider's calendar. `error` is set if the read stopped before its last week. */
interface CalendarResult {
  reports: ReportDate[];
  error?: ProviderError;
}

/**
 * Creates a reader of the market-wide calendars. It reads week by week and caches the weeks until they expire or are
 * cleared.
 */
export function createCalendarReader(logger: Pick<Logger, 'warn'>, range: () => DateRange) {
  const resultByWeek = new Map<string, { answer: ProviderResult<ReportDate[]>; until: number }>();

  /** Returns a week from the cache or the provider. A week that the plan omits is cached too. */
  async function readWeek(
    provider: MarketDataProvider,
    week: DateRange,
    signal: AbortSignal,
  ): Promise<ProviderResult<ReportDate[]>> {
    const key = `${provider.id} ${week.from} ${week.to}`;
    const cached = resultByWeek.get(key);
    if (cached && cached.until > performance.now()) return cached.answer;
    const answer = await provider.earnings('all', week, signal);
    const isNotCovered = !answer.ok && answer.reason === 'not_entitled';
    if (answer.ok || isNotCovered) resultByWeek.set(key, { answer, until: performance.now() + WEEK_TTL_MS });
    if (isNotCovered)
      logger.warn(
        { provider: provider.id },
        'the plan of the market-data key does not cover the calendar of all reports; ' +
          'fetching companies one by one',
      );
    return answer;
  }

  return {
    /** A calendar outside the plan counts as read, because its companies are fetched one by one. */
    async read(provider: MarketDataProvider, signal: AbortSignal): Promise<CalendarResult> {
      const reports: ReportDate[] = [];
      if (!provider.supportsMarketWideEarnings) return { reports };
      for (const week of splitIntoWeeks(range())) {
        const answer = await readWeek(provider, week, signal);
        if (!answer.ok) return answer.reason === 'not_entitled' ? { reports } : { reports, error: answer };
        reports.push(...answer.value);
      }
      return { reports };
    },
    clear: () => resultByWeek.clear(),
  };
}
