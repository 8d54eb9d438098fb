/**
 * Tally's own token counting as it is served: keys in a database, limits kept, metrics, a log line a request. Prints
 * its URL and a key. With a collector's address it is traced.
 */
import { createLogger } from '../../src/http/logger.ts';
import { startCountServer } from '../../test/support/count-server.ts';

const most = 1_000_000;
const logger = createLogger('info');
const [threads = '2', endpoint] = process.argv.slice(2);
if (endpoint) {
  const { openTracing } = await import('../../src/http/tracing/open-tracing.ts');
  openTracing({ endpoint, headers: {}, serviceName: 'tally', ratio: Number(process.argv[4] ?? 1), logger });
}
const server = await startCountServer({
  rateLimits: [most, most, most, most],
  workers: Number(threads),
  logger,
});
console.log(`${server.url} ${server.key}`);
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
