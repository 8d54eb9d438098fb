import { Counter, Gauge, type Registry } from 'prom-client';

/** Values that are read at each scrape. */
interface MetricSources {
  /** Returns the number of large bodies that wait for a thread or are being counted. */
  pool(): number;
  /** Returns the bytes of request bodies in memory, and the maximum. */
  bodies(): { reserved: number; max: number };
}

/** Metrics of the counter besides those of its requests. */
export type CountingMetrics = ReturnType<typeof createCountingMetrics>;

/** Registers the metrics of the counter. */
export function createCountingMetrics(registry: Registry, { pool, bodies }: MetricSources) {
  const registers = [registry];
  const addGauge = (labels: { name: string; help: string }, read: () => number): void => {
    const gauge: Gauge = new Gauge({ ...labels, registers, collect: () => gauge.set(read()) });
  };
  addGauge(
    {
      name: 'tally_token_count_pool_bodies',
      help: 'Large and costly bodies that wait for a counting thread or are being counted.',
    },
    pool,
  );
  addGauge(
    { name: 'tally_token_count_body_bytes', help: 'Bytes of request bodies in memory.' },
    () => bodies().reserved,
  );
  addGauge(
    { name: 'tally_token_count_body_budget_bytes', help: 'Maximum bytes of request bodies in memory.' },
    () => bodies().max,
  );
  return {
    keyLookups: new Counter({
      name: 'tally_token_count_key_lookups_total',
      help: 'Lookups of API keys in the database, without cache hits.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'tally_token_count_rate_limited_total',
      help: 'Count requests rejected with 429.',
      registers,
    }),
    rateLimitFallback: new Counter({
      name: 'tally_token_count_rate_limit_fallback_total',
      help: 'Count requests limited by this process because Redis was unavailable.',
      registers,
    }),
    urlFetches: new Counter({
      name: 'tally_token_count_url_fetches_total',
      help: 'Images and PDFs fetched from the URLs that requests name, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
