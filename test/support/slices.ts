import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { Logger } from 'pino';
import { createSlices } from '../../src/app.ts';
import { settings } from '../../src/config.ts';
import { createLogger } from '../../src/http/logger.ts';
import { closeSlices } from '../../src/run-slices.ts';
import { SITE } from './identity.ts';
import type { TestService } from './service.ts';

/** The slices once more beside a running service, on its database: another process of the deployment. */
export async function openSlices(
  t: Pick<TestContext, 'after'>,
  { database }: Pick<TestService, 'database'>,
  changes: Record<string, string> = {},
  logger: Logger = createLogger('silent'),
) {
  const slices = await createSlices({
    config: settings.parse({ TOKEN_COUNT_WORKERS: '0', WORKER: 'off', ...changes }),
    secrets: { idp_secret_key: randomBytes(16).toString('hex') } as never,
    database: database.database,
    logger,
    baseUrl: SITE,
  });
  t.after(() => closeSlices(slices.list));
  return slices;
}
