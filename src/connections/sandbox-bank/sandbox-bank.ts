import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../database/roles.ts';
import { deliverWebhooks, type WebhookDelivery } from '../../http/deliver-webhooks.ts';
import { inProcessFetch } from '../../identity/in-process-fetch.ts';
import type { Sandbox } from '../sandbox.ts';
import { addBankApi } from './api-routes.ts';
import type { BankContext } from './bank-context.ts';
import { addBankPages } from './page-routes.ts';
import { claimMessage, deleteMessage, forgetOld, nextDueIn, postponeMessage } from './sandbox-queries.ts';
import { createSigner } from './sign-webhook.ts';

/** Seconds between attempts: the aggregator's own, 30 s times four each time, for a day. */
const RETRY_SCHEDULE = [30, 120, 480, 1_920, 7_680, 30_720] as const;

interface SandboxBankOptions {
  sql: ServiceSql;
  logger: Logger;
  /** What `PLAID-SECRET` must be. */
  secret: string;
  /** The clock of pages, tokens and webhooks; tests set it. */
  now?: () => Date;
  /** How a slow bank waits, in milliseconds; tests replace it. */
  wait?: (milliseconds: number) => Promise<unknown>;
}

interface SandboxBank extends Sandbox {
  /** Its wire without a socket. */
  readonly fetch: typeof globalThis.fetch;
}

/** The bank aggregator that comes along: its wire, its hosted page and its webhooks, about banks that do not exist. */
export function createSandboxBank({ sql, logger, secret, ...options }: SandboxBankOptions): SandboxBank {
  const { now = () => new Date(), wait = sleep } = options;
  const deliveries = new Set<WebhookDelivery>();
  const context: BankContext = {
    ...{ sql, secret, now, wait },
    signer: createSigner(sql),
    publicTokenOf: (linkToken) =>
      `public-sandbox-${createHmac('sha256', secret).update(linkToken).digest('hex').slice(0, 32)}`,
    wake: () => deliveries.forEach((delivery) => delivery.wake()),
  };
  return {
    fetch: inProcessFetch(async (app) => addBankApi(app, context), undefined),
    async addRoutes(app) {
      await addBankApi(app, context);
      await addBankPages(app, context);
    },
    tidy: () => forgetOld(sql),
    startDelivery(localUrl) {
      const after = (seconds: number): Date => new Date(now().getTime() + seconds * 1_000);
      const delivery = deliverWebhooks({
        outbox: {
          claim: (leaseSeconds) => claimMessage(sql, now(), leaseSeconds),
          markDelivered: (id) => deleteMessage(sql, id),
          markFailed: (id, retryIn) =>
            retryIn === null ? deleteMessage(sql, id) : postponeMessage(sql, id, after(retryIn)),
          release: (id) => postponeMessage(sql, id, now()),
          nextDueIn: () => nextDueIn(sql, now()),
        },
        schedule: RETRY_SCHEDULE,
        urlOf: ({ url }) => `${localUrl}${new URL(url).pathname}`,
        sign: async ({ payload }) => ({
          'plaid-verification': await context.signer.sign(payload, Math.floor(Date.now() / 1000)),
        }),
        warn: (details, message) => logger.warn(details, message),
      });
      deliveries.add(delivery);
      return {
        wake: delivery.wake,
        async stop() {
          deliveries.delete(delivery);
          await delivery.stop();
        },
      };
    },
  };
}
