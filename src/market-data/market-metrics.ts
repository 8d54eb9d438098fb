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
    name: 'tally_market_data_calls_today',
    help: 'Calls to a market-data provider since midnight UTC, by all processes.',
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
    name: 'tally_market_data_prices_held_back',
    help: 'Listings with a quarantined price, because it suggests a change of unit.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      this.set(await countQuarantinedPrices(sql));
    },
  });
  new Gauge({
    name: 'tally_market_data_prices_age_seconds',
    help: 'Seconds since a provider last responded to a price request.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const seconds = await getSecondsSinceLastPrices(sql);
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
}
