import { isInRange, splitIntoWeeks } from '../../domain/dates.ts';
import { compareByDate } from '../../domain/comparators.ts';
import type { ProviderResult, DateRange, ReportDate } from '../../domain/market-data-provider.ts';

/**
 * Runs calls one after another. null marks an unknown item, and the result is `unknown` if all are. Any other error
 * ends the loop and becomes `stoppedBy` of the partial result. If the quota ends early, a partial result may contain
 * only nulls.
 */
export async function callSequentially<Q, T>(
  inputs: readonly Q[],
  callOne: (input: Q) => Promise<ProviderResult<T>>,
): Promise<ProviderResult<Map<Q, T | null>>> {
  const results = new Map<Q, T | null>();
  let successCount = 0;
  for (const input of inputs) {
    const answer = await callOne(input);
    if (!answer.ok && answer.reason !== 'unknown') {
      const isOutOfCalls = answer.reason === 'quota_exhausted' || answer.reason === 'rate_limited';
      return successCount > 0 || (isOutOfCalls && results.size > 0)
        ? { ok: true, value: results, stoppedBy: answer }
        : answer;
    }
    if (answer.ok) successCount += 1;
    results.set(input, answer.ok ? answer.value : null);
  }
  return successCount > 0 ? { ok: true, value: results } : { ok: false, reason: 'unknown' };
}

/**
 * Fetches reports company by company and skips unknown ones. Without symbols, fetches all companies week by week,
 * because providers silently truncate longer windows. Any other error ends the loop.
 */
export async function fetchReports(
  symbols: readonly string[] | 'all',
  range: DateRange,
  fetchRange: (range: DateRange, symbol?: string) => Promise<ProviderResult<ReportDate[]>>,
): Promise<ProviderResult<ReportDate[]>> {
  const requests: [DateRange, string?][] =
    symbols === 'all' ? splitIntoWeeks(range).map((week) => [week]) : symbols.map((symbol) => [range, symbol]);
  const reports: ReportDate[] = [];
  for (const [chunk, symbol] of requests) {
    const answer = await fetchRange(chunk, symbol);
    if (answer.ok) reports.push(...answer.value.filter(isInRange(chunk)));
    else if (answer.reason !== 'unknown' || symbol === undefined) return answer;
  }
  return { ok: true, value: reports.sort(compareByDate) };
}
