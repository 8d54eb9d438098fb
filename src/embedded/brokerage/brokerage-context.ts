import type { ServiceSql } from '../../platform/database/roles.ts';

/** Where the embedded brokerage's API and pages hang. */
export const BROKERAGE_PATH = '/_brokerage';

/** The one client that it knows. */
export const BROKERAGE_CLIENT_ID = 'SANDBOX';

/** What every part of the embedded brokerage works with. */
export interface BrokerageContext {
  sql: ServiceSql;
  /** Its consumer key, which signs requests to it and webhooks of it. */
  secret: string;
  now: () => Date;
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}
