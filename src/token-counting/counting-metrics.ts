import { Counter, Gauge, type Registry } from 'prom-client';

/** What an operator wants to know of the counter beside its requests. */
export interface CountingMetrics {
  rateLimited: Counter;
  /** Requests that were counted in this process because Redis was away. */
  rateLimitFallback: Counter;
  /** Files behind URLs, by how their fetching ended. */
  urlFetches: Counter<'outcome'>;
}

/** Adds the counter's own metrics to the registry; `load` is read at each scrape. */
export function createCountingMetrics(registry: Registry, load: () => number): CountingMetrics {
  const registers = [registry];
  new Gauge({
    name: 'token_count_pool_bodies',
    help: 'Large bodies that wait for a counting thread or are being counted.',
    registers,
    collect() {
      this.set(load());
    },
  });
  return {
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
