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
  const addGauge = (labels: { name: string; help: string }, read: () => number): void =>
    void new Gauge({
      ...labels,
      registers,
      collect() {
        this.set(read());
      },
    });
  addGauge(
    { name: 'token_count_pool_bodies', help: 'Large bodies that wait for a counting thread or are being counted.' },
    pool,
  );
  addGauge(
    { name: 'token_count_body_bytes', help: 'Bytes of bodies of count requests that are held.' },
    () => bodies().reserved,
  );
  addGauge(
    { name: 'token_count_body_budget_bytes', help: 'The most bytes of bodies that are held at a time.' },
    () => bodies().max,
  );
  return {
    keyLookups: new Counter({
      name: 'token_count_key_lookups_total',
      help: 'Reads of API keys from the database; those used in the last seconds are remembered.',
      registers,
    }),
    rateLimited: new Counter({
      name: 'token_count_rate_limited_total',
      help: 'Count requests that were refused with 429.',
      registers,
    }),
    rateLimitFallback: new Counter({
      name: 'token_count_rate_limit_fallback_total',
      help: 'Count requests whose limit was kept in this process because Redis was away.',
      registers,
    }),
    urlFetches: new Counter({
      name: 'token_count_url_fetches_total',
      help: 'Images and PDFs fetched from the URLs that requests name, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
