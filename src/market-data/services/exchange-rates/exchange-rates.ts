import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { RequestMetrics } from '../../../platform/http/metrics.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Schedule, Task, TaskName } from '../../../platform/jobs/task.ts';
import type { Feature } from '../../../feature.ts';
import { addDays, isWeekend, toIsoDate } from '../../domain/dates.ts';
import type { ExchangeRateSource, RateHistories, RatesResult } from '../../domain/exchange-rates.ts';
import { listRates, readRateRange, storeRates } from './rate-queries.ts';

const REFRESH_RATES = 'refresh-exchange-rates' as TaskName<Record<string, never>>;

/** Attempts of one job, over about two hours. The next run of the schedule follows. */
const MAX_ATTEMPTS = 8;

interface ExchangeRatesDependencies {
  sql: ServiceSql;
  jobs: Pick<Jobs, 'add'>;
  logger: Logger;
  source: ExchangeRateSource;
  metrics?: Pick<RequestMetrics, 'registry'> | undefined;
  now?: () => Date;
}

export interface ExchangeRates extends Feature {
  /** Returns stored rates of these currencies from the last one on or before `from` up to `to`, never from the source. */
  read(currencies: readonly string[], range: { from: string; to: string }): Promise<RateHistories>;
  /** Fetches and stores missing rates. Throws if the source fails; the stored rates remain. */
  refresh(signal?: AbortSignal): Promise<void>;
}

/**
 * The European Central Bank publishes at about 16:00 in Frankfurt, which is 14:00 or 15:00 UTC. The second run covers
 * late publications.
 */
const schedules: readonly Schedule[] = [{ task: REFRESH_RATES, match: '20 15,18 * * 1-5', backfillMinutes: 1440 }];

/** Creates the module of daily exchange rates. It runs nothing until its first call. */
export function createExchangeRates(deps: ExchangeRatesDependencies): ExchangeRates {
  const { sql, jobs, logger, source, now = () => new Date() } = deps;
  const simulated = source.id === 'simulator';
  const failures = deps.metrics && addRateMetrics(deps.metrics, sql, source, now);

  const fetchMissing = async (signal: AbortSignal): Promise<RatesResult> => {
    const { oldest, newest } = await readRateRange(sql, source.id);
    const today = toIsoDate(now().getTime());
    // Holidays at the start of the range may have no rate, so its first days may be missing.
    const hasWholeRange = oldest !== null && oldest <= addDays(today, 10 - source.historyDays);
    if (!hasWholeRange || newest === null) return source.fetchHistory(addDays(today, -source.historyDays), signal);
    const latest = await source.fetchLatest(signal);
    if (!latest.ok || latest.days.every(({ date }) => !hasWorkdayBetween(newest, date))) return latest;
    return source.fetchHistory(newest, signal);
  };

  const refresh = async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    const result = await fetchMissing(signal);
    if (!result.ok) {
      failures?.inc();
      logger.warn(
        { source: source.id, detail: result.detail },
        'failed to fetch exchange rates; the last ones are kept',
      );
      throw new Error(`Exchange rates of ${source.id} were not fetched: ${result.detail}.`);
    }
    await storeRates(sql, result.days, source.id);
  };

  return {
    name: 'exchange-rates',
    read: (currencies, range) => listRates(sql, currencies, range, simulated),
    refresh,
    tasks: { [REFRESH_RATES]: (async (_payload, { signal }) => refresh(signal)) satisfies Task<object> },
    schedules,
    async seed() {
      if (simulated) await refresh();
    },
    async enqueueOverdueJobs() {
      if (simulated) await refresh();
      else await jobs.add(REFRESH_RATES, {}, { key: 'exchange-rates', maxAttempts: MAX_ATTEMPTS });
    },
  };
}

/** Returns whether a Monday to Friday lies between two dates, without the dates themselves. */
function hasWorkdayBetween(after: string, before: string): boolean {
  for (let day = addDays(after, 1); day < before; day = addDays(day, 1)) if (!isWeekend(day)) return true;
  return false;
}

/** Registers the age of the newest rate and returns the counter of failed refreshes. */
function addRateMetrics(
  { registry }: Pick<RequestMetrics, 'registry'>,
  sql: ServiceSql,
  source: ExchangeRateSource,
  now: () => Date,
): Counter {
  new Gauge({
    name: 'tally_exchange_rates_age_seconds',
    help: 'Seconds since the date of the newest exchange rate began. Weekends and holidays have no new one.',
    aggregator: 'max', // each process reads the same rows
    registers: [registry],
    async collect() {
      const { newest } = await readRateRange(sql, source.id);
      if (newest === null) this.remove();
      else this.set((now().getTime() - Date.parse(newest)) / 1000);
    },
  });
  return new Counter({
    name: 'tally_exchange_rates_failures_total',
    help: 'Failed refreshes of exchange rates.',
    registers: [registry],
  });
}
