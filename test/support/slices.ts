import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createSlices } from '../../src/app.ts';
import type { MarketUrls } from '../../src/config/provider-settings.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { closeSlices } from '../../src/run-slices.ts';
import { settings } from '../../src/config/settings.ts';
import { SITE } from './identity.ts';
import type { TestService } from './service.ts';
import type { TestScope } from './test-scope.ts';

/** Creates the slices again beside a running service on its database, like another process of the deployment. */
export async function openSlices(
  t: TestScope,
  { database }: Pick<TestService, 'database'>,
  settingOverrides: Record<string, string> = {},
  logger: Logger = createLogger('silent'),
  marketUrls?: MarketUrls,
) {
  const slices = await createSlices({
    config: settings.parse({ WORKER: 'off', ...settingOverrides }),
    secrets: { idp_secret_key: randomBytes(16).toString('hex') } as never,
    database: database.database,
    logger,
    baseUrl: SITE,
    marketUrls,
  });
  t.onTestFinished(() => closeSlices(slices.list));
  return slices;
}
