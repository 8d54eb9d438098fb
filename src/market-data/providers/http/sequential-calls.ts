import { inRange, weeksOf } from '../../domain/dates.ts';
import { byDate } from '../../domain/sort-order.ts';
import type { Answer, DateRange, ReportDate } from '../../domain/market-data-provider.ts';

/**
 * Asks one question after the other; `null` stands for what the provider does not know, and all unknown is `unknown`.
 * Any other refusal ends the questions and is the `rest` of a partial answer; a partial answer may hold only `null`s
 * where the calls ran out.
 */
export async function askEach<Q, T>(
  questions: readonly Q[],
  ask: (question: Q) => Promise<Answer<T>>,
): Promise<Answer<Map<Q, T | null>>> {
  const answers = new Map<Q, T | null>();
  let known = 0;
  for (const question of questions) {
    const answer = await ask(question);
    if (!answer.ok && answer.reason !== 'unknown') {
      const ranOut = answer.reason === 'budget' || answer.reason === 'rate_limited';
      return known > 0 || (ranOut && answers.size > 0) ? { ok: true, value: answers, rest: answer } : answer;
    }
    if (answer.ok) known += 1;
    answers.set(question, answer.ok ? answer.value : null);
  }
  return known > 0 ? { ok: true, value: answers } : { ok: false, reason: 'unknown' };
}

/**
 * Asks for reports company by company, leaving out unknown ones, or for all of them (no symbol) week by week: longer
 * windows are cut short without a word. Any other refusal ends it.
 */
export async function askReports(
  symbols: readonly string[] | 'all',
  range: DateRange,
  ask: (range: DateRange, symbol?: string) => Promise<Answer<ReportDate[]>>,
): Promise<Answer<ReportDate[]>> {
  const questions: [DateRange, string?][] =
    symbols === 'all' ? weeksOf(range).map((week) => [week]) : symbols.map((symbol) => [range, symbol]);
  const reports: ReportDate[] = [];
  for (const [part, symbol] of questions) {
    const answer = await ask(part, symbol);
    if (answer.ok) reports.push(...answer.value.filter(inRange(part)));
    else if (answer.reason !== 'unknown' || symbol === undefined) return answer;
  }
  return { ok: true, value: reports.sort(byDate) };
}
