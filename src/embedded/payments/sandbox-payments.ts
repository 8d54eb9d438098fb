import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { deliverOutbox } from '../shared/deliver-outbox.ts';
import type { Sandbox } from '../shared/sandbox.ts';
import { inProcessFetch } from '../shared/in-process-fetch.ts';
import { addPayApi } from './api-routes.ts';
import { addPayPages } from './pages.ts';
import type { PayContext } from './pay-context.ts';
import { forgetOld, keepSecret, listObjects, OUTBOX } from './sandbox-queries.ts';
import { inStore } from './store.ts';
import { renew } from './subscriptions.ts';

/** Seconds between attempts, over three days as the provider has them. */
const RETRY_SCHEDULE = [10, 60, 600, 3_600, 10_800, 21_600, 43_200, 86_400, 86_400] as const;

export interface SandboxPayments extends Sandbox {
  /** With it events are signed. */
  webhookSecret(): Promise<string>;
  secretKey(): Promise<string>;
}

interface SandboxPaymentOptions {
  sql: ServiceSql;
  logger: Logger;
  /** The clock of pages, periods and events; tests set it. */
  now?: (() => Date) | undefined;
}

/** The payment provider that comes along: its wire, its pages and its events, and no money. */
export function createSandboxPayments({ sql, logger, now = () => new Date() }: SandboxPaymentOptions): SandboxPayments {
  const kept = (name: string, prefix: string) => {
    let secret: Promise<string> | undefined;
    return () =>
      (secret ??= keepSecret(sql, name, `${prefix}${randomBytes(24).toString('hex')}`).catch((error: unknown) => {
        secret = undefined;
        throw error;
      }));
  };
  const [secretKey, webhookSecret] = [kept('secret_key', 'sk_test_'), kept('webhook_secret', 'whsec_')];
  const delivery = deliverOutbox({
    ...{ sql, logger, now, table: OUTBOX, schedule: RETRY_SCHEDULE },
    async sign({ payload }) {
      const time = Math.floor(Date.now() / 1_000);
      const signature = createHmac('sha256', await webhookSecret())
        .update(`${time}.${payload}`)
        .digest('hex');
      return { 'stripe-signature': `t=${time},v1=${signature}` };
    },
  });
  const context: PayContext = { sql, now, secretKey, wake: delivery.wake };
  return {
    ...{ secretKey, webhookSecret },
    fetch: inProcessFetch(async (app) => addPayApi(app, context), undefined),
    async addRoutes(app) {
      await addPayApi(app, context);
      await addPayPages(app, context);
    },
    startDelivery: (localUrl) => delivery.start(localUrl),
    async tidy() {
      for (const { id } of await listObjects(sql, 'subscription'))
        await inStore(context, async (store) => {
          // A service that stood still for long catches up, a period at a time.
          for (let periods = 0; periods < 24; periods += 1)
            if (!(await renew(store, await store.get(id, 'subscription')))) break;
        });
      await forgetOld(sql);
      delivery.wake();
    },
  };
}
