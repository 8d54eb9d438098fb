import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createFeatures } from '../../src/app.ts';
import type { MarketUrls } from '../../src/config/provider-settings.ts';
import { createLogger } from '../../src/platform/http/logger.ts';
import { closeFeatures } from '../../src/installation/run-features.ts';
import { settings } from '../../src/config/settings.ts';
import { SITE } from './identity.ts';
import type { TestService } from './service.ts';
import type { TestScope } from './test-scope.ts';

/** Creates the features again beside a running service on its database, like another process of the deployment. */
export async function openFeatures(
  t: TestScope,
  { database }: Pick<TestService, 'database'>,
  settingOverrides: Record<string, string> = {},
  logger: Logger = createLogger('silent'),
  marketUrls?: MarketUrls,
) {
  const features = await createFeatures({
    config: settings.parse({ WORKER: 'off', ...settingOverrides }),
    secrets: { idp_secret_key: randomBytes(16).toString('hex') } as never,
    database: database.database,
    logger,
    baseUrl: SITE,
    marketUrls,
  });
  t.onTestFinished(() => closeFeatures(features.list));
  return features;
}
