/**
 * Serves the token counting of Tally with database keys, limits, metrics and request logs. Prints its URL and a key.
 */
import { createLogger } from '../../src/platform/http/logger.ts';
import { startCountServer } from '../../test/support/count-server.ts';

const unlimited = 1_000_000;
const logger = createLogger('info');
const server = await startCountServer({
  rateLimits: [unlimited, unlimited, unlimited, unlimited],
  workers: 2,
  logger,
});
console.log(`${server.url} ${server.key}`);
process.on('SIGTERM', () => {
  void server.close().then(() => process.exit(0));
});
