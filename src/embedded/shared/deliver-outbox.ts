import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { deliverWebhooks, type WebhookDelivery } from '../../platform/http/deliver-webhooks.ts';
import {
  claimMessage,
  deleteMessage,
  nextDueIn,
  type OutboxTable,
  postponeMessage,
  type OutboxMessage,
} from './outbox-queries.ts';

interface OutboxOptions {
  sql: ServiceSql;
  logger: Logger;
  table: OutboxTable;
  now: () => Date;
  /** Delays between attempts in seconds, as at the aggregator. */
  schedule: readonly number[];
  /** Returns the headers that authenticate the sender. */
  sign(message: OutboxMessage): Record<string, string> | Promise<Record<string, string>>;
}

/** Delivers the webhooks of an embedded provider by its own clock. */
export function deliverOutbox({ sql, logger, table, now, schedule, sign }: OutboxOptions) {
  const activeDeliveries = new Set<WebhookDelivery>();
  const addSeconds = (seconds: number): Date => new Date(now().getTime() + seconds * 1_000);
  return {
    /** Wakes every delivery of this process for a new message. */
    wake: (): void => activeDeliveries.forEach((delivery) => delivery.wake()),
    /** Sends messages to the service at `localUrl` until it is stopped. */
    start(localUrl: string): WebhookDelivery {
      const delivery = deliverWebhooks<OutboxMessage>({
        outbox: {
          claim: (leaseSeconds) => claimMessage(sql, table, now(), leaseSeconds),
          markDelivered: (id) => deleteMessage(sql, table, id),
          markFailed: (id, retryIn) =>
            retryIn === null ? deleteMessage(sql, table, id) : postponeMessage(sql, table, id, addSeconds(retryIn)),
          release: (id) => postponeMessage(sql, table, id, now()),
          getMsUntilNextDue: () => nextDueIn(sql, table, now()),
        },
        retryDelaysSeconds: schedule,
        getUrl: ({ url }) => `${localUrl}${new URL(url).pathname}`,
        sign,
        warn: (details, message) => logger.warn(details, message),
      });
      activeDeliveries.add(delivery);
      return {
        wake: delivery.wake,
        async stop() {
          activeDeliveries.delete(delivery);
          await delivery.stop();
        },
      };
    },
  };
}
