import { Gauge, type Registry } from 'prom-client';
import type { ServiceSql } from '../platform/database/roles.ts';
import { listCallCounts } from './providers/quota/quota-queries.ts';
import { countQuarantinedPrices, getSecondsSinceLastPrices } from './services/prices/price-queries.ts';

/**
 * Registers gauges of today's calls by provider, quarantined prices and the age of the newest price. Each scrape reads
 * them from the database.
 */
export function addMarketMetrics(registry: Registry, sql: ServiceSql): void {
  new Gauge({
    name: 'market_data_calls_today',
    help: 'Calls to a market-data provider since midnight UTC, of all processes.',
    labelNames: ['provider'] as const,
    aggregator: 'max', // each process reads the same rows
    registers: [registry],
    async collect() {
      const callCounts = await listCallCounts(sql);
      this.reset(); // removes the counts of yesterday
      for (const { provider, period, used } of callCounts) if (period === 'day') this.labels(provider).set(used);
    },
  });
  new Gauge({
    name: 'market_data_prices_held_back',
    help: 'Listings whose new price was not taken because it looks like a change of unit.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set(await countQuarantinedPrices(sql));
    },
  });
  new Gauge({
    name: 'market_data_seconds_since_prices',
    help: 'Since a provider last answered a question for prices.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const seconds = await getSecondsSinceLastPrices(sql);
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
}
