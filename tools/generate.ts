/**
 * `npm run generate` writes the generated pages of docs/ and .env.example: the OpenAPI document, the metrics and the
 * limits of writes from an app without a database, the events from their contract, the commands from their help, the
 * settings, and the tables of docs/explanation/security.md. With
 * `--check` it compares them and fails when one is stale. It opens no port and no database.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import { createApp } from '../src/app.ts';
import type { Database } from '../src/platform/database/connect.ts';
import type { MemberSql, ServiceSql } from '../src/platform/database/roles.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import type { LocalSecrets } from '../src/installation/local-secrets.ts';
import { settings } from '../src/config/settings.ts';
import { describeCommands } from './describe-commands.ts';
import { describeEvents } from './describe-events.ts';
import { describeMetrics, type MetricDoc } from './describe-metrics.ts';
import { replaceRevocationTable } from './describe-revocation.ts';
import { describeSettings, writeEnvExample } from './describe-settings.ts';
import { replaceWorkLimits } from './describe-work-limits.ts';
import { describeWrites } from './describe-writes.ts';
import { recordRoutes } from '../test/support/record-routes.ts';
import { formatJson } from './format-json.ts';
import { parseOptions } from './run/parse-options.ts';

const {
  values: { check },
} = parseOptions({
  usage: 'npm run generate [-- --check] writes the generated pages, or with --check fails if one is stale.',
  options: { check: { type: 'boolean', default: false } },
});
const { openApi, metrics, routes } = await describeApp();
const documents = {
  'docs/reference/openapi.json': `${formatJson(openApi)}\n`,
  'docs/reference/metrics.md': describeMetrics(metrics),
  'docs/reference/write-limits.md': describeWrites(routes),
  'docs/reference/analytics-events.md': describeEvents(),
  'docs/reference/command-line.md': describeCommands(),
  'docs/reference/settings.md': describeSettings(),
  'docs/explanation/security.md': replaceWorkLimits(
    replaceRevocationTable(readFileSync(new URL('../docs/explanation/security.md', import.meta.url), 'utf8')),
  ),
  '.env.example': writeEnvExample(),
};
for (const [name, text] of Object.entries(documents)) {
  const target = new URL(`../${name}`, import.meta.url);
  if (!check) {
    writeFileSync(target, text);
    console.log(`wrote ${name}, ${text.length} characters`);
  } else if (read(target) !== text) {
    console.error(`${name} does not match the contracts and settings. Run "npm run generate" and commit the result.`);
    process.exitCode = 1;
  }
}

async function describeApp(): Promise<{
  openApi: object;
  metrics: readonly MetricDoc[];
  routes: readonly RouteOptions[];
}> {
  const emptySql = { query: async () => [], transaction: () => Promise.reject(new Error('there is no database here')) };
  const database: Database = {
    service: { privilege: 'service', ...emptySql } satisfies ServiceSql,
    marketReads: { privilege: 'service', ...emptySql } satisfies ServiceSql,
    replica: { read: (otherwise) => otherwise, getLagMs: () => 0, reads: { replica: 0, primary: 0 } },
    transactionAs: emptySql.transaction,
    asMember: () => ({ privilege: 'member', idpId: '', ...emptySql }) satisfies MemberSql,
    listWorkers: async () => [],
    readOnly: undefined,
    ping: async () => false,
    hasDiskSpace: () => true,
    pools: () => [],
    close: async () => {},
    urls: { authenticator: '', service: '' },
  };
  const { started: app, routes } = await recordRoutes(() =>
    createApp({
      // Redis and PostHog add metrics. Nothing listens at the address, and no call is made.
      config: settings.parse({ WORKER: 'off', REDIS_URL: 'redis://127.0.0.1:1', POSTHOG_API_KEY: 'phc_example' }),
      secrets: createPlaceholderSecrets(),
      database,
      logger: createLogger('silent'),
      baseUrl: 'http://127.0.0.1:3000',
    }),
  );
  const response = await app.http.inject('/openapi.json');
  await app.close();
  return { openApi: response.json<object>(), metrics: app.metrics.registry.getMetricsAsArray(), routes };
}

function createPlaceholderSecrets(): LocalSecrets {
  return {
    db_authenticator_password: '',
    db_service_role_key: '',
    db_assistant_key: '',
    idp_secret_key: 'sk_live_00000000000000000000',
    idp_publishable_key: 'pk_live_00000000000000000000',
    idp_webhook_secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    connections_key: 'c0'.repeat(32),
    demo_access_operator_token: '0'.repeat(64),
    revenue_operator_token: '1'.repeat(64),
    seeded_at: null,
    demo_account_idp_user_id: null,
  };
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
