import type { ServiceSql } from '../../platform/database/roles.ts';

/** Base path of the embedded brokerage's API and pages. */
export const BROKERAGE_PATH = '/_brokerage';

/** Id of the only client. */
export const BROKERAGE_CLIENT_ID = 'SANDBOX';

/** Dependencies of every part of the embedded brokerage. */
export interface BrokerageContext {
  sql: ServiceSql;
  /** Consumer key, which signs requests and webhooks. */
  secret: string;
  now: () => Date;
  /** Notifies the webhook delivery of a pending message. */
  wake(): void;
}
