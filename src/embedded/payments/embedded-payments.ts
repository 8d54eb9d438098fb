import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Feature } from '../../feature.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import { inProcessFetch } from '../shared/in-process-fetch.ts';
import { addPaymentsApi } from './api-routes.ts';
import { addPaymentsPages } from './pages.ts';
import { PAYMENTS_PATH, type PaymentsContext } from './payments-context.ts';
import { purgeExpired, storeSecretOnce, listObjects, OUTBOX } from './queries.ts';
import { withStoreTransaction } from './store.ts';
import { renew } from './subscriptions.ts';

/** Delays between delivery attempts in seconds. As at the provider, they cover several days. */
const RETRY_SCHEDULE = [10, 60, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400] as const;

const CLEANUP = 'cleanup-embedded-payments';

/** Maximum number of periods that are renewed at once after a long downtime. */
const MAX_PERIODS = 24;

export interface EmbeddedPayments extends Feature {
  /** Settings with which the adapter of the real provider connects to this provider. */
  readonly client: {
    secretKey(): Promise<string>;
    webhookSecret(): Promise<string>;
    livemode: false;
    isTest: true;
    endpoint: { url: string; fetch: typeof globalThis.fetch };
  };
}

interface EmbeddedPaymentsOptions {
  sql: ServiceSql;
  logger: Logger;
  /** The service's own base URL, which serves the pages and the API. */
  baseUrl: string;
  /** Clock of pages, periods and events. Tests set it. */
  now?: (() => Date) | undefined;
}

/** Creates the embedded payment provider: API, pages and events. No money is charged. */
export function createEmbeddedPayments(options: EmbeddedPaymentsOptions): EmbeddedPayments {
  const { sql, logger, baseUrl, now = () => new Date() } = options;
  const secretKey = storedSecret(sql, 'secret_key', 'sk_test_');
  const webhookSecret = storedSecret(sql, 'webhook_secret', 'whsec_');
  const delivery = deliverOutbox({
    sql,
    logger,
    now,
    table: OUTBOX,
    schedule: RETRY_SCHEDULE,
    async sign({ payload }) {
      const time = Math.floor(Date.now() / 1_000);
      const signature = createHmac('sha256', await webhookSecret())
        .update(`${time}.${payload}`)
        .digest('hex');
      return { 'stripe-signature': `t=${time},v1=${signature}` };
    },
  });
  const context: PaymentsContext = { sql, now, secretKey, wake: delivery.wake };
  return {
    name: 'embedded-payments',
    client: {
      secretKey,
      webhookSecret,
      livemode: false,
      isTest: true,
      endpoint: {
        url: `${new URL(baseUrl).origin}${PAYMENTS_PATH}`,
        fetch: inProcessFetch(async (app) => addPaymentsApi(app, context), undefined),
      },
    },
    async register(app) {
      await addPaymentsApi(app, context);
      await addPaymentsPages(app, context);
    },
    startBackground(localUrl) {
      const { stop } = delivery.start(localUrl);
      return stop;
    },
    tasks: {
      [CLEANUP]: async () => {
        for (const { id } of await listObjects(sql, 'subscription')) await renewDuePeriods(context, id);
        await purgeExpired(sql);
        delivery.wake();
      },
    },
    schedules: [{ task: CLEANUP, match: '41 * * * *' }],
  };
}

/** Reads a secret that the first process generated. After a failed read the next call retries. */
function storedSecret(sql: ServiceSql, name: string, prefix: string): () => Promise<string> {
  let secret: Promise<string> | undefined;
  return () => {
    secret ??= storeSecretOnce(sql, name, `${prefix}${randomBytes(24).toString('hex')}`).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
}

function renewDuePeriods(context: PaymentsContext, subscriptionId: string): Promise<void> {
  return withStoreTransaction(context, async (store) => {
    for (let periods = 0; periods < MAX_PERIODS; periods += 1)
      if (!(await renew(store, await store.get(subscriptionId, 'subscription')))) break;
  });
}
