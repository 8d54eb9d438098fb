import type { AddressInfo } from 'node:net';
import { createAnalytics } from '../../src/platform/analytics/analytics.ts';
import { createBilling } from '../../src/features/billing/billing.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { isDistributed } from '../../src/platform/database/distribute.ts';
import { createFeatureFlags } from '../../src/platform/feature-flags/feature-flags.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { createMetrics } from '../../src/platform/http/metrics.ts';
import { createTestHttpApp } from './http-app.ts';
import { createLookupRateLimiter } from '../../src/market-data/services/catalog/lookup-rate-limit.ts';
import { createWatchlist } from '../../src/features/watchlist/watchlist.ts';
import { createTestIdentity } from './identity.ts';
import { createCatalogMarket } from './watchlist-market.ts';

/**
 * Runs a server process of the watchlist on the database of the arguments (authenticator's URL, service's URL), so that
 * several can run in parallel. Prints its address once it listens, and ends with its standard input.
 */
const [authenticator = '', service = ''] = process.argv.slice(2);
const database = connectDatabase({ authenticator, service }, { distributed: await isDistributed(service) });
const logger = createLogger('silent');
const http = await createTestHttpApp({
  logger,
  metrics: createMetrics(),
  trustedProxies: [],
  bodyLimit: 256 * 1024,
  requestTimeout: 20_000,
  https: false,
});
const { identity } = createTestIdentity(database, { webhookSecret: undefined });
await identity.register(http);
const billing = createBilling({ database, logger, guards: identity.guards });
const flags = createFeatureFlags({ sql: database.service, logger });
const watchlist = createWatchlist({
  database,
  logger,
  guards: identity.guards,
  isOn: flags.isOn,
  getTier: billing.getTier,
  getWatchlistLimit: billing.getWatchlistLimit,
  market: createCatalogMarket(database.service, {
    backfills: [],
    registered: [],
    registrationRequests: [],
    lookups: [],
  }),
  lookUp: createLookupRateLimiter(),
  listPositions: async () => [],
  capture: () => {},
  captureInTransaction: createAnalytics({ sql: database.service, logger }).captureInTransaction,
});
await watchlist.register(http);
await http.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${(http.server.address() as AddressInfo).port}\n`);
process.stdin.resume().once('end', () => {
  void http
    .close()
    .then(() => watchlist.close())
    .then(() => database.close());
});
