import type { ServiceSql } from '../../database/roles.ts';

/** Where the stand-in's wire and pages hang. */
export const SANDBOX_BROKERAGE_PATH = '/_brokerage';

/** The one client that it knows. */
export const SANDBOX_CLIENT_ID = 'SANDBOX';

/** What every part of the stand-in works with. */
export interface BrokerageContext {
  sql: ServiceSql;
  /** Signs requests to it and webhooks of it. */
  consumerKey: string;
  now: () => Date;
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}
